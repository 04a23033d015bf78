import { resolve } from 'node:path'
import { FileError } from '../../model/files/read-regular-file.ts'
import { readTextFile } from '../../model/files/read-text-file.ts'
import { CommandError } from './exit-code.ts'
import type { Host } from './host.ts'

/** The text of a file that the command line names; what cannot be read ends the command in one line. */
export async function readNamedFile(
  { directory }: Host,
  what: string,
  path: string,
  mostBytes: number,
): Promise<string> {
  try {
    return await readTextFile(resolve(directory, path), mostBytes)
  } catch (error) {
    throw error instanceof FileError ? new CommandError(`${what} ${error.message}`) : error
  }
}
