import { lstatSync, type Stats, statSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'

/** What is known of the process before anything of a command is loaded. */
export interface Start {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly platform: NodeJS.Platform
  /** The engine's version and what it is compiled for: `v24.1.0-x64`. */
  readonly engine: string
  /** Undefined where a system does not number its users. */
  readonly userId: number | undefined
  /** The file that was started. */
  readonly program: string
  /** Another one for each other text of the program. */
  readonly digest: string
}

/**
 * The folder for what the engine compiles of this program, which may not have been made yet; undefined where nothing is
 * to be kept. A command runs what is in that folder: it is used only where nobody else can write it. What stands in the
 * way is never told, as every command works without.
 */
export function compiledFolder(start: Start): string | undefined {
  if (isDecided(start.env)) return undefined
  try {
    const above = folderOfUser(start)
    if (above === undefined) return undefined
    const folder = join(above, nameFor(start))
    return statusOf(folder) === undefined || isOwnFolder(folder, start) ? folder : undefined
  } catch {
    // A home that cannot be read: the command compiles what it needs.
    return undefined
  }
}

/** Whether such a folder and the one above it are there, are this user's, and can be written by nobody else. A link may lead anywhere. */
export function isOwnFolder(folder: string, { userId }: Pick<Start, 'userId'>): boolean {
  return [dirname(folder), folder].every(path => {
    const found = statusOf(path)
    if (!found?.isDirectory() || !isOfUser(found, userId)) return false
    return userId === undefined || (found.mode & 0o022) === 0
  })
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

/** A folder for each installation and engine, so that one that is no longer used can be removed as a whole. */
function nameFor({ engine, program, digest }: Start): string {
  return `${engine}-${digestOf(`${program}\n${digest}`)}`
}

/** FNV-1a with 32 bits. */
function digestOf(text: string): string {
  let digest = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) {
    digest = Math.imul(digest ^ text.charCodeAt(at), 0x01000193) >>> 0
  }
  return digest.toString(16).padStart(8, '0')
}
