import { lstatSync, type Stats, statSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'

/** What is known of the process before anything of a command is loaded. */
export interface Start {
  /** Has the engine keep there what it compiles, and take what it finds; undefined for engines that cannot. */
  readonly keepIn: ((folder: string) => unknown) | undefined
  readonly env: Readonly<Record<string, string | undefined>>
  readonly platform: NodeJS.Platform
  /** The engine's version: `v24.1.0`. */
  readonly engine: string
  /** Undefined where a system does not number its users. */
  readonly userId: number | undefined
  /** The file that was started. */
  readonly program: string
  /** It names the chunks that it loads, and these are named after what is in them. */
  readonly programText: () => string
}

/**
 * Has the engine keep what it compiles in a folder of this user's, so that later commands need not compile it again.
 * A command runs what is in that folder: it is used only where nobody else can write it. What stands in the way is
 * never told, as every command works without.
 */
export async function keepCompiled(start: Start): Promise<void> {
  const { keepIn, env } = start
  if (keepIn === undefined || isDecided(env)) return
  try {
    const above = folderOfUser(start)
    if (above === undefined) return
    const folder = join(above, nameFor(start))
    if (statusOf(folder) === undefined) {
      // Most commands find it made.
      const { makeCompiledFolder } = await import('./make-compiled-folder.ts')
      await makeCompiledFolder(folder)
    }
    if ([above, folder].every(path => isOwn(path, start))) keepIn(folder)
  } catch {
    // A home that cannot be written, a full disk: the command compiles what it needs.
  }
}

/** Whoever has said where Node keeps compiled code, or that it keeps none, has decided. What is compiled ahead would be missing in a coverage. */
function isDecided(env: Start['env']): boolean {
  return ['NODE_COMPILE_CACHE', 'NODE_DISABLE_COMPILE_CACHE', 'NODE_V8_COVERAGE'].some(name => env[name])
}

/**
 * The folder for everything that is kept compiled, by the rules of the system; undefined where there is none that is
 * this user's. With `sudo` the home may be somebody else's, in a container the root of the file system.
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
  return found?.isDirectory() && isOfUser(found, start)
    ? join(base, ...below, 'vexil', 'compiled')
    : undefined
}

function statusOf(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false })
}

/** Whether it is a folder of this user's in which nobody else can write. A link may lead anywhere. */
function isOwn(path: string, start: Start): boolean {
  const found = statusOf(path)
  if (!found?.isDirectory() || !isOfUser(found, start)) return false
  return start.userId === undefined || (found.mode & 0o022) === 0
}

function isOfUser({ uid }: Stats, { userId }: Start): boolean {
  return userId === undefined || uid === userId
}

/** A folder for each installation and engine, so that one that is no longer used can be removed as a whole. */
function nameFor({ engine, program, programText }: Start): string {
  return `${engine}-${digestOf(`${program}\n${programText()}`)}`
}

/** FNV-1a with 32 bits. Two installations with one digest share a folder, in which Node tells files apart. */
function digestOf(text: string): string {
  let digest = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) {
    digest = Math.imul(digest ^ text.charCodeAt(at), 0x01000193) >>> 0
  }
  return digest.toString(16).padStart(8, '0')
}
