import { readFile, stat } from 'node:fs/promises'
import { codeOf } from '../model/error-code.ts'
import type { Problem } from '../model/problem.ts'

/** The largest file that is read. 10,000 flags take a third of it. */
export const largestFile = 16 * 1024 * 1024

export type ReadText = { readonly text: string } | { readonly problem: Problem }

/** Reads a file as text. `path` is where it is, `file` what people know it as. Looks at the size before reading. */
export async function readText(path: string, file: string): Promise<ReadText> {
  try {
    const found = await stat(path)
    // A pipe or a device would never end.
    if (!found.isFile()) return problem(file, 'unreadable-file', 'this is not a file', 'name a file')
    if (found.size > largestFile) {
      const size = `${Math.round(found.size / 1024 / 1024)} MiB`
      return problem(
        file,
        'file-too-large',
        `this file has ${size}, more than the 16 MiB that are read`,
        'split it',
      )
    }
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(await readFile(path)) }
  } catch (error) {
    if (error instanceof TypeError)
      return problem(file, 'not-utf8', 'this file is not UTF-8 text', 'save it with the encoding UTF-8')
    const why = codeOf(error, 'unknown reason')
    return problem(
      file,
      'unreadable-file',
      `this file cannot be read (${why})`,
      'check its name and permissions',
    )
  }
}

function problem(file: string, code: string, message: string, hint: string): ReadText {
  return { problem: { code, severity: 'error', message, hint, source: { file, line: 1, column: 1 } } }
}
