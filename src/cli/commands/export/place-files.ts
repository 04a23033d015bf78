import { rmdir, unlink, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { codeOf } from '../../../model/files/error-code.ts'
import { linkOrCopy } from '../../../model/files/link-or-copy.ts'
import { makeFolder } from '../../../model/files/make-folder.ts'
import { readRegularFile } from '../../../model/files/read-regular-file.ts'
import { CommandError } from '../../host/exit-code.ts'

/** A file that is to be there, whole. */
export interface NewFile {
  readonly path: string
  readonly text: string
  /** It may be there already with this very text: an export that was killed has left it. */
  readonly isShared?: boolean
}

/**
 * Puts new files where nothing is yet, all of them or none: what is there may be somebody's work, and is never
 * overwritten. Each file is written whole under a name that nobody reads before the first one gets its own name, so a
 * full disk leaves nothing; what fails later is taken back, folders included. A kill can leave some of the files, each
 * of them whole, the later ones of the list only with the earlier ones.
 */
export async function placeFiles(
  files: readonly NewFile[],
  uniqueId: string,
  place: (from: string, to: string) => Promise<void> = linkOrCopy,
): Promise<void> {
  const states = await Promise.all(files.map(stateOf))
  const taken = files.find((_, index) => states[index] === 'taken')
  if (taken) throw takenError(taken.path)
  const missing = files.filter((_, index) => states[index] === 'free')
  const folders: string[] = []
  const placed: string[] = []
  const unfinished: string[] = []
  let current = ''
  try {
    for (const { path, text } of missing) {
      current = path
      folders.push(...(await makeFolders(dirname(path))))
      const draft = join(dirname(path), `.${basename(path)}.${uniqueId}.unfinished`)
      unfinished.push(draft)
      await writeFile(draft, text, { flag: 'wx' })
    }
    for (const [index, { path }] of missing.entries()) {
      current = path
      await place(unfinished[index] ?? '', path)
      placed.push(path)
    }
    await removeAll(unfinished, unlink)
  } catch (error) {
    await removeAll([...unfinished, ...placed], unlink)
    await removeAll(folders.reverse(), rmdir)
    const why = codeOf(error, '')
    if (why === '') throw error
    throw why === 'EEXIST' && unfinished.length === missing.length
      ? takenError(current)
      : new CommandError(`"${current}" cannot be written (${why}); nothing was written`)
  }
}

function takenError(path: string): CommandError {
  return new CommandError(`"${path}" is there already; export into an empty folder`)
}

async function stateOf({ path, text, isShared = false }: NewFile): Promise<'free' | 'taken' | 'there'> {
  try {
    const there = await readRegularFile(path, Buffer.byteLength(text))
    return isShared && String(there) === text ? 'there' : 'taken'
  } catch (error) {
    return codeOf(error, '') === 'ENOENT' ? 'free' : whatever(error)
  }
}

/** Where a folder stands in place of a file, or a file in place of its folder. */
function whatever(error: unknown): 'free' | 'taken' {
  // That it cannot be made is told when it is.
  return codeOf(error, '') === 'ENOTDIR' ? 'free' : 'taken'
}

/** Makes a folder and those around it; answers with the new ones, the outermost first. */
async function makeFolders(folder: string): Promise<string[]> {
  const first = await makeFolder(folder)
  if (first === undefined) return []
  const made: string[] = []
  for (let path = folder; path.length >= first.length; path = dirname(path)) made.unshift(path)
  return made
}

/** What is gone already, or holds what others have put there, is left. */
async function removeAll(paths: readonly string[], remove: (path: string) => Promise<void>): Promise<void> {
  for (const path of paths) await remove(path).catch(() => {})
}
