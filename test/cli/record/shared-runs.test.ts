import { appendFileSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runName } from '../../../src/core/record/run-folder.ts'
import { git, gitEnv } from '../../git/repository.ts'
import { folderWith, writeFiles } from '../../support/cli.ts'
import { type Service, startService } from '../../support/service.ts'
import { aWorkspace, type Workspace } from '../../support/workspace.ts'

const files = {
  'vexil.yaml': 'version: 1\nruns: { ref: refs/vexil/runs }\n',
  'flags.yaml': 'feature_flags: { checkout: { name: One, active: true } }\n',
  '.gitignore': '.vexil/\n',
}
const ref = 'refs/vexil/runs'

let service: Service
let remote: string
let folders: { remove(): Promise<void> }[]

beforeEach(async () => {
  service = await startService()
  const folder = await folderWith({})
  folders = [folder]
  remote = join(folder.path, 'remote.git')
  await git(folder.path, 'init', '--quiet', '--bare', remote)
})

afterEach(async () => {
  for (const folder of folders) await folder.remove()
  await service.close()
})

/** A clone of the repository; the first one brings the files. */
async function clone(...options: readonly string[]): Promise<Workspace> {
  const own = await aWorkspace(service, {}, { env: { ...service.env, ...gitEnv } })
  folders.push(own)
  const isFirst = (await git(remote, 'for-each-ref')) === ''
  await git(own.path, 'clone', '--quiet', ...options, `file://${remote}`, '.')
  if (isFirst) {
    await own.write(files)
    await git(own.path, 'add', '--all')
    await git(own.path, 'commit', '--quiet', '--message', 'Everything')
    await git(own.path, 'push', '--quiet', 'origin', 'HEAD:main')
  }
  return own
}

const listed = async (): Promise<string[]> => {
  const text = await git(remote, 'ls-tree', '-r', '--name-only', ref)
  return text === '' ? [] : text.split('\n')
}
const runsListed = async () => (await listed()).filter(path => path.startsWith('runs/'))

/** Puts a file onto the ref as anybody may who can push. */
async function put(path: string, content: string, mode = '100644'): Promise<void> {
  const { path: folder, remove } = await folderWith({ content })
  folders.push({ remove })
  await git(folder, 'clone', '--quiet', '--bare', `file://${remote}`, 'own.git')
  const own = join(folder, 'own.git')
  await git(own, 'fetch', '--quiet', 'origin', `+${ref}:${ref}`)
  const blob = await git(own, 'hash-object', '-w', join(folder, 'content'))
  const tree = await git(own, 'ls-tree', '-r', ref)
  const index = ['-c', 'core.bare=true']
  await git(own, ...index, 'read-tree', ref)
  await git(own, ...index, 'update-index', '--add', '--cacheinfo', `${mode},${blob},${path}`)
  const commit = await git(
    own,
    'commit-tree',
    await git(own, 'write-tree'),
    '-p',
    ref,
    '-m',
    `Put over ${tree.length}`,
  )
  await git(own, 'push', '--quiet', 'origin', `${commit}:${ref}`)
}

describe('records that are shared on a ref', () => {
  it('are there for another clone: history lists them, and a plan is measured from them', async () => {
    const [ada, bea] = [await clone(), await clone()]
    expect(await ada.vexil('apply --auto-approve')).toMatchObject({
      code: 0,
      stderr: expect.not.stringMatching(/record/),
    })
    const { stdout } = await bea.vexil('history --json')
    expect(JSON.parse(stdout).runs).toMatchObject([{ command: 'apply', state: 'complete' }])
    expect(await bea.records()).toEqual(await ada.records())
    expect(await bea.list('.vexil/runs/declared')).toEqual(await ada.list('.vexil/runs/declared'))
    await bea.edit('checkout', { name: 'Two' })
    await rm(join(bea.path, '.vexil'), { recursive: true })
    const drift = await bea.vexil('drift --json')
    // The base is in the record that the other clone has shared.
    expect(JSON.parse(drift.stdout)).toMatchObject({
      sides: { edited: ['feature_flag.checkout'], differing: [] },
      live_edits: [
        {
          address: 'feature_flag.checkout',
          fields: [{ field: 'name', treatment: 'reverted', evidence: 'base' }],
        },
      ],
    })
  })

  it('are both there when two clones apply at once', async () => {
    const clones = await Promise.all([await clone(), await clone(), await clone()])
    const runs = await Promise.all(clones.map(({ vexil }) => vexil('apply --auto-approve')))
    expect(runs.map(({ code }) => code).every(code => code === 0 || code === 5)).toBe(true)
    for (const { stderr } of runs) expect(stderr).not.toContain('recorded only on this machine')
    const names = (await Promise.all(clones.map(({ records }) => records()))).flat()
    const paths = new Set(names.map(name => `runs/${name.slice(0, 6)}/${name}`))
    expect(paths.size).toBe(3)
    expect(new Set(await runsListed())).toEqual(paths)
    const last = await clone()
    await last.vexil('history')
    expect(await last.records()).toHaveLength(3)
  })

  it('leave HEAD, index, work tree, branches and hooks alone, in a shallow clone and below the top too', async () => {
    const first = await clone()
    await first.write({ 'inner/vexil.yaml': files['vexil.yaml'], 'inner/flags.yaml': files['flags.yaml'] })
    await git(first.path, 'add', '--all')
    await git(first.path, 'commit', '--quiet', '--message', 'More')
    await git(first.path, 'push', '--quiet', 'origin', 'HEAD:main')
    const own = await clone('--depth', '1', '--branch', 'main')
    for (const hook of ['pre-push', 'post-index-change', 'reference-transaction']) {
      await writeFiles(own.path, {
        [`.git/hooks/${hook}`]: '#!/bin/sh\necho ran >> "$(dirname "$0")/../ran"\n',
      })
      await git(own.path, 'update-index', '--refresh')
    }
    const state = async () => ({
      status: await git(own.path, 'status', '--porcelain'),
      head: await git(own.path, 'rev-parse', 'HEAD'),
      refs: (await git(own.path, 'for-each-ref')).split('\n').filter(line => !line.endsWith(ref)),
      index: await git(own.path, 'ls-files', '--stage'),
      isShallow: await git(own.path, 'rev-parse', '--is-shallow-repository'),
      hasFetchHead: (await readdir(join(own.path, '.git'))).includes('FETCH_HEAD'),
      hasRun: (await readdir(join(own.path, '.git'))).includes('ran'),
    })
    const before = await state()
    const inner = await own.vexil('apply --auto-approve -C inner')
    expect(inner).toMatchObject({ code: 0, stderr: expect.not.stringContaining('alone') })
    expect(await runsListed()).toHaveLength(1)
    expect((await own.vexil('apply --auto-approve -C inner')).code).toBe(0)
    expect(await runsListed()).toHaveLength(2)
    expect(await state()).toEqual(before)
    expect(before).toMatchObject({ isShallow: 'true', hasRun: false })
  })

  it('fail no apply where there is no remote, and go along with a later one', async () => {
    const own = await clone()
    await git(own.path, 'remote', 'set-url', 'origin', `file://${remote}-gone`)
    const { code, stderr } = await own.vexil('apply --auto-approve')
    expect(code).toBe(0)
    expect(stderr.match(/^.*git reports.*$/gm)).toEqual([
      expect.stringMatching(
        /^records are not shared now: those of others are not read, and new ones stay on this machine: git reports ".*"$/,
      ),
    ])
    await git(own.path, 'remote', 'remove', 'origin')
    expect((await own.vexil('apply --auto-approve')).stderr).toContain('the repository has no remote')
    await git(own.path, 'remote', 'add', 'other', `file://${remote}`)
    expect((await own.vexil('apply --auto-approve')).stderr).not.toContain('only on this machine')
    expect(await runsListed()).toHaveLength(3)
  })

  it('say that there is no repository', async () => {
    const own = await aWorkspace(service, files, { env: { ...service.env, ...gitEnv } })
    folders.push(own)
    const { code, stderr } = await own.vexil('apply --auto-approve')
    expect(code).toBe(0)
    expect(stderr).toContain('and new ones stay on this machine: this folder is not in a git repository\n')
  })

  it('are taken over where they are records, and from nowhere else', async () => {
    const own = await clone()
    await own.vexil('apply --auto-approve')
    const [name = ''] = await own.records()
    const record = await own.read(`.vexil/runs/${name}`)
    const other = runName(Date.UTC(2026, 10, 21), '11111111')
    const month = other.slice(0, 6)
    const wrong: readonly (readonly [string, string, string?])[] = [
      [`runs/${month}/${other}.json`, record],
      [`runs/${month}/..%2f${other}.json`, record],
      [`runs/199901/${other}.json`, record],
      [`runs/${other}.json`, record],
      [`declared/${'a'.repeat(32)}.json`, '{}'],
      ['declared/x/y.json', '{}'],
      ['vexil.yaml', 'version: 2\n'],
      [`runs/${month}/${runName(Date.UTC(2026, 10, 22), '22222222')}.json`, 'no JSON'],
      [`runs/${month}/${runName(Date.UTC(2026, 10, 23), '33333333')}.json`, '/etc/passwd', '120000'],
    ]
    for (const [path, content, mode] of wrong) await put(path, content, mode)
    const bea = await clone()
    const { code, stderr } = await bea.vexil('history')
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringMatching(
        /^8 files on refs\/vexil\/runs of "origin" cannot be read as records and are skipped, such as ".*"\n$/,
      ),
    })
    expect(await bea.records()).toEqual([name])
    expect(await bea.list('.vexil/runs/declared')).toHaveLength(1)
    expect(await bea.read('vexil.yaml')).toBe(files['vexil.yaml'])
  })

  it('never hold the key, nor give it to git', async () => {
    const own = await clone()
    const seen = join(own.path, '.git', 'seen')
    await writeFiles(own.path, {
      '.git/askpass.sh': `#!/bin/sh\nenv >> '${seen}'\nexec git-upload-pack "$@"\n`,
    })
    await git(own.path, 'config', 'remote.origin.uploadpack', `sh '${join(own.path, '.git/askpass.sh')}'`)
    await own.vexil('apply --auto-approve')
    expect(await runsListed()).toHaveLength(1)
    const key = service.env.VEXIL_API_KEY ?? ''
    expect(key).not.toBe('')
    const passed = await own.read('.git/seen')
    expect(passed).toContain('GIT_ALLOW_PROTOCOL=file:git:http:https:ssh')
    expect(passed).not.toContain(key)
    for (const path of await listed()) expect(await git(remote, 'show', `${ref}:${path}`)).not.toContain(key)
  })

  it('are pushed once what was done is shown, so a silent remote holds up nobody who looks', async () => {
    const own = await clone()
    const at = (name: string) => join(own.path, '.git', name)
    await writeFiles(own.path, {
      '.git/receive.sh': `#!/bin/sh\ncp '${at('shown')}' '${at('seen')}'\nexec git-receive-pack "$@"\n`,
    })
    await git(own.path, 'config', 'remote.origin.receivepack', `sh '${at('receive.sh')}'`)
    const stdout = { write: (text: string) => appendFileSync(at('shown'), text), isTerminal: false }
    expect((await own.vexil('apply --auto-approve', { host: { stdout } })).code).toBe(0)
    expect(await own.read('.git/seen')).toContain('checkout created')
    expect(await runsListed()).toHaveLength(1)
  })

  it('of the sandbox stay here', async () => {
    const own = await clone()
    expect((await own.vexil('apply --auto-approve --sandbox')).code).toBe(0)
    expect(await own.records()).toHaveLength(1)
    expect(await git(remote, 'for-each-ref', ref)).toBe('')
  })
})
