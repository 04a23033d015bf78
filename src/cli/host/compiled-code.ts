import { lstatSync, readFileSync, type Stats, statSync } from 'node:fs'
import { readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import { Script } from 'node:vm'
import { crc32 } from 'node:zlib'
import { makeFolder } from '../../model/files.ts'
import { type ExitCode, exitCode } from './exit-code.ts'

/** The compiled bytes of a chunk, and a checksum of the chunk's text and these bytes. */
interface CompiledChunk {
  readonly code: Buffer
  readonly checksum: number
}

/** The compiled code that earlier commands have stored. */
interface CompiledCode {
  /** The commands whose functions it contains. */
  readonly commands: readonly string[]
  readonly chunks: ReadonlyMap<string, CompiledChunk>
}

export const noCode: CompiledCode = { commands: [], chunks: new Map() }

/** Empty if the file is missing or invalid. Checksums are compared when a chunk is loaded. */
export function readCompiledFile(path: string): CompiledCode {
  try {
    const { commands, chunks }: CompiledCode = deserialize(readFileSync(path))
    return { commands: [...commands], chunks: new Map(chunks) }
  } catch {
    return noCode
  }
}

export interface GivenChunks {
  readonly folder: string
  readonly kept: CompiledCode
  readonly command: string
  readonly require: (name: string) => unknown
}

interface Loaded {
  readonly script: Script
  /** The checksum of the text. */
  readonly checksum: number
  exports: unknown
}

/**
 * The chunks of the program, loaded with stored compiled code.
 *
 * The engine compiles a function at its first call. Its own cache (`module.enableCompileCache`) has only
 * functions that were compiled while a file was loaded. This cache is written when a command ends, so it has
 * all functions that ran.
 *
 * | the stored code of a chunk             | what a command does                       |
 * |----------------------------------------|-------------------------------------------|
 * | is complete, and the engine accepts it | runs it                                   |
 * | is missing, or the engine refuses it   | compiles the chunk, and stores the result |
 * | is only from other commands            | runs it, and adds its own functions       |
 */
export class CompiledChunks {
  readonly #given: GivenChunks
  readonly #loaded = new Map<string, Loaded>()
  #isComplete: boolean

  constructor(given: GivenChunks) {
    this.#given = given
    this.#isComplete = given.kept.commands.includes(given.command)
  }

  load(name: string): unknown {
    const before = this.#loaded.get(name)
    if (before !== undefined) return before.exports
    const filename = join(this.#given.folder, name)
    const loaded = this.#compile(name, filename)
    this.#loaded.set(name, loaded)
    const requireFrom = (asked: string) =>
      asked.startsWith('./') ? this.load(basename(asked)) : this.#given.require(asked)
    loaded.script.runInThisContext()(requireFrom, loaded, filename, this.#given.folder)
    return loaded.exports
  }

  /** Whether this command has compiled functions that the file lacks. */
  hasMore(): boolean {
    return !this.#isComplete
  }

  /** The new content of the file. */
  toKeep(): Buffer {
    const { command, kept } = this.#given
    const compiled = [...this.#loaded].map(([name, { script, checksum }]): [string, CompiledChunk] => {
      const code = script.createCachedData()
      return [name, { code, checksum: crc32(code, checksum) }]
    })
    return serialize({
      commands: [...new Set([...kept.commands, command])],
      chunks: new Map([...kept.chunks, ...compiled]),
    } satisfies CompiledCode)
  }

  #compile(name: string, filename: string): Loaded {
    const text = readFileSync(filename)
    const checksum = crc32(text)
    const kept = this.#given.kept.chunks.get(name)
    const isWhole = kept !== undefined && crc32(kept.code, checksum) === kept.checksum
    // The build writes only ASCII, which is faster to read as latin1.
    const script = new Script(
      `(function(require,module,__filename,__dirname){${text.toString('latin1')}\n})`,
      {
        filename,
        cachedData: isWhole ? kept.code : undefined,
      },
    )
    if (!isWhole || script.cachedDataRejected) this.#isComplete = false
    return { script, checksum, exports: {} }
  }
}

/** What is known about the process before any command code is loaded. */
export interface Start {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly platform: NodeJS.Platform
  /** The engine's version and what it is compiled for: `v24.1.0-x64`. */
  readonly engine: string
  /** Undefined if the system has no user ids. */
  readonly userId: number | undefined
  /** The file that was started. */
  readonly program: string
  /** Differs for each text of the program. */
  readonly digest: string
}

/**
 * The folder for compiled code of this program; undefined if nothing is stored. Commands run this code, so no
 * other user may have write access. Failures are not reported, because commands work without it.
 */
export function compiledFolder(start: Start): string | undefined {
  if (deciding.some(name => start.env[name])) return undefined
  try {
    const above = folderOfUser(start)
    if (above === undefined) return undefined
    // One folder for each installation and engine, so that unused ones can be removed.
    const digest = crc32(`${start.program}\n${start.digest}`).toString(16).padStart(8, '0')
    const folder = join(above, `${start.engine}-${digest}`)
    return statusOf(folder) === undefined || isOwnFolder(folder, start) ? folder : undefined
  } catch {
    // The home cannot be read: the command compiles its code.
    return undefined
  }
}

/** Whether a folder and its parent belong to this user, are not writable by others, and are not links. */
export function isOwnFolder(folder: string, { userId }: Pick<Start, 'userId'>): boolean {
  return [dirname(folder), folder].every(path => {
    const found = statusOf(path)
    if (!found?.isDirectory() || !isOfUser(found, userId)) return false
    return userId === undefined || (found.mode & 0o022) === 0
  })
}

/** Variables that control Node's own cache, or measure coverage, which misses cached code. */
const deciding = ['NODE_COMPILE_CACHE', 'NODE_DISABLE_COMPILE_CACHE', 'NODE_V8_COVERAGE']

/**
 * The folder for all compiled code, by the conventions of the system; undefined if this user has none. With
 * `sudo`, the home may belong to another user; in a container, it may be the root of the file system.
 */
function folderOfUser(start: Start): string | undefined {
  const { env, platform } = start
  const [base, below] =
    platform === 'win32'
      ? [env.LOCALAPPDATA, []]
      : env.XDG_CACHE_HOME
        ? [env.XDG_CACHE_HOME, []]
        : [env.HOME, ['.cache']]
  if (!base || !isAbsolute(base)) return undefined
  const found = statSync(base, { throwIfNoEntry: false })
  return found?.isDirectory() && isOfUser(found, start.userId)
    ? join(base, ...below, 'vexil', 'compiled')
    : undefined
}

function statusOf(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false })
}

function isOfUser({ uid }: Stats, userId: number | undefined): boolean {
  return userId === undefined || uid === userId
}

/** Exit codes of commands that may have run little of their code. */
const cutShort: readonly ExitCode[] = [
  exitCode.error,
  exitCode.usage,
  exitCode.interrupted,
  exitCode.terminated,
]

/** Stores compiled code for later commands, if only this user can write to the folder. */
export async function keepCompiled(given: {
  readonly chunks: Pick<CompiledChunks, 'hasMore' | 'toKeep'>
  readonly file: string
  readonly code: ExitCode
  readonly user: Pick<Start, 'userId'>
  readonly pid: number
}): Promise<void> {
  const { chunks, file, code, user, pid } = given
  if (cutShort.includes(code)) return
  const written = `${file}.${pid}`
  try {
    if (!chunks.hasMore()) return
    const folder = dirname(file)
    if (!isOwnFolder(folder, user)) await makeCompiledFolder(folder)
    if (!isOwnFolder(folder, user)) return
    // Renaming is atomic: other commands read either the old or the new file.
    await writeFile(written, chunks.toKeep(), { flag: 'wx', mode: 0o600 })
    await rename(written, file)
  } catch {
    // The home is not writable or the disk is full: later commands compile their code.
    await rm(written, { force: true }).catch(() => undefined)
  }
}

/** By the major version of V8: V8 optimizes functions nine times later than by default. */
const flags: Readonly<Record<string, string>> = {
  // Node 20, in bytes of bytecode.
  '11': '--interrupt-budget=600000',
  // Node 22. In calls; the default is 3,000.
  '12': '--invocation-count-for-turbofan=27000',
}

/**
 * Flags that delay the optimization of functions, which costs a short process more than it gains. Later
 * versions of V8 have a fast first compiler and do not need this.
 */
export function lateOptimizing(v8: string): readonly string[] {
  const flag = flags[v8.split('.')[0] ?? '']
  return flag === undefined ? [] : [flag]
}

/** How many other folders are kept; each takes 1 to 5 MB. */
const mostOthers = 3

/**
 * Makes a folder for compiled code, which only this user may use. Removes old folders of other installations
 * and engines.
 */
async function makeCompiledFolder(folder: string): Promise<void> {
  await makeFolder(folder, 0o700)
  const above = dirname(folder)
  const isOurs = /^v\d+\.\d+\.\d+\S*-[0-9a-f]{8}$/
  const names = (await readdir(above)).filter(name => isOurs.test(name) && name !== basename(folder))
  const others = await Promise.all(
    names.map(async name => {
      const path = join(above, name)
      // Another command may remove the folder at the same time.
      const { birthtimeMs, mtimeMs } = await stat(path).catch(() => ({ birthtimeMs: 0, mtimeMs: 0 }))
      return { path, ms: Math.max(birthtimeMs, mtimeMs) }
    }),
  )
  const old = others.sort((left, right) => right.ms - left.ms).slice(mostOthers)
  await Promise.all(old.map(({ path }) => rm(path, { recursive: true, force: true })))
}
