import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { codeOf } from '../../model/files/error-code.ts'

/** Bytes of a file that is searched: code that a person writes has fewer. */
export const largestCodeFile = 2 * 1024 * 1024

/** Why a file is not searched. `gone`: it is listed and not there. */
export type Unsearched = 'binary' | 'too_large' | 'link' | 'unreadable' | 'gone'

/** Reads files of code one after the other, all into the same memory: what is read is gone with the next one. */
export class CodeReader {
  readonly #memory = Buffer.allocUnsafe(largestCodeFile + 1)

  /**
   * The bytes of a file, or why it is not searched. A link is not followed, a pipe not waited for, and a file with a zero byte among
   * its first 8,000 is binary, as git has it.
   */
  read(path: string): Buffer | Unsearched {
    try {
      // Synchronous calls: for a hundred thousand small files the promises alone cost more than the reading. Windows
      // knows none of the last two flags, and has no such links in a work tree of git unless it is told to.
      const file = openSync(
        path,
        constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0),
      )
      try {
        return this.#readOpen(file)
      } finally {
        closeSync(file)
      }
    } catch (error) {
      const code = codeOf(error, '')
      if (code === 'ELOOP' || code === 'EMLINK') return 'link'
      return code === 'ENOENT' || code === 'ENOTDIR' ? 'gone' : 'unreadable'
    }
  }

  #readOpen(file: number): Buffer | Unsearched {
    const found = fstatSync(file)
    // A submodule is listed as a folder; its files are those of another repository.
    if (found.isDirectory()) return 'gone'
    if (!found.isFile()) return 'unreadable'
    if (found.size > largestCodeFile) return 'too_large'
    let length = 0
    for (;;) {
      const read = readSync(file, this.#memory, length, this.#memory.length - length, null)
      length += read
      // It grew while it was read.
      if (length > largestCodeFile) return 'too_large'
      // Files of the system itself say that they are empty, and only those are read to their end.
      if (read === 0 || length === found.size) break
    }
    const bytes = this.#memory.subarray(0, length)
    const zero = bytes.indexOf(0)
    return zero !== -1 && zero < 8000 ? 'binary' : bytes
  }
}
