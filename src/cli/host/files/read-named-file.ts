import { resolve } from 'node:path'
import { FileError } from '../../../model/files/read-regular-file.ts'
import { readTextFile, textFrom } from '../../../model/files/read-text-file.ts'
import { CommandError } from '../exit-code.ts'
import type { Host } from '../host.ts'

/** The text of a file that the command line names; what cannot be read ends the command in one line. */
export function readNamedFile(
  { directory }: Host,
  what: string,
  path: string,
  mostBytes: number,
): Promise<string> {
  return named(what, () => readTextFile(resolve(directory, path), mostBytes))
}

/** The same of standard input. */
export function readInput({ readStdin }: Host): Promise<string> {
  return named('standard input', async () => textFrom(await readStdin()))
}

async function named(what: string, read: () => Promise<string>): Promise<string> {
  try {
    return await read()
  } catch (error) {
    throw error instanceof FileError ? new CommandError(`${what} ${error.message}`) : error
  }
}
