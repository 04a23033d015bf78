import { createHash } from 'node:crypto'
import { link as linkFile, open, readdir, rmdir, unlink, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Redact } from '../../api/redact.ts'
import { codeOf, makeFolder, readTextFile } from '../../model/files.ts'
import type { Runtime } from '../../model/runtime.ts'
import { isJsonObject, type JsonObject } from '../../model/text/json.ts'
import { durationText, escapeText } from '../../model/text/printable.ts'
import { type Target, targetIdentity } from '../target.ts'

export interface FolderLocksOptions {
  /** The folder of the lock files: created if needed, and then removed once it is empty. */
  readonly folder: string
  readonly processes: Processes
  readonly runtime: Pick<Runtime, 'sleep'>
  /** Removes secrets from written texts; nothing when absent. */
  readonly hide?: Redact
  /** Creates a hard link, and fails if the name is taken. Default: the function of the system. */
  readonly link?: (from: string, to: string) => Promise<void>
}

export interface FoundLock {
  readonly path: string
  readonly owner: LockOwner | undefined
}

/**
 * Locks as files of one folder, `lock-` and a digest of the target.
 *
 * | in the folder                        | what happens                                                |
 * |--------------------------------------|-------------------------------------------------------------|
 * | no lock                              | taken                                                       |
 * | a lock of an owner that runs         | refused                                                     |
 * | a lock whose owner cannot be checked | refused: on another host, in a container, by another system |
 * | a lock of a dead owner               | removed, then taken as if there were none                   |
 * | a file without an owner              | refused: it was cut off, or a later version wrote it        |
 *
 * A lock is created by a link to a complete file. So a killed process leaves no lock or a readable one. To
 * remove the lock of a dead owner, a process first takes a second lock, named after the dead one. Without
 * that, the slower of two processes could remove the new lock of the faster one.
 */
export class FolderLocks {
  readonly #options: FolderLocksOptions

  constructor(options: FolderLocksOptions) {
    this.#options = options
  }

  /** Returns at once, without waiting for a held lock. Throws if the state is unknown. */
  async acquire(target: Target, owner: LockOwner): Promise<HeldLock | RefusedLock> {
    const { folder, processes, runtime } = this.#options
    const path = join(folder, lockName(target))
    let hasMadeFolder = false
    for (let attempt = 1; attempt <= mostAttempts; attempt++) {
      const made = await failing(path, 'made', () => makeFolder(folder))
      hasMadeFolder ||= made !== undefined
      if (await this.#place(path, owner)) return this.#held(path, owner, hasMadeFolder)
      const found = await read(path)
      if (found === 'gone') continue
      const state = found ? await ownerState(found, processes) : 'unknown'
      if (found && state === 'dead') {
        const isRemoved = await this.#removeDead(path, found.id, owner)
        if (!isRemoved) await runtime.sleep(waitMs)
      } else if (found || attempt > attemptsToRead) {
        return { is: 'refused', place: path, owner: found, state }
      } else {
        // On a file system without links, the file may be about to be written.
        await runtime.sleep(waitMs)
      }
    }
    throw new Error(`the lock "${path}" keeps appearing and disappearing; try again`)
  }

  /** The owner of a target's lock, if its process is known to run on this machine. */
  async runningOwner(target: Target): Promise<LockOwner | undefined> {
    const { folder, processes } = this.#options
    const owner = await read(join(folder, lockName(target)))
    if (!owner || owner === 'gone') return undefined
    return (await ownerState(owner, processes)) === 'running' ? owner : undefined
  }

  /** All locks of the folder; none if there is no folder. */
  async list(): Promise<FoundLock[]> {
    const { folder } = this.#options
    const names = await namesIn(folder)
    const paths = names.filter(name => lockNamePattern.test(name)).map(name => join(folder, name))
    const found = await Promise.all(paths.map(async path => ({ path, owner: await read(path) })))
    return found.flatMap(({ path, owner }) => (owner === 'gone' ? [] : [{ path, owner }]))
  }

  /** Removes the lock of an owner, if it is still the lock that was found. */
  async remove({ path, owner }: FoundLock): Promise<'removed' | 'changed'> {
    const { folder } = this.#options
    const now = await read(path)
    if (now === 'gone' || now?.id !== owner?.id) return 'changed'
    await failing(path, 'removed', () => unlinkAny(path))
    // Files of a process that was killed while it removed the lock.
    const left = (await namesIn(folder)).map(name => join(folder, name))
    await Promise.all(left.filter(name => name.startsWith(`${path}.`)).map(unlinkAny))
    return 'removed'
  }

  #held(path: string, { id }: LockOwner, hasMadeFolder: boolean): HeldLock {
    const { folder } = this.#options
    return {
      is: 'held',
      async release() {
        const now = await read(path)
        if (now === 'gone' || now?.id !== id) return 'lost'
        await failing(path, 'removed', () => unlinkAny(path))
        if (hasMadeFolder) await rmdir(folder).catch(() => {})
        return 'released'
      },
    }
  }

  /** Writes the file of a lock if there is none; false if there is one. */
  async #place(path: string, owner: LockOwner): Promise<boolean> {
    const { link = linkFile } = this.#options
    const { hide = (text: string) => text } = this.#options
    const text = hide(lockFileText(owner))
    const draft = `${path}.${owner.id}.new`
    const linked = async () => {
      await writeWhole(draft, text)
      try {
        await link(draft, path)
      } finally {
        await unlinkAny(draft)
      }
    }
    const code = await placed(linked)
    const made = withoutLinks.has(code) ? await placed(() => writeWhole(path, text)) : code
    if (made === '') return true
    if (isTaken(made)) return false
    throw cannotBe('made', path, made)
  }

  /** False while another process is removing it. */
  async #removeDead(path: string, id: string, owner: LockOwner): Promise<boolean> {
    const claim = `${path}.${id}`
    if (await this.#place(claim, owner)) {
      try {
        const now = await read(path)
        if (now !== 'gone' && now?.id === id) await failing(path, 'removed', () => unlinkAny(path))
      } finally {
        await unlinkAny(claim)
      }
      return true
    }
    const other = await read(claim)
    if (other === 'gone') return true
    if (!other || (await ownerState(other, this.#options.processes)) !== 'dead') return false
    return this.#removeDead(claim, other.id, owner)
  }
}

/** Each attempt after the first means that another process has taken or released the lock in the meantime. */
const mostAttempts = 100
const attemptsToRead = 5
const waitMs = 20

/** In bytes. A lock holds only names, a process and a time. */
const largestLock = 64 * 1024

const lockNamePattern = /^lock-[0-9a-f]{12}$/

function lockName(target: Target): string {
  return `lock-${createHash('sha256').update(targetIdentity(target)).digest('hex').slice(0, 12)}`
}

/** Error codes of a file system without links. */
const withoutLinks = new Set(['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK'])

/** Empty, or the code of the error. */
async function placed(write: () => Promise<void>): Promise<string> {
  try {
    await write()
    return ''
  } catch (error) {
    return codeOf(error, 'unknown reason')
  }
}

/** Taken by a lock; or another process has just removed the empty folder. */
function isTaken(code: string): boolean {
  return code === 'EEXIST' || code === 'ENOENT'
}

/** Writes a complete file or none. Other users of the folder must be able to read who holds the lock. */
async function writeWhole(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o644)
  try {
    await writeFile(file, text)
  } catch (error) {
    await unlinkAny(path)
    throw error
  } finally {
    await file.close()
  }
}

/** The owner of a lock; undefined when the file names none. */
async function read(path: string): Promise<LockOwner | undefined | 'gone'> {
  try {
    return readLockFile(await readTextFile(path, largestLock))
  } catch (error) {
    const code = codeOf(error, 'unknown reason')
    if (code === 'ENOENT') return 'gone'
    // A folder, a device, more than a lock can contain, or another encoding.
    if (['EISDIR', 'not_a_file', 'too_large', 'not_utf8'].includes(code)) return undefined
    throw cannotBe('read', path, code)
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    const code = codeOf(error, 'unknown reason')
    if (code === 'ENOENT') return []
    throw new Error(`the locks in "${folder}" cannot be listed (${code})`)
  }
}

async function unlinkAny(path: string): Promise<void> {
  try {
    await unlink(path)
  } catch (error) {
    if (codeOf(error, '') !== 'ENOENT') throw error
  }
}

async function failing<T>(path: string, verb: 'made' | 'removed', run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    throw cannotBe(verb, path, codeOf(error, 'unknown reason'))
  }
}

function cannotBe(verb: 'made' | 'read' | 'removed', path: string, code: string): Error {
  const otherwise = verb === 'removed' ? 'remove it by hand' : 'nothing is written to the service without it'
  return new Error(`the lock "${path}" cannot be ${verb} (${code}); ${otherwise}`)
}

/** A process as its own system identifies it. */
interface ProcessIdentity {
  readonly user: string
  readonly host: string
  /**
   * Identifies a system, unlike its containers and other systems with the same host name. Process ids can be
   * compared only within one system.
   */
  readonly system: string
  readonly pid: number
  /** When it was started, as its system reports it; absent if it does not. */
  readonly started?: string
}

/** Who holds a lock, and for which command. */
export interface LockOwner extends ProcessIdentity {
  /** Unique among owners. */
  readonly id: string
  readonly command: string
  readonly environment?: string
  /** Milliseconds since 1970, by the owner's clock. */
  readonly since: number
}

/** Whether the process of an owner still runs, as far as this machine can find out. */
type OwnerState = 'running' | 'dead' | 'unknown'

export interface HeldLock {
  readonly is: 'held'
  /** Aborted if another process may take the lock although this one still runs; absent if that cannot happen. */
  readonly lost?: AbortSignal
  /** Releases the lock. `lost`: another process has removed it in the meantime. */
  release(): Promise<'released' | 'lost'>
}

export interface RefusedLock {
  readonly is: 'refused'
  /** The path of the lock, for messages. */
  readonly place: string
  /** Undefined if the file names no owner. */
  readonly owner: LockOwner | undefined
  readonly state: OwnerState
}

const lockFormat = '1.0'

export function lockFileText({ since, ...owner }: LockOwner): string {
  const content = { format_version: lockFormat, ...owner, since: new Date(since).toISOString() }
  return `${JSON.stringify(content, null, 2)}\n`
}

/** The owner in a lock file; undefined if the text is cut off or not a lock. */
export function readLockFile(text: string): LockOwner | undefined {
  const content = parse(text)
  if (!content || String(content.format_version).split('.')[0] !== lockFormat.split('.')[0]) return undefined
  const { id, user, host, system, pid, started, command, environment, since } = content
  // The id becomes part of a file name.
  if (typeof id !== 'string' || !/^[\w-]{1,64}$/.test(id)) return undefined
  if (typeof user !== 'string' || typeof host !== 'string' || typeof command !== 'string') return undefined
  if (typeof pid !== 'number' || !Number.isSafeInteger(pid) || pid < 1) return undefined
  const sinceMs = typeof since === 'string' ? Date.parse(since) : Number.NaN
  if (Number.isNaN(sinceMs)) return undefined
  return {
    id,
    user,
    host,
    system: typeof system === 'string' ? system : '',
    pid,
    ...(typeof started === 'string' ? { started } : {}),
    command,
    ...(typeof environment === 'string' ? { environment } : {}),
    since: sinceMs,
  }
}

function parse(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** The place of locks that end by themselves with the connection of their owner. */
export const sharedStore = 'the shared store'

/** Why a command that writes does not start, and what to do. */
export function refusedText({ place, owner, state }: RefusedLock, nowMs: number): string {
  if (place === sharedStore)
    return `refusing to write: ${owner ? ownerText(owner, nowMs) : 'another command'} holds the lock of this place in ${place}; ${remedies.running('')}`
  const remedy = `\`vexil unlock ${basename(place)}\` removes it`
  if (!owner) {
    return `the lock "${place}" names no owner (it was cut off, or another version wrote it); if no command is writing there, ${remedy}`
  }
  const held = `${ownerText(owner, nowMs)} holds the lock "${place}"`
  return `refusing to write: ${held}; ${remedies[state](remedy)}`
}

/** `ada on laptop (vexil apply to production, process 4711, for 3 minutes, since 2026-11-21T02:00:00.000Z)` */
export function ownerText(owner: LockOwner, nowMs: number): string {
  const { user, host, command, environment, pid, since } = owner
  const where = environment === undefined ? '' : ` in ${escapeText(environment)}`
  const what = `vexil ${escapeText(command)}${where}`
  return `${escapeText(user)} on ${escapeText(host)} (${what}, process ${pid}, ${ageText(since, nowMs)})`
}

/** The two times may come from different clocks. */
function ageText(sinceMs: number, nowMs: number): string {
  const since = `since ${new Date(sinceMs).toISOString()}`
  return sinceMs > nowMs
    ? `${since} by a clock ahead of this one`
    : `for ${durationText(nowMs - sinceMs)}, ${since}`
}

const remedies: Readonly<Record<OwnerState, (remedy: string) => string>> = {
  running: () => 'wait until that command ends',
  dead: remedy => remedy,
  unknown: remedy => `wait until that command ends; if its process no longer exists, ${remedy}`,
}

/** What a system knows about its processes. */
export interface Processes {
  own(): Promise<ProcessIdentity>
  /** When a process was started; null if no process has this id, undefined if unknown. */
  startOf(pid: number): Promise<string | null | undefined>
}

/**
 * Whether the process that took a lock still runs. Systems reuse process ids, so start times count too.
 *
 * | host and system | start on record | process with that id    | state   |
 * |-----------------|-----------------|-------------------------|---------|
 * | another         | any             | any                     | unknown |
 * | this one        | none            | any                     | unknown |
 * | this one        | some            | cannot be read          | unknown |
 * | this one        | some            | none                    | dead    |
 * | this one        | some            | one, with another start | dead    |
 * | this one        | some            | one, with this start    | running |
 */
export async function ownerState(owner: ProcessIdentity, processes: Processes): Promise<OwnerState> {
  const { host, system } = await processes.own()
  if (owner.host !== host || owner.system !== system || owner.started === undefined) return 'unknown'
  const started = await processes.startOf(owner.pid)
  if (started === undefined) return 'unknown'
  return started === owner.started ? 'running' : 'dead'
}
