import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { mebibytes } from '../limits.ts'
import { codeOf } from './error-code.ts'

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
