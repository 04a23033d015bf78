import { constants } from 'node:fs'
import { copyFile, link, mkdir, open, readdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { mebibytes } from './limits.ts'

/** A file that is no readable text: missing, not a file, too large. The message completes "the file ...". */
export class FileError extends Error {
  override readonly name = 'FileError'
  /** The system's own code, or `not_a_file` or `too_large`. */
  readonly code: string
  /** The problem, without the remedy. */
  readonly reason: string
  /** The remedy, if it is always the same; the message ends with it. */
  readonly remedy: string | undefined

  constructor(code: string, reason: string, remedy?: string) {
    super(remedy === undefined ? reason : `${reason}; ${remedy}`)
    this.code = code
    this.reason = reason
    this.remedy = remedy
  }
}

/**
 * Reads a whole file, and only a regular file, also behind a symbolic link: reading a pipe could wait
 * forever, and a device never ends. Never more than the limit. Throws a `FileError`.
 */
export async function readRegularFile(path: string, mostBytes: number): Promise<Buffer> {
  try {
    // Without this flag (0 on Windows, where it is unknown) opening a pipe without a writer would block.
    const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    try {
      const found = await file.stat()
      if (found.isDirectory()) throw new FileError('EISDIR', 'is a folder')
      if (!found.isFile()) throw new FileError('not_a_file', 'is a pipe or a device, and no file')
      if (found.size > mostBytes) throw tooLarge(found.size, mostBytes)
      // Files of the system itself report size 0, and only those are read to their end.
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

/** The same for bytes that are already read. */
export function textFrom(bytes: Uint8Array): string {
  if (isMarkedUtf16(bytes)) throw new FileError('not_utf8', 'is UTF-16, as PowerShell 5 writes it', saveAgain)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new FileError('not_utf8', 'is not UTF-8 text', saveAgain)
  }
}

/** Whether bytes begin with a byte order mark of UTF-16. */
export function isMarkedUtf16([first, second]: Uint8Array): boolean {
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)
}

/** The names in a folder, none if it does not exist. Throws a `FileError` if it cannot be listed. */
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
 * Creates a folder and its missing parents; returns the outermost one that it created. An existing folder is
 * not changed. `mode` sets the permissions of the created ones. Node's own `recursive` never returns if a
 * file system answers "no such folder" to every attempt, like `/proc`.
 */
export async function makeFolder(path: string, mode?: number): Promise<string | undefined> {
  if (await makeOne(path, mode)) return path
  if (await isFolder(path)) return undefined
  const above = dirname(path)
  const outermost = above === path ? undefined : await makeFolder(above, mode)
  if (await makeOne(path, mode, isFinal)) return outermost ?? path
  // Another process has created it meanwhile, or something else is there: a file, or a broken link.
  if ((await stat(path)).isDirectory()) return outermost
  throw Object.assign(new Error(`"${path}" is no folder`), { code: 'ENOTDIR' })
}

const isFinal = true

/** False if it already exists, or its parent is missing. */
async function makeOne(path: string, mode: number | undefined, isLast = false): Promise<boolean> {
  try {
    await mkdir(path, { mode })
    return true
  } catch (error) {
    const code = codeOf(error, '')
    if (code === 'EEXIST' || (code === 'ENOENT' && !isLast)) return false
    // A read-only root reports this error even for folders that exist.
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
 * Renames a whole file. Fails if the target exists or appears meanwhile, which a plain rename would
 * overwrite. File systems without links copy, and fail in the same cases.
 */
export async function linkOrCopy(from: string, to: string): Promise<void> {
  try {
    await link(from, to)
  } catch (error) {
    if (codeOf(error, '') === 'EEXIST') throw error
    await copyFile(from, to, constants.COPYFILE_EXCL)
  }
}

/** The system's code for a failure, such as `ENOENT`; other words if it has no code. */
export function codeOf(error: unknown, otherwise: string): string {
  return error instanceof Error && 'code' in error ? String(error.code) : otherwise
}
