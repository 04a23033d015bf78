import { constants } from 'node:fs'
import { copyFile, link, mkdir, open, readdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { mebibytes } from './limits.ts'

/** A file that cannot be taken as a text: missing, of another sort, too large. The message completes "the file ...". */
export class FileError extends Error {
  override readonly name = 'FileError'
  /** The system's own code, or `not_a_file` or `too_large`. */
  readonly code: string
  /** What is wrong with it, without what to do about it. */
  readonly reason: string
  /** What to do about it, where that is always the same; the message ends with it. */
  readonly remedy: string | undefined

  constructor(code: string, reason: string, remedy?: string) {
    super(remedy === undefined ? reason : `${reason}; ${remedy}`)
    this.code = code
    this.reason = reason
    this.remedy = remedy
  }
}

/**
 * Reads a whole file, and only a file: a pipe would be waited for and a device never ends, also behind a symbolic
 * link. Never more than the limit. Throws a `FileError`.
 */
export async function readRegularFile(path: string, mostBytes: number): Promise<Buffer> {
  try {
    // Without this flag (unknown on Windows, where it is 0) a pipe that nobody writes to would hold up the opening.
    const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    try {
      const found = await file.stat()
      if (found.isDirectory()) throw new FileError('EISDIR', 'is a folder')
      if (!found.isFile()) throw new FileError('not_a_file', 'is a pipe or a device, and no file')
      if (found.size > mostBytes) throw tooLarge(found.size, mostBytes)
      // Files of the system itself say that they are empty, and only those are read to their end.
      if (found.size > 0) return await file.readFile()
      const chunks: Buffer[] = []
      for await (const chunk of file.createReadStream({ start: 0, end: mostBytes, autoClose: false })) {
        chunks.push(chunk)
      }
      const bytes = Buffer.concat(chunks)
      if (bytes.length > mostBytes) throw tooLarge(bytes.length, mostBytes)
      return bytes
    } finally {
      await file.close()
    }
  } catch (error) {
    if (error instanceof FileError) throw error
    const code = codeOf(error, 'unknown reason')
    throw new FileError(code, `cannot be read (${code})`)
  }
}

function tooLarge(size: number, most: number): FileError {
  const [has, may] = most < 1024 * 1024 ? [`${size} bytes`, `${most}`] : [mebibytes(size), mebibytes(most)]
  return new FileError('too_large', `has ${has}, more than the ${may} that are read`)
}

/** Reads a file as text in UTF-8, without the byte order mark that an editor may have put before it. Throws a `FileError`. */
export async function readTextFile(path: string, mostBytes: number): Promise<string> {
  return textFrom(await readRegularFile(path, mostBytes))
}

const saveAgain = 'save it as UTF-8'

/** The same of bytes that are read already. */
export function textFrom(bytes: Uint8Array): string {
  if (isMarkedUtf16(bytes)) throw new FileError('not_utf8', 'is UTF-16, as PowerShell 5 writes it', saveAgain)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new FileError('not_utf8', 'is not UTF-8 text', saveAgain)
  }
}

/** Whether bytes begin with a mark of the byte order of UTF-16. */
export function isMarkedUtf16([first, second]: Uint8Array): boolean {
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)
}

/** The names in a folder, none where there is no such folder. Throws a `FileError` where it cannot be listed. */
export async function listFolder(path: string): Promise<readonly string[]> {
  try {
    return await readdir(path)
  } catch (error) {
    const code = codeOf(error, 'unknown reason')
    if (code === 'ENOENT' || code === 'ENOTDIR') return []
    throw new FileError(code, `cannot be listed (${code})`)
  }
}

/**
 * Makes a folder and those above it; answers with the outermost one that had to be made. One that is there already is left as it is.
 * `mode` says who may do what in those that are made.
 * Node's own `recursive` never comes back where a file system answers "no such folder" to every attempt, as `/proc` does.
 */
export async function makeFolder(path: string, mode?: number): Promise<string | undefined> {
  if (await makeOne(path, mode)) return path
  if (await isFolder(path)) return undefined
  const above = dirname(path)
  const outermost = above === path ? undefined : await makeFolder(above, mode)
  if (await makeOne(path, mode, isFinal)) return outermost ?? path
  // Somebody else has made it in the meantime, or something else is there: a file, or a link that leads nowhere.
  if ((await stat(path)).isDirectory()) return outermost
  throw Object.assign(new Error(`"${path}" is no folder`), { code: 'ENOTDIR' })
}

const isFinal = true

/** False where it is there already, or what is above it is missing. */
async function makeOne(path: string, mode: number | undefined, isLast = false): Promise<boolean> {
  try {
    await mkdir(path, { mode })
    return true
  } catch (error) {
    const code = codeOf(error, '')
    if (code === 'EEXIST' || (code === 'ENOENT' && !isLast)) return false
    // A root that cannot be written says so even of folders that are there.
    if (
      (code === 'EROFS' || code === 'EACCES' || code === 'EPERM' || code === 'EISDIR') &&
      (await isFolder(path))
    )
      return false
    throw error
  }
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    found => found.isDirectory(),
    () => false,
  )
}

/**
 * Gives a whole file another name, and fails where something is there or has come meanwhile, which a renaming would
 * take the place of. File systems that know no links copy, and fail as well.
 */
export async function linkOrCopy(from: string, to: string): Promise<void> {
  try {
    await link(from, to)
  } catch (error) {
    if (codeOf(error, '') === 'EEXIST') throw error
    await copyFile(from, to, constants.COPYFILE_EXCL)
  }
}

/** What the system called a failure, such as `ENOENT`; other words for one that has no code. */
export function codeOf(error: unknown, otherwise: string): string {
  return error instanceof Error && 'code' in error ? String(error.code) : otherwise
}
