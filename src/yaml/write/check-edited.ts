import { chmod, realpath, rename, stat, unlink, writeFile } from 'node:fs/promises'
import { basename, dirname, join, sep } from 'node:path'
import { byteOrderMark } from '../../hcl/json.ts'
import { codeOf, FileError, readRegularFile } from '../../model/files.ts'
import { largestFile } from '../../model/limits.ts'
import type { Problem } from '../../model/problem.ts'
import type { JsonObject } from '../../model/text/json.ts'
import type { FileDeclarations } from '../declaration.ts'
import type { RepositoryOptions } from '../read/open-folder.ts'
import { readDeclared } from '../read-repository.ts'
import { type DescribedChange, declarationOverride, type EditedFile, writtenIn } from './edit-declarations.ts'

interface CheckedEdit {
  readonly problems: readonly Problem[]
  readonly texts: ReadonlyMap<string, string>
  readonly declared: readonly FileDeclarations[]
}

/**
 * Reads a repository as it would be with edited files. Returns its problems then (every error, and each
 * object with an unintended meaning) and its declarations.
 */
export async function checkEdited(
  options: RepositoryOptions,
  { files, changes }: { readonly files: readonly EditedFile[]; readonly changes: readonly DescribedChange[] },
): Promise<CheckedEdit> {
  const unwritten = new Map(files.map(({ file, after }) => [file, after]))
  const { problems, declared, texts } = await readDeclared({ ...options, unwritten })
  const errors = problems.filter(({ severity }) => severity === 'error')
  if (errors.length > 0) return { problems: errors, texts, declared }
  const objects = new Map(
    declared.flatMap(file => file.objects.map(object => [placeIn(object), object] as const)),
  )
  const missed = changes.filter(({ declaration, environment, wanted, others = [] }) => {
    const object = objects.get(placeIn(declaration))
    const isListed = environment === undefined || object?.only === undefined || object.only.has(environment)
    const saysNot = ([name, members]: readonly [string | undefined, JsonObject]) => {
      const left = object && declarationOverride(object, writtenIn(object, name), members)
      return left === undefined || Object.keys(left).length > 0
    }
    return !isListed || saysNot([environment, wanted]) || [...others].some(saysNot)
  })
  return { problems: missed.map(({ declaration }) => notMeant(declaration)), texts, declared }
}

/** An object may be declared in several places, for different environments. */
function placeIn({ file, base }: DescribedChange['declaration']): string {
  return JSON.stringify([file.parsed.file, base.pointer])
}

function notMeant({ address, file, base }: DescribedChange['declaration']): Problem {
  return {
    code: 'not-edited',
    severity: 'error',
    message: 'this would not say what is meant after the change, so nothing is written',
    hint: 'change it by hand',
    source: file.parsed.locate(base.pointer, 'key'),
    address,
  }
}

/**
 * Gives files of a repository new texts, or removes them, all of them or none. Each text is written whole
 * beside its file, under a name that no other edit can use at the same time. Then it replaces the file and
 * keeps its permissions. A later failure restores the earlier files. A file outside of the repository, or one
 * that has changed since it was read, stops all. Throws a `FileError`.
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
  /** The byte order mark, which is not part of a text. */
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
