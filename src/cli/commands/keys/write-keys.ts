import { rename, unlink, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { madeOfKeys } from '../../../code/typed/language.ts'
import { codeOf } from '../../../model/files/error-code.ts'
import { makeFolder } from '../../../model/files/make-folder.ts'
import { FileError } from '../../../model/files/read-regular-file.ts'
import { readTextFile } from '../../../model/files/read-text-file.ts'
import { largestFile } from '../../../model/limits.ts'
import { escapeText } from '../../../model/text/escape-text.ts'
import { CommandError } from '../../host/exit-code.ts'

/** The text of a file of typed keys as it is, with the line ends of Unix; undefined where there is none. */
export async function readKeys(path: string, shown: string): Promise<string | undefined> {
  try {
    // git may have given them those of Windows.
    return (await readTextFile(path, largestFile)).replaceAll('\r\n', '\n')
  } catch (error) {
    if (!(error instanceof FileError)) throw error
    if (error.code === 'ENOENT') return undefined
    throw new CommandError(`"${escapeText(shown)}" ${error.message}`)
  }
}

/** Writes typed keys: a new file, or in place of an empty one or of earlier keys. What somebody wrote stays as it is. */
export async function writeKeys(
  path: string,
  {
    shown,
    before,
    text,
    uniqueId,
  }: Readonly<Record<'shown' | 'text' | 'uniqueId', string>> & { before?: string },
): Promise<void> {
  if (before !== undefined && before.trim() !== '' && !before.slice(0, 200).includes(madeOfKeys))
    throw new CommandError(
      `"${escapeText(shown)}" was not made by vexil keys, and is left as it is; name another file`,
    )
  const draft = join(dirname(path), `.${basename(path)}.${uniqueId}.unfinished`)
  try {
    await makeFolder(dirname(path))
    await writeFile(draft, text, { flag: 'wx' })
    await rename(draft, path)
  } catch (error) {
    await unlink(draft).catch(() => {})
    throw new CommandError(`"${escapeText(shown)}" cannot be written (${codeOf(error, 'unknown reason')})`)
  }
}
