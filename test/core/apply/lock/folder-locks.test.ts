import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  FolderLocks,
  type LockOwner,
  lockFileText,
  ownerState,
  ownerText,
  type Processes,
  readLockFile,
  refusedText,
} from '../../../../src/core/apply/locks.ts'
import type { Target } from '../../../../src/core/target.ts'
import { folderOfTest } from '../../../support/folder.ts'
import { rounds } from '../../../support/rounds.ts'
import { testRuntime } from '../../../support/test-runtime.ts'

const target: Target = { baseUrl: 'https://flags.example.com', projectId: '1', profile: 'documented' }

const ada: LockOwner = {
  user: 'ada',
  host: 'laptop',
  system: 'one',
  pid: 4711,
  started: 'monday',
  id: 'a',
  command: 'apply',
  environment: 'production',
  since: Date.UTC(2026, 0, 1),
}
const grace: LockOwner = { ...ada, user: 'grace', pid: 4712, id: 'b' }

/** A system on which these processes run, by id and start. */
const systemWith = (running: Readonly<Record<number, string | undefined>>): Processes => ({
  own: async () => grace,
  startOf: async pid => (pid in running ? running[pid] : null),
})

let folder: string
beforeEach(async () => {
  folder = await folderOfTest({})
})

const state = () => join(folder, '.vexil')
const locks = (
  processes: Processes = systemWith({ 4711: 'monday', 4712: 'monday' }),
  link?: (from: string, to: string) => Promise<void>,
) => new FolderLocks({ folder: state(), processes, runtime: testRuntime(), link })

/** A file system that knows no links. */
const noLinks = () => Promise.reject(Object.assign(new Error('no links'), { code: 'ENOTSUP' }))
const files = () => readdir(state()).catch(() => 'no folder')

describe('whether an owner is still there', () => {
  const own = systemWith({})
  it.each<[string, Partial<LockOwner>, Processes, string]>([
    ['of another host', { host: 'desktop' }, own, 'unknown'],
    ['of another system with the same host name', { system: 'container' }, own, 'unknown'],
    ['without a start on record', { started: undefined }, own, 'unknown'],
    ['of whom this system cannot tell', {}, systemWith({ 4711: undefined }), 'unknown'],
    ['without a process', {}, own, 'dead'],
    ['whose id a later process has', {}, systemWith({ 4711: 'tuesday' }), 'dead'],
    ['that runs', {}, systemWith({ 4711: 'monday' }), 'running'],
  ])('one %s', async (_, over, processes, expected) => {
    expect(await ownerState({ ...ada, ...over }, processes)).toBe(expected)
  })
})

describe('a lock in a folder', () => {
  it('is written without what has to stay hidden', async () => {
    const options = { folder: state(), processes: systemWith({ 4711: 'monday' }), runtime: testRuntime() }
    const hide = (text: string) => text.replaceAll('phx_some_key', '[redacted]')
    await new FolderLocks({ ...options, hide }).acquire(target, { ...ada, environment: 'phx_some_key' })
    const [found] = await new FolderLocks(options).list()
    expect(found?.owner).toEqual({ ...ada, environment: '[redacted]' })
  })

  it('is held by one, refused to the next with its owner, and leaves nothing behind', async () => {
    const held = await locks().acquire(target, ada)
    expect(await files()).toEqual([expect.stringMatching(/^lock-[0-9a-f]{12}$/)])
    const [name = ''] = await files()
    const place = join(state(), name)
    expect(await locks().acquire(target, grace)).toEqual({
      is: 'refused',
      place,
      owner: ada,
      state: 'running',
    })
    expect(await locks().list()).toEqual([{ path: place, owner: ada }])
    expect(held.is === 'held' && (await held.release())).toBe('released')
    expect(await files()).toBe('no folder')
  })

  it('leaves a folder that was there before', async () => {
    await mkdir(state())
    const held = await locks().acquire(target, ada)
    if (held.is === 'held') await held.release()
    expect(await files()).toEqual([])
  })

  it.each<[string, Target, boolean]>([
    ['another project', { ...target, projectId: '2' }, true],
    ['another service', { ...target, baseUrl: 'https://other.example.com' }, true],
    ['another spelling of the address', { ...target, baseUrl: 'https://flags.example.com/' }, false],
    ['another profile', { ...target, profile: 'posthog' }, false],
  ])('of %s is another one: %o', async (_, other, isOther) => {
    await locks().acquire(target, ada)
    expect((await locks().acquire(other, grace)).is).toBe(isOther ? 'held' : 'refused')
  })

  it.each<[string, Processes, 'held' | 'refused']>([
    ['is taken over from a process that is no more', systemWith({}), 'held'],
    ['is taken over from a process whose id another one has', systemWith({ 4711: 'tuesday' }), 'held'],
    ['is not taken over where nobody can tell', systemWith({ 4711: undefined }), 'refused'],
  ])('%s', async (_, processes, expected) => {
    await locks().acquire(target, ada)
    expect((await locks(processes).acquire(target, grace)).is).toBe(expected)
    expect(await files()).toHaveLength(1)
    expect(await locks().list()).toMatchObject([{ owner: expected === 'held' ? grace : ada }])
  })

  it.each([
    ['was cut off', ''],
    ['is none', 'not a lock'],
    ['is of a later version', lockFileText(ada).replace('1.0', '2.0')],
    ['names a path', lockFileText({ ...ada, id: '../../x' })],
  ])('that %s is refused and never removed by itself', async (_, text) => {
    await locks().acquire(target, ada)
    const [{ path: place } = { path: '' }] = await locks().list()
    await writeFile(place, text)
    expect(await locks(systemWith({})).acquire(target, grace)).toEqual({
      is: 'refused',
      place,
      owner: undefined,
      state: 'unknown',
    })
    expect(await readFile(place, 'utf8')).toBe(text)
    const [lock] = await locks().list()
    expect(lock && (await locks().remove(lock))).toBe('removed')
    expect((await locks().acquire(target, grace)).is).toBe('held')
  })

  it('that somebody else has by now is neither given back nor removed', async () => {
    const held = await locks().acquire(target, ada)
    const [found] = await locks().list()
    expect(found && (await locks().remove(found))).toBe('removed')
    await locks().acquire(target, grace)
    expect(held.is === 'held' && (await held.release())).toBe('lost')
    expect(found && (await locks().remove(found))).toBe('changed')
    expect(await locks().list()).toMatchObject([{ owner: grace }])
  })

  it('goes to somebody when whoever took it over was killed on the way', async () => {
    await locks().acquire(target, ada)
    const [{ path } = { path: '' }] = await locks().list()
    // A claim on the lock of somebody dead, left by somebody who is dead as well; and the same once more.
    await writeFile(`${path}.a`, lockFileText({ ...ada, id: 'x', pid: 5000 }))
    await writeFile(`${path}.a.x`, lockFileText({ ...ada, id: 'y', pid: 5001 }))
    expect((await locks(systemWith({})).acquire(target, grace)).is).toBe('held')
    expect(await locks().list()).toMatchObject([{ owner: grace }])
    expect(await files()).toHaveLength(1)
  })

  it('is left to whoever was faster when two find it with a dead owner', async () => {
    await locks().acquire(target, ada)
    const [first, second] = [1, 2].map(pid => ({ ...ada, id: `o${pid}`, pid, started: 'now' })) as [
      LockOwner,
      LockOwner,
    ]
    let goOn = () => {}
    const fasterIsDone = new Promise<void>(resolve => {
      goOn = resolve
    })
    const running = systemWith({ 1: 'now', 2: 'now' })
    // The slower one has read whose the lock is, and learns that they are dead when it is somebody else's already.
    const slow: Processes = {
      ...running,
      startOf: async pid => {
        if (pid === ada.pid) await fasterIsDone
        return running.startOf(pid)
      },
    }
    const slower = locks(slow).acquire(target, second)
    expect((await locks(running).acquire(target, first)).is).toBe('held')
    goOn()
    expect(await slower).toMatchObject({ is: 'refused', owner: first, state: 'running' })
    expect(await locks().list()).toMatchObject([{ owner: first }])
  })

  it.skipIf(process.getuid?.() === 0)('that cannot be made says so on one line', async () => {
    await mkdir(state(), { mode: 0o500 })
    await expect(locks().acquire(target, ada)).rejects.toThrow(
      /^the lock "\S+lock-[0-9a-f]{12}" cannot be made \(EACCES\); nothing is written to the service without it$/,
    )
    await chmod(state(), 0o700)
  })

  it('is held and given back where there are no links', async () => {
    const held = await locks(undefined, noLinks).acquire(target, ada)
    expect((await locks(undefined, noLinks).acquire(target, grace)).is).toBe('refused')
    expect(held.is === 'held' && (await held.release())).toBe('released')
    expect(await files()).toBe('no folder')
  })

  it('says so where a file is in the way of the folder', async () => {
    await writeFile(state(), '')
    await expect(locks().acquire(target, ada)).rejects.toThrow(/cannot be made \(E\w+\); nothing is written/)
  })
})

describe('however many want a lock at the same time', () => {
  it('one has it, over whatever somebody has left', async () => {
    const living = { 1: 'now', 2: 'now', 3: 'now', 4: 'now', 5: 'now' }
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('nothing', 'a dead lock', 'a dead claim'),
        fc.boolean(),
        async (left, hasLinks) => {
          if (left !== 'nothing') await locks().acquire(target, ada)
          const [found] = await locks().list()
          if (found && left === 'a dead claim') {
            await writeFile(`${found.path}.a`, lockFileText({ ...ada, id: 'x', pid: 5000 }))
          }
          const owners = [1, 2, 3, 4, 5].map(pid => ({ ...ada, id: `o${pid}`, pid, started: 'now' }))
          const all = await Promise.all(
            owners.map(owner =>
              locks(systemWith(living), hasLinks ? undefined : noLinks).acquire(target, owner),
            ),
          )
          const held = all.flatMap(one => (one.is === 'held' ? [one] : []))
          expect(held).toHaveLength(1)
          const [now] = await locks().list()
          const refusals = all.flatMap(one => (one.is === 'refused' ? [one.owner] : []))
          expect(refusals).toEqual(Array.from({ length: 4 }, () => now?.owner))
          expect(await held[0]?.release()).toBe('released')
          expect(await locks().list()).toEqual([])
        },
      ),
      { numRuns: rounds(5) },
    )
  })
})

describe('what a lock says', () => {
  const nowMs = ada.since + 180_000
  const place = '.vexil/lock-0f3a5c7e9b1d'
  it.each([
    [
      { owner: ada, state: 'running' },
      'refusing to write: ada on laptop (vexil apply in production, process 4711, for 3 minutes, since 2026-01-01T00:00:00.000Z) holds the lock ".vexil/lock-0f3a5c7e9b1d"; wait until that command ends',
    ],
    [
      { owner: { ...ada, environment: undefined, since: nowMs + 1 }, state: 'unknown' },
      'refusing to write: ada on laptop (vexil apply, process 4711, since 2026-01-01T00:03:00.001Z by a clock ahead of this one) holds the lock ".vexil/lock-0f3a5c7e9b1d"; wait until that command ends; if its process no longer exists, `vexil unlock lock-0f3a5c7e9b1d` removes it',
    ],
    [
      { owner: undefined, state: 'unknown' },
      'the lock ".vexil/lock-0f3a5c7e9b1d" names no owner (it was cut off, or another version wrote it); if no command is writing there, `vexil unlock lock-0f3a5c7e9b1d` removes it',
    ],
  ] as const)('is whose it is, since when, and what to do', ({ owner, state }, text) => {
    expect(refusedText({ is: 'refused', place, owner, state }, nowMs)).toBe(text)
  })

  it('is read back as it was written, and escapes what a terminal would obey', () => {
    expect(readLockFile(lockFileText(ada))).toEqual(ada)
    expect(ownerText({ ...ada, user: '\u001b]0;x\u0007' }, nowMs)).not.toContain('\u001b')
  })
})
