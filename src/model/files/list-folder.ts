import { readdir } from 'node:fs/promises'
import { codeOf } from './error-code.ts'
import { FileError } from './read-regular-file.ts'

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
