import { constants } from 'node:fs'
import { copyFile, link, mkdir, open, readdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { mebibytes } from './limits.ts'

/**
 * A file that cannot be read as text: it is missing, is not a file, or is too large. The message continues
 * "the file ...".
 */
export class FileError extends Error {
  override readonly name = 'FileError'
  /** The system's error code, or `not_a_file` or `too_large`. */
  readonly code: string
  /** The problem, without the remedy. */
  readonly reason: string
  /** The remedy, if there is only one; the message ends with it. */
  readonly remedy: string | undefined

  constructor(code: string, reason: string, remedy?: string) {
    super(remedy === undefined ? reason : `${reason}; ${remedy}`)
    this.code = code
    this.reason = reason
    this.remedy = remedy
  }
}

/**
 * Reads a whole regular file, also through a symbolic link. Other files are refused, because reading a pipe
 * could wait forever, and a device never ends. Reads no more than the limit. Throws a `FileError`.
 */
export async function readRegularFile(path: string, mostBytes: number): Promise<Buffer> {
  try {
    // Without this flag, opening a pipe without a writer would block. On Windows the flag is unknown and 0.
    const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    try {
      const found = await file.stat()
      if (found.isDirectory()) throw new FileError('EISDIR', 'is a folder')
      if (!found.isFile()) throw new FileError('not_a_file', 'is a pipe or a device, not a file')
      if (found.size > mostBytes) throw tooLarge(found.size, mostBytes)
      // System files report size 0, and only they are read to their end.
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
  return new FileError('too_large', `has ${has}, more than the limit of ${may}`)
}

/** Reads a UTF-8 file as text, without the byte order mark that some editors add. Throws a `FileError`. */
export async function readTextFile(path: string, mostBytes: number): Promise<string> {
  return textFrom(await readRegularFile(path, mostBytes))
}

const saveAgain = 'save it as UTF-8'

/** Decodes bytes that are already read. */
export function textFrom(bytes: Uint8Array): string {
  if (isMarkedUtf16(bytes)) throw new FileError('not_utf8', 'is UTF-16, which PowerShell 5 writes', saveAgain)
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

/** The names in a folder; empty if the folder does not exist. Throws a `FileError` if it cannot be listed. */
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
 * Creates a folder and its missing parents, with the permissions `mode`. Returns the outermost created
 * folder. An existing folder is not changed. Node's own `recursive` never returns if a file system answers
 * "no such folder" to every attempt, as `/proc` does.
 */
export async function makeFolder(path: string, mode?: number): Promise<string | undefined> {
  if (await makeOne(path, mode)) return path
  if (await isFolder(path)) return undefined
  const above = dirname(path)
  const outermost = above === path ? undefined : await makeFolder(above, mode)
  if (await makeOne(path, mode, isFinal)) return outermost ?? path
  // Another process has created it meanwhile, or something else exists there: a file, or a broken link.
  if ((await stat(path)).isDirectory()) return outermost
  throw Object.assign(new Error(`"${path}" is not a folder`), { code: 'ENOTDIR' })
}

const isFinal = true

/** Returns false if the folder already exists, or its parent is missing. */
async function makeOne(path: string, mode: number | undefined, isLast = false): Promise<boolean> {
  try {
    await mkdir(path, { mode })
    return true
  } catch (error) {
    const code = codeOf(error, '')
    if (code === 'EEXIST' || (code === 'ENOENT' && !isLast)) return false
    // A read-only root reports this error even for existing folders.
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
 * Renames a complete file. Fails if the target exists or appears meanwhile, which a plain rename would
 * overwrite. On file systems without links it copies the file, and fails in the same cases.
 */
export async function linkOrCopy(from: string, to: string): Promise<void> {
  try {
    await link(from, to)
  } catch (error) {
    if (codeOf(error, '') === 'EEXIST') throw error
    await copyFile(from, to, constants.COPYFILE_EXCL)
  }
}

/** The system's error code, such as `ENOENT`; `otherwise` if there is none. */
export function codeOf(error: unknown, otherwise: string): string {
  return error instanceof Error && 'code' in error ? String(error.code) : otherwise
}
