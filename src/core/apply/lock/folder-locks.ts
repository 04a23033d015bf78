import { createHash } from 'node:crypto'
import { link as linkFile, open, readdir, rmdir, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Redact } from '../../../api/index.ts'
import { codeOf } from '../../../model/files/error-code.ts'
import { makeFolder } from '../../../model/files/make-folder.ts'
import { readTextFile } from '../../../model/files/read-text-file.ts'
import type { Runtime } from '../../../model/runtime/runtime.ts'
import { type Target, targetIdentity } from '../../target.ts'
import { type HeldLock, LockError, type LockOwner, type Locks, type RefusedLock } from './lock.ts'
import { lockFileText, readLockFile } from './lock-file.ts'
import { ownerState, type Processes } from './owner-state.ts'

export interface FolderLocksOptions {
  /** The folder of the lock files. It is made when it is needed, and taken away again when it was and is empty. */
  readonly folder: string
  readonly processes: Processes
  readonly runtime: Pick<Runtime, 'sleep'>
  /** Takes secrets out of what is written; nothing when absent. */
  readonly hide?: Redact
  /** Gives a file another name, and fails where that is taken; that of the system when absent. */
  readonly link?: (from: string, to: string) => Promise<void>
}

/** A lock as it lies in the folder. */
export interface FoundLock {
  readonly path: string
  readonly owner: LockOwner | undefined
}

/**
 * Locks as files of one folder, `lock-` and a digest of the target.
 *
 * | in the folder                          | what happens                                                 |
 * |----------------------------------------|--------------------------------------------------------------|
 * | no lock                                | taken                                                        |
 * | a lock of an owner that runs           | refused                                                      |
 * | of one of whom nothing can be told     | refused: on another host, in a container, by another system  |
 * | of one that is dead                    | removed, then taken as if there were none                    |
 * | a file that names no owner             | refused: cut off, or of a later version                      |
 *
 * A lock comes into being whole, by a link to a file that is written already, so that whoever is killed leaves none or
 * a readable one. Who removes a lock of somebody dead holds a lock for that first, named for the removed one: of two
 * that find it at the same time, the slower one must not remove what the faster one has taken since.
 */
export class FolderLocks implements Locks {
  readonly #options: FolderLocksOptions

  constructor(options: FolderLocksOptions) {
    this.#options = options
  }

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
        // Where there are no links, it may be about to be written.
        await runtime.sleep(waitMs)
      }
    }
    throw new LockError(`the lock "${path}" comes and goes; try again`)
  }

  /** Who holds the lock of a target and runs on this machine, as far as that can be told. */
  async runningOwner(target: Target): Promise<LockOwner | undefined> {
    const { folder, processes } = this.#options
    const owner = await read(join(folder, lockName(target)))
    if (!owner || owner === 'gone') return undefined
    return (await ownerState(owner, processes)) === 'running' ? owner : undefined
  }

  /** All locks of the folder; none where there is no folder. */
  async list(): Promise<FoundLock[]> {
    const { folder } = this.#options
    const names = await namesIn(folder)
    const paths = names.filter(name => lockNamePattern.test(name)).map(name => join(folder, name))
    const found = await Promise.all(paths.map(async path => ({ path, owner: await read(path) })))
    return found.flatMap(({ path, owner }) => (owner === 'gone' ? [] : [{ path, owner }]))
  }

  /** Takes a lock away from whoever has it, as long as it is still the one that was found. */
  async remove({ path, owner }: FoundLock): Promise<'removed' | 'changed'> {
    const { folder } = this.#options
    const now = await read(path)
    if (now === 'gone' || now?.id !== owner?.id) return 'changed'
    await failing(path, 'removed', () => unlinkAny(path))
    // What was left by somebody who was killed while they removed it.
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

  /** Puts the file of a lock where there is none; false where there is one. */
  async #place(path: string, owner: LockOwner): Promise<boolean> {
    const { link = linkFile } = this.#options
    const { hide = (text: string) => text } = this.#options
    const text = hide(lockFileText(owner))
    const draft = `${path}.${owner.id}.new`
    try {
      await writeWhole(draft, text)
      try {
        await link(draft, path)
      } finally {
        await unlinkAny(draft)
      }
      return true
    } catch (error) {
      const code = codeOf(error, 'unknown reason')
      if (isTaken(code)) return false
      if (withoutLinks.has(code)) return placeDirectly(path, text)
      throw cannotBe('made', path, code)
    }
  }

  /** False while somebody else is about to remove it. */
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

/** Each attempt after the first means that another process has taken or given back the lock in the meantime. */
const mostAttempts = 100
const attemptsToRead = 5
const waitMs = 20

/** Names, a process and a time, in bytes. */
const largestLock = 64 * 1024

const lockNamePattern = /^lock-[0-9a-f]{12}$/

function lockName(target: Target): string {
  return `lock-${createHash('sha256').update(targetIdentity(target)).digest('hex').slice(0, 12)}`
}

/** What a file system says that has no links. */
const withoutLinks = new Set(['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK'])

async function placeDirectly(path: string, text: string): Promise<boolean> {
  try {
    await writeWhole(path, text)
    return true
  } catch (error) {
    const code = codeOf(error, 'unknown reason')
    if (isTaken(code)) return false
    throw cannotBe('made', path, code)
  }
}

/** By a lock; or by somebody who was done and has taken the empty folder away. */
function isTaken(code: string): boolean {
  return code === 'EEXIST' || code === 'ENOENT'
}

/** Writes a new file, or none. Colleagues with whom the folder is shared have to learn who holds the lock. */
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
    // A folder, a device, more than anybody writes there, or another encoding.
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
    throw new LockError(`the locks in "${folder}" cannot be listed (${code})`)
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

function cannotBe(verb: 'made' | 'read' | 'removed', path: string, code: string): LockError {
  const otherwise = verb === 'removed' ? 'remove it by hand' : 'nothing is written to the service without it'
  return new LockError(`the lock "${path}" cannot be ${verb} (${code}); ${otherwise}`)
}
