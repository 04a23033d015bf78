import { FileError, textFrom } from '../../model/files.ts'
import { largestFile } from '../../model/limits.ts'
import type { Problem } from '../../model/problem.ts'
import type { FileTree } from './file-tree.ts'

export type ReadText = { readonly text: string } | { readonly problem: Problem }

/** Reads a file as text. `path` is where it is, `name` what people know it as. Looks at the size before reading. */
export async function readText(
  tree: FileTree,
  { path, name: file }: { readonly path: string; readonly name: string },
): Promise<ReadText> {
  try {
    return { text: textFrom(await tree.read(path, largestFile)) }
  } catch (error) {
    if (!(error instanceof FileError)) throw error
    const { code, reason, remedy } = error
    if (code === 'EISDIR' || code === 'not_a_file')
      return problem(file, 'unreadable-file', 'this is not a file', 'name a file')
    if (code === 'too_large') return problem(file, 'file-too-large', `this file ${reason}`, 'split it')
    const name = code === 'not_utf8' ? 'not-utf8' : 'unreadable-file'
    return problem(file, name, `this file ${reason}`, remedy ?? 'check its name and permissions')
  }
}

function problem(file: string, code: string, message: string, hint: string): ReadText {
  return { problem: { code, severity: 'error', message, hint, source: { file, line: 1, column: 1 } } }
}
