import { FileError, readRegularFile } from './read-regular-file.ts'

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
