import { existsSync } from 'node:fs'
import { chmod, mkdir, readdir, rename, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { geteuid } from 'node:process'
import { beforeEach, describe, expect, it } from 'vitest'
import { compiledFolder, keepCompiled, type Start } from '../../../../src/cli/host/compiled-code.ts'
import { folderOfTest } from '../../../support/folder.ts'

const own = geteuid?.()

type Keeping = Parameters<typeof keepCompiled>[0]

let home: string
beforeEach(async () => {
  home = await folderOfTest({})
})

/** The folders in which a command that this user starts has kept what it compiled. */
async function started(differing: Partial<Start> = {}, keeping: Partial<Keeping> = {}) {
  const start: Start = {
    env: { HOME: home },
    platform: 'linux',
    engine: 'v24.1.0-x64',
    userId: own,
    program: '/vexil/dist/vexil.cjs',
    digest: 'aaaa',
    ...differing,
  }
  const folder = compiledFolder(start)
  if (folder === undefined) return []
  const file = join(folder, 'code')
  const chunks = { hasMore: () => true, toKeep: () => Buffer.from('compiled') }
  await keepCompiled({ chunks, file, code: 0, user: start, pid: 7, ...keeping })
  return existsSync(file) ? [folder] : []
}

const compiled = () => join(home, '.cache/vexil/compiled')
const namesIn = (path: string) => readdir(path).then(names => names.sort())
/** Everything that this user's home has. */
const left = () => namesIn(home)

describe('what the engine compiles', () => {
  it('is kept in a folder that only this user can use', async () => {
    const [folder = ''] = await started()
    expect(folder).toBe(join(compiled(), (await namesIn(compiled()))[0] ?? ''))
    expect(folder).toMatch(/v24\.1\.0-x64-[0-9a-f]{8}$/)
    for (const path of [folder, compiled()]) expect((await stat(path)).mode & 0o777).toBe(0o700)
    expect((await stat(join(folder, 'code'))).mode & 0o777).toBe(0o600)
    expect(await namesIn(folder)).toEqual(['code'])
  })

  it('is kept where the last start kept it', async () => {
    const first = await started()
    expect(await started()).toEqual(first)
    expect(await namesIn(compiled())).toHaveLength(1)
  })

  it.each([
    ['engine', { engine: 'v26.0.0-x64' }],
    ['place', { program: '/other/dist/vexil.cjs' }],
    ['version', { digest: 'bbbb' }],
  ])('is kept apart for another %s', async (_, other) => {
    expect(await started(other)).not.toEqual(await started())
    expect(await namesIn(compiled())).toHaveLength(2)
  })

  it.each([
    ['linux', 'XDG_CACHE_HOME'],
    ['win32', 'LOCALAPPDATA'],
  ] as const)('is kept where %s has such things', async (platform, name) => {
    const [folder = ''] = await started({ platform, env: { HOME: '/nowhere', [name]: home } })
    expect(folder.startsWith(join(home, 'vexil/compiled/'))).toBe(true)
  })

  it('is kept for a few installations, the latest', async () => {
    await mkdir(compiled(), { recursive: true, mode: 0o700 })
    const before = ['v22.1.0-00000001', 'v22.1.0-00000002', 'v22.1.0-00000003', 'v22.1.0-00000004']
    for (const [at, name] of before.entries()) {
      await mkdir(join(compiled(), name))
      await writeFile(join(compiled(), name, 'code'), '')
      const later = new Date(Date.now() + (at + 1) * 1000)
      await utimes(join(compiled(), name), later, later)
    }
    await mkdir(join(compiled(), 'of-somebody'))
    const [folder = ''] = await started()
    expect(await namesIn(compiled())).toEqual(
      ['of-somebody', ...before.slice(1), folder.slice(compiled().length + 1)].sort(),
    )
  })
})

describe('nothing is kept, and nothing written', () => {
  it.each<[string, Partial<Start>]>([
    ['without a home', { env: {} }],
    ['where the home is not there', { env: { HOME: '/nowhere/at/all' } }],
    ['where the home has no place of its own', { env: { HOME: 'relative' } }],
    ["in a home that is somebody else's", { userId: (own ?? 0) + 1 }],
    ['in a file system that makes no folders', { env: { HOME: '/proc' }, userId: 0 }],
  ])('%s', async (_, differing) => {
    expect(await started(differing)).toEqual([])
    expect(await left()).toEqual([])
  })

  it.each(['NODE_COMPILE_CACHE', 'NODE_DISABLE_COMPILE_CACHE', 'NODE_V8_COVERAGE'])(
    'where %s has decided',
    async name => {
      expect(await started({ env: { HOME: home, [name]: '1' } })).toEqual([])
      expect(await left()).toEqual([])
    },
  )

  it('where a file is in the way', async () => {
    await writeFile(join(home, '.cache'), '')
    expect(await started()).toEqual([])
  })

  it('in a folder in which others can write, or that is a link', async () => {
    const [folder = ''] = await started()
    await rm(join(folder, 'code'))
    await chmod(folder, 0o770)
    expect(await started()).toEqual([])
    await chmod(folder, 0o700)
    await chmod(compiled(), 0o777)
    expect(await started()).toEqual([])
    await chmod(compiled(), 0o700)
    const elsewhere = join(home, 'elsewhere')
    await rename(folder, elsewhere)
    await symlink(elsewhere, folder)
    expect(await started()).toEqual([])
  })

  it.each([1, 64, 130, 143] as const)('by a command that ended in %i', async code => {
    expect(await started({}, { code })).toEqual([])
    expect(await left()).toEqual([])
  })

  it('where a command has nothing to add', async () => {
    const chunks = { hasMore: () => false, toKeep: () => Buffer.from('nothing') }
    expect(await started({}, { chunks })).toEqual([])
    expect(await left()).toEqual([])
  })

  it('where the engine fails', async () => {
    const toKeep = () => {
      throw new Error('no')
    }
    expect(await started({}, { chunks: { hasMore: () => true, toKeep } })).toEqual([])
  })
})
