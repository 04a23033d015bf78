import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { allParts, canary, canaryFiles, countCanaries, filesWithCanary } from '../../support/canaries.ts'
import { startService, type Through } from '../../support/service.ts'
import { aWorkspace, isWrite, useWorkspace } from '../../support/workspace.ts'

const workspace = useWorkspace()
const { records, flag, edit } = workspace

/** What was applied first, and then changed everywhere, by runs that hide values. */
async function appliedTwice(): Promise<void> {
  const { vexil, write } = workspace()
  for (const side of ['live', 'now']) {
    await write(canaryFiles(side, 'redact: [payloads, descriptions, values]\n'))
    const { code, stdout, stderr } = await vexil('apply --auto-approve')
    expect(code, stderr).toBe(0)
    expect(stdout + stderr).not.toContain(canary)
  }
}

const values = '.vexil/runs/values'

describe('the record of a run that hides values', () => {
  it('holds none, like its journal; they are in a file for its owner alone', async () => {
    await appliedTwice()
    const { path } = workspace()
    const runs = await records()
    expect(runs).toHaveLength(2)
    expect(await filesWithCanary(path)).toEqual([...runs.map(run => `${values}/${run}`), 'flags.yaml'])
    for (const run of runs) expect((await stat(join(path, values, run))).mode & 0o777).toBe(0o600)
  })

  it('is undone with them, and nothing of them is shown', async () => {
    await appliedTwice()
    const { vexil } = workspace()
    const undone = await vexil('undo last --auto-approve')
    expect(undone).toMatchObject({ code: 0 })
    expect(undone.stdout + undone.stderr).not.toContain(canary)
    const { filters, name } = await flag('checkout')
    expect(name).toBe(`${canary}-live-name`)
    expect(countCanaries(JSON.stringify(filters))).toBe(7)
    expect(JSON.stringify(filters)).not.toMatch(/sensitive|-now-/)
  })

  it('blocks an undo of what it has no values for, and says how to go on', async () => {
    await appliedTwice()
    const { vexil, path, service } = workspace()
    await rm(join(path, values), { recursive: true })
    const { result, requests } = await service.watch(() => vexil('undo last --auto-approve'))
    expect(result.code).toBe(3)
    expect(result.stdout).toMatch(
      /flag checkout[\s\S]*the record of the run hides its values, and the file with these values is missing/,
    )
    expect(result.stdout).toContain('revert the commit')
    expect(requests.filter(isWrite)).toEqual([])
  })

  it('tells later plans what was written, also without the values', async () => {
    await appliedTwice()
    const { vexil, path } = workspace()
    await rm(join(path, values), { recursive: true })
    await edit('banner', { name: `${canary}-product` })
    const { code, stdout, stderr } = await vexil('plan --detailed-exitcode')
    expect(code).toBe(2)
    expect(stdout + stderr).not.toContain(canary)
    expect(stdout).toMatch(/flag banner/)
    expect(stdout).not.toMatch(/flag checkout/)
  })

  it(`hides what --redact ${allParts} says for one run`, async () => {
    const { vexil, path, write } = workspace()
    await write(canaryFiles('live'))
    await vexil(`apply --auto-approve --redact ${allParts}`)
    const [run] = await records()
    expect(await filesWithCanary(path)).toEqual([`${values}/${run}`, 'flags.yaml'])
  })
})

describe('an error of the service that quotes what was sent', () => {
  it.each(['', '--json'])('is told and recorded without it, with %j', async format => {
    const service = await startService({}, quotingRefusal)
    const { vexil, write, path, remove } = await aWorkspace(service)
    try {
      await write(canaryFiles('live', 'redact: [payloads, descriptions, values]\n'))
      const report = 'report.md'
      const { code, stdout, stderr } = await vexil(`apply --auto-approve --report ${report} ${format}`, {
        env: { ...service.env, VEXIL_DEBUG: '1' },
      })
      expect(code).toBe(1)
      expect(stdout).toContain('this is no value: ')
      expect(stdout + stderr).not.toContain(canary)
      const [values = '', ...others] = await filesWithCanary(path)
      expect(values).toMatch(/^\.vexil\/runs\/values\//)
      expect(others).toEqual(['flags.yaml'])
    } finally {
      await service.close()
      await remove()
    }
  })
})

/** Refuses every write, and says back what was in it. */
const quotingRefusal: Through = handle => async request => {
  if (request.method === 'GET') return handle(request)
  const detail = `this is no value: ${await request.text()}`
  return Response.json(
    { type: 'validation_error', code: 'invalid', detail, attr: 'filters' },
    { status: 400 },
  )
}
