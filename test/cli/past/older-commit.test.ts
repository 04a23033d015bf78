import { chmod, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { git, gitEnv } from '../../git/repository.ts'
import { cli } from '../../support/cli.ts'
import { folderOfTest, writeFiles } from '../../support/folder.ts'
import { startService } from '../../support/service.ts'
import { flagFile, placeOfTest } from './a-place.ts'

/** A place to which the second of two commits was applied, and where the first one is checked out. */
async function older() {
  const place = await placeOfTest(flagFile('checkout', 10))
  const first = await git(place.folder, 'rev-parse', 'HEAD')
  await place.run('apply -y')
  const second = await place.commit(flagFile('checkout', 20))
  expect((await place.run('apply -y')).code).toBe(0)
  await git(place.folder, 'checkout', '--quiet', first)
  return { ...place, first, second }
}

const writes = (requests: readonly string[]) => requests.filter(request => !request.startsWith('GET'))

describe('a commit that is older than the one that was applied', () => {
  it('is not applied: nothing is written, and the line says what to do', async () => {
    const { run, service, first, second } = await older()
    const { result, requests } = await service.watch(() => run('apply -y'))
    expect(result.code).toBe(5)
    expect(result.stderr).toContain(
      `older_commit: ${first.slice(0, 10)} is older than ${second.slice(0, 10)}`,
    )
    expect(result.stderr).toContain('--allow older_commit')
    expect(requests.length).toBeGreaterThan(0)
    expect(writes(requests)).toEqual([])
  })

  it('is planned, and the plan says so', async () => {
    const { run, first } = await older()
    const { code, stderr } = await run('plan')
    expect(code).toBe(0)
    expect(stderr).toContain(`older_commit: ${first.slice(0, 10)} is older than`)
  })

  it('is not applied as a saved plan either, unless that was allowed when it was planned', async () => {
    const { run, service } = await older()
    await run('plan --out plan.json')
    const { result, requests } = await service.watch(() => run('apply plan.json'))
    expect([result.code, writes(requests)]).toEqual([5, []])
    expect(result.stderr).toContain('older_commit')
    await run('plan --out plan.json --allow older_commit')
    const allowed = await run('apply plan.json')
    expect(allowed.code).toBe(0)
    expect(allowed.stderr).toContain('older_commit')
  })

  it.each(['plan', 'apply -y --allow older_commit', 'apply plan.json'])(
    'is told one time to be unknown where the newest record cannot be read, and stops nothing: %s',
    async line => {
      const { run, folder } = await older()
      await run('plan --out plan.json --allow older_commit')
      const newest = await breakNewestRecord(folder)
      const { code, stderr } = await run(line)
      expect(code).toBe(0)
      expect(stderr.split('\n').filter(told => told.includes(newest))).toEqual([
        `".vexil/runs/${newest}": it is not the record of a run: it is not JSON, or was cut off, so its content is unknown; restore that file, or move it away`,
      ])
    },
  )

  it('is told one time to be unknown where no record can be looked for', async () => {
    const { run, folder } = await older()
    await rm(join(folder, '.vexil/runs'), { recursive: true })
    await writeFile(join(folder, '.vexil/runs'), 'no folder')
    const { code, stderr } = await run('plan --base none')
    expect([code, stderr]).toEqual([
      0,
      '".vexil": its runs cannot be listed (ENOTDIR), so its content is unknown; restore that file, or move it away\n',
    ])
  })

  it('is applied where that is allowed, and is then the newest one', async () => {
    const { run, folder, second } = await older()
    expect((await run('apply -y --allow older_commit')).code).toBe(0)
    expect((await run('apply -y')).code).toBe(0)
    await git(folder, 'checkout', '--quiet', second)
    const { code, stderr } = await run('apply -y')
    expect([code, stderr.includes('older_commit')]).toEqual([0, false])
  })

  it('is none where the folder has local changes, and where the newer one was applied to another place', async () => {
    const { run, folder } = await older()
    const other = await startService()
    onTestFinished(other.close)
    const elsewhere = await cli('plan', { directory: folder, env: { ...other.env, ...gitEnv } })
    expect([elsewhere.code, elsewhere.stderr.includes('older_commit')]).toEqual([0, false])
    await writeFiles(folder, flagFile('other', 5))
    expect((await run('apply -y')).code).toBe(0)
  })

  it('is none of its own, of a newer one and of another line', async () => {
    const { run, commit, folder, first, second } = await older()
    await git(folder, 'checkout', '--quiet', second)
    expect((await run('plan')).stderr).not.toContain('older_commit')
    await commit(flagFile('checkout', 30))
    expect((await run('plan')).stderr).not.toContain('older_commit')
    await git(folder, 'checkout', '--quiet', '-b', 'line', first)
    await commit(flagFile('other', 5))
    expect((await run('plan')).stderr).not.toContain('older_commit')
  })

  it('is none for an undo, which goes back on purpose', async () => {
    const { run } = await older()
    const { code, stderr } = await run('undo last -y')
    expect([code, stderr.includes('older_commit')]).toEqual([0, false])
  })

  it('is looked for without asking git anything twice', async () => {
    const { folder, service, commit, run } = await placeOfTest(flagFile('checkout', 10))
    await run('apply -y')
    await commit(flagFile('checkout', 20))
    const { asked, env } = await listeningGit()
    expect((await cli('apply -y', { directory: folder, env: { ...service.env, ...env } })).code).toBe(0)
    const lines = await asked()
    expect(lines.filter(line => line.includes(' merge-base '))).toHaveLength(1)
    expect(lines).toEqual([...new Set(lines)])
  })
})

/** Cuts off the record of the newest run, and answers with the name of its file. */
async function breakNewestRecord(folder: string): Promise<string> {
  const runs = join(folder, '.vexil/runs')
  const records = (await readdir(runs)).filter(name => name.endsWith('.json')).sort()
  const newest = records.at(-1)!
  await writeFile(join(runs, newest), '{"format": ')
  return newest
}

/** The real git, which notes what it is asked. */
async function listeningGit() {
  const log = join(await folderOfTest({}), 'log')
  const path = await folderOfTest({
    git: `#!/bin/sh\necho "$*" >> '${log}'\nPATH='${gitEnv.PATH}' exec git "$@"\n`,
  })
  await chmod(join(path, 'git'), 0o755)
  return {
    env: { ...gitEnv, PATH: `${path}:${gitEnv.PATH}` },
    asked: async () => (await readFile(log, 'utf8')).trim().split('\n'),
  }
}
