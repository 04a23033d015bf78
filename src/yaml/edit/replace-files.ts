import { chmod, realpath, rename, stat, unlink, writeFile } from 'node:fs/promises'
import { basename, dirname, join, sep } from 'node:path'
import { byteOrderMark } from '../../hcl/json.ts'
import { codeOf, FileError, readRegularFile } from '../../model/files.ts'
import { largestFile } from '../../model/limits.ts'
import type { EditedFile } from './edit-declarations.ts'

/**
 * Gives files of a repository new texts, or removes them, all of them or none. Each text is written whole under a name of its own
 * beside the file, which no other edit can have at the same time, and takes the file's place with its permissions; what fails
 * later is taken back.
 * A file that leads out of the repository, or that is not as it was read, stops all. Throws a `FileError`.
 */
export async function replaceFiles(directory: string, files: readonly EditedFile[]): Promise<void> {
  const root = await realpath(directory)
  const drafts: Draft[] = []
  const placed: Draft[] = []
  try {
    for (const file of files) drafts.push(await draftOf(root, file))
    for (const draft of drafts) {
      if ((await textOf(draft.path)).text !== draft.file.before) throw changed(draft.file.file)
      await (draft.file.isRemoved ? unlink(draft.path) : rename(draft.draft, draft.path))
      placed.push(draft)
    }
    for (const { draft, file } of drafts) if (file.isRemoved) await unlink(draft).catch(() => {})
  } catch (error) {
    for (const { path, draft, file, mark } of placed) {
      await writeFile(draft, mark + file.before)
      await rename(draft, path)
    }
    for (const { draft } of drafts) await unlink(draft).catch(() => {})
    throw error
  }
}

interface Draft {
  readonly file: EditedFile
  readonly path: string
  readonly draft: string
  /** The mark of the byte order, which is no part of a text. */
  readonly mark: string
}

async function draftOf(root: string, file: EditedFile): Promise<Draft> {
  const path = await realpath(join(root, file.file)).catch(error => {
    throw new FileError(
      codeOf(error, 'unknown reason'),
      `"${file.file}" cannot be found; nothing was written`,
    )
  })
  if (!path.startsWith(root.endsWith(sep) ? root : root + sep))
    throw new FileError('outside', `"${file.file}" leads out of the repository; nothing was written`)
  const { text, mark } = await textOf(path)
  if (text !== file.before) throw changed(file.file)
  const draft = join(dirname(path), `.${basename(path)}.vexil-edit`)
  try {
    await writeFile(draft, mark + file.after, { flag: 'wx' })
  } catch (error) {
    const code = codeOf(error, 'unknown reason')
    const reason =
      code === 'EEXIST'
        ? `another command is editing it; if none is, remove "${draft}"`
        : `it cannot be written (${code})`
    throw new FileError(code, `"${file.file}": ${reason}; nothing was written`)
  }
  const { mode } = await stat(path)
  await chmod(draft, mode).catch(async error => {
    await unlink(draft).catch(() => {})
    throw error
  })
  return { file, path, draft, mark }
}

async function textOf(path: string): Promise<{ readonly text: string; readonly mark: string }> {
  const bytes = await readRegularFile(path, largestFile)
  const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  return text.startsWith(byteOrderMark)
    ? { text: text.slice(byteOrderMark.length), mark: byteOrderMark }
    : { text, mark: '' }
}

function changed(file: string): FileError {
  return new FileError('changed', `"${file}" was changed meanwhile; nothing was written; try again`)
}
