import { chmod, realpath, rename, rmdir, stat, unlink, writeFile } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import type { Desired } from '../../core/desired.ts'
import { namesIn } from '../../core/flag-links.ts'
import { byteOrderMark } from '../../hcl/json.ts'
import { declarableKind } from '../../kinds/index.ts'
import { codeOf, linkOrCopy, makeFolder, readRegularFile } from '../../model/files.ts'
import { targetingField } from '../../model/kind.ts'
import { largestFile } from '../../model/limits.ts'
import type { Problem } from '../../model/problem.ts'
import { unifiedDiff } from '../../model/text/line-diff.ts'
import type { EditDocument } from '../../report/document.ts'
import { isFlagId, visible } from '../../targeting/index.ts'
import { chooseEnvironment } from '../../yaml/check/check-settings.ts'
import type { FileDeclarations } from '../../yaml/declaration.ts'
import type { DeclaredRepository, RepositoryOptions } from '../../yaml/index.ts'
import { placeDesired } from '../../yaml/resolve/resolve.ts'
import type { Environment } from '../../yaml/settings.ts'
import { checkEdited } from '../../yaml/write/check-edited.ts'
import {
  type DeclarationChange,
  type DescribedChange,
  type EditedFile,
  editDeclarations,
} from '../../yaml/write/edit-declarations.ts'
import type { Flags } from '../command-options.ts'
import { CommandError, exitCode, ProblemsError } from '../host/exit-code.ts'
import type { Host } from '../host/host.ts'
import { diffWithoutLines, locateProblems, mayHide } from '../repository/problems.ts'
import { nextPlan } from '../repository/repository-settings.ts'

export type EditableRepository = DeclaredRepository & { readonly options: RepositoryOptions }

interface WrittenChanges {
  readonly document: Omit<EditDocument, 'notes' | 'next'>
  readonly changes: readonly DescribedChange[]
  /** The declarations of the repository with these texts. */
  readonly declared: readonly FileDeclarations[]
}

/** Files after an edit, and the declarations of the repository with them. */
export interface CheckedChanges {
  readonly files: readonly EditedFile[]
  readonly changes: readonly DescribedChange[]
  readonly declared: readonly FileDeclarations[]
}

/**
 * Edits declarations in the texts of their files, without writing. Returns problems if the repository has
 * errors with the new texts, or does not declare the intended values.
 */
export async function checkChanges(
  { options, texts }: EditableRepository,
  changes: readonly DeclarationChange[],
): Promise<
  CheckedChanges | { readonly problems: readonly Problem[]; readonly texts: ReadonlyMap<string, string> }
> {
  const edited = editDeclarations(changes)
  if ('problems' in edited) return { problems: edited.problems, texts }
  const checked = await checkEdited(options, edited)
  return checked.problems.length > 0
    ? { problems: checked.problems, texts: checked.texts }
    : { ...edited, declared: checked.declared }
}

/** Writes what `checkChanges` makes of the files. If that has problems, writes nothing and throws. */
export async function writeChanges(
  host: Host,
  repository: EditableRepository,
  changes: readonly DeclarationChange[],
  flags: Flags,
): Promise<WrittenChanges> {
  const { directory } = repository.options
  const checked = await checkChanges(repository, changes)
  if ('problems' in checked) throw nothingWritten(host, checked.problems, { directory, texts: checked.texts })
  if (!flags.dryRun) await placeFiles(directory, checked.files)
  return {
    document: writtenDocument(host, directory, checked, flags),
    changes: checked.changes,
    declared: checked.declared,
  }
}

/** The result document for written files, also of a dry run. */
export function writtenDocument(
  host: Host,
  directory: string,
  { files, changes }: Pick<CheckedChanges, 'files' | 'changes'>,
  flags: Flags,
): WrittenChanges['document'] {
  return {
    is: 'edit' as const,
    exitCode: exitCode.done,
    isDryRun: flags.dryRun === true,
    files: shownFiles(host, directory, files),
    objects: changes.map(({ declaration: { address }, environment = null, written }) => ({
      address,
      environment,
      written,
    })),
  }
}

/** The plan to run next, if files were written. */
export function nextAfter(changes: readonly unknown[], { chdir, env, dryRun }: Flags): string | undefined {
  return changes.length > 0 && !dryRun ? nextPlan({ chdir, env }) : undefined
}

export function shownFiles(
  host: Host,
  directory: string,
  files: readonly EditedFile[],
): EditDocument['files'] {
  return files.map(({ file, before, after, isRemoved }) => {
    const diff = unifiedDiff(file, before, after)
    const hides = [before, after].some(text => mayHide(host, text))
    return {
      path: relative(host.directory, join(directory, file)),
      diff: hides ? diffWithoutLines(diff) : diff,
      ...(isRemoved ? { removed: isRemoved } : {}),
    }
  })
}

export function nothingWritten(
  host: Host,
  problems: readonly Problem[],
  files: { readonly directory: string; readonly texts: ReadonlyMap<string, string> },
): ProblemsError {
  return new ProblemsError('nothing was written', problems, locateProblems(host, problems, files))
}

/** A note for each undeclared flag that an edited flag depends on. */
export function missingFlagNotes(
  after: readonly FileDeclarations[],
  addresses: ReadonlySet<string>,
  environment: Environment,
): string[] {
  const all = new Set(after.flatMap(({ objects }) => objects.map(({ address }) => address)))
  const declared = desiredFlags(after, environment, all)
  const keys = new Set(declared.flatMap(({ ensure, identity }) => (ensure === 'absent' ? [] : [identity])))
  return declared.flatMap(({ kind, address, fields }) => {
    if (!addresses.has(address)) return []
    const missing = new Set(
      namesIn(declarableKind(kind), fields).filter(key => !isFlagId(key) && !keys.has(key)),
    )
    const where = environment.name === undefined ? '' : ` for ${environment.name}`
    return [...missing].map(
      key => `${address}: depends on the flag ${visible(key)}, which is not declared${where}: promote it too`,
    )
  })
}

function desiredFlags(
  files: readonly FileDeclarations[],
  environment: Environment,
  addresses: ReadonlySet<string>,
): Desired[] {
  const flags = files.map(({ objects }) => ({
    objects: objects.filter(
      ({ address, kind }) => addresses.has(address) && targetingField(kind) !== undefined,
    ),
    grants: [],
  }))
  // Without grants, which do not affect who gets a flag.
  return placeDesired(flags, environment, () => undefined)
    .map(({ declared }) => declared)
    .filter(({ address }) => addresses.has(address))
}

/** The selected environment, or the only one. */
export function environmentOf({ settings }: EditableRepository, name: string | undefined): Environment {
  const choice = chooseEnvironment(settings, name)
  if ('environment' in choice) return choice.environment
  const { message, hint } = choice.problem
  throw new CommandError(hint === undefined ? message : `${message}; ${hint}`, exitCode.usage)
}

/** A complete file to write. */
export interface NewFile {
  /** Absolute, or relative to the folder. */
  readonly file: string
  readonly before?: undefined
  readonly after: string
  /** Whether a file with the same text may exist, from a killed export. */
  readonly isShared?: boolean
}

/**
 * Writes new files, and gives others new texts or removes them: all or none. Each text is first written whole under
 * another name beside its file. A later failure restores everything, and removes new folders. A kill can leave the
 * first files of the list, each of them complete.
 *
 * | a file  | is not written if                                                                    |
 * |---------|--------------------------------------------------------------------------------------|
 * | is new  | one exists there                                                                     |
 * | changes | it changed since it was read, is outside of the folder, or is edited by another command |
 *
 * `uniqueId`: for the names of unfinished new files, which a killed export leaves.
 */
export async function placeFiles(
  folder: string,
  files: readonly (EditedFile | NewFile)[],
  uniqueId = '',
): Promise<void> {
  const folders: string[] = []
  const drafts: Draft[] = []
  const placed: Draft[] = []
  let current = ''
  try {
    for (const file of files) {
      current = file.file
      const isNew = file.before === undefined
      const path = isNew ? resolve(folder, file.file) : await pathIn(folder, file.file)
      if (isNew && file.isShared && (await textAt(path).catch(() => undefined)) === file.after) continue
      const mark = isNew ? '' : await requireText(path, file)
      if (isNew) folders.push(...(await makeFolders(dirname(path))))
      const end = isNew ? `${uniqueId}.unfinished` : 'vexil-edit'
      drafts.push(
        await writeDraft({ file, path, mark, draft: join(dirname(path), `.${basename(path)}.${end}`) }),
      )
    }
    for (const draft of drafts) {
      current = draft.file.file
      await place(draft)
      placed.push(draft)
    }
    await removeAll(drafts.map(({ draft }) => draft))
  } catch (error) {
    for (const { path, draft, file, mark } of placed) {
      if (file.before === undefined) await removeAll([path])
      else {
        await writeFile(draft, mark + file.before)
        await rename(draft, path)
      }
    }
    await removeAll(drafts.map(({ draft }) => draft))
    await removeAll(folders.reverse(), rmdir)
    const code = codeOf(error, '')
    throw code === '' || error instanceof CommandError
      ? error
      : new CommandError(`"${current}" cannot be written (${code}); nothing was written`)
  }
}

interface Draft {
  readonly file: EditedFile | NewFile
  readonly path: string
  readonly draft: string
  /** The byte order mark, which is not part of a text. */
  readonly mark: string
}

async function pathIn(folder: string, file: string): Promise<string> {
  const [root, path] = await Promise.all([realpath(folder), realpath(join(folder, file))])
  if (path.startsWith(root.endsWith(sep) ? root : root + sep)) return path
  throw new CommandError(`"${file}" leads out of the repository; nothing was written`)
}

async function writeDraft(draft: Draft): Promise<Draft> {
  try {
    await writeFile(draft.draft, draft.mark + draft.file.after, { flag: 'wx' })
    return draft
  } catch (error) {
    if (codeOf(error, '') === 'EEXIST')
      throw new CommandError(
        `"${draft.file.file}": another command is editing it; if none is, remove "${draft.draft}"; nothing was written`,
      )
    await removeAll([draft.draft])
    throw error
  }
}

async function place({ file, path, draft }: Draft): Promise<void> {
  if (file.before !== undefined) {
    await requireText(path, file)
    await chmod(draft, (await stat(path)).mode)
    return file.isRemoved ? unlink(path) : rename(draft, path)
  }
  await linkOrCopy(draft, path).catch(error => {
    throw codeOf(error, '') === 'EEXIST'
      ? new CommandError(`"${file.file}" already exists; choose an empty folder`)
      : error
  })
}

/** Throws if a file has another text than before. Returns its byte order mark. */
async function requireText(path: string, { file, before }: EditedFile): Promise<string> {
  const text = await textAt(path)
  if (text === before) return ''
  if (text === byteOrderMark + before) return byteOrderMark
  throw new CommandError(`"${file}" was changed meanwhile; nothing was written; try again`)
}

async function textAt(path: string): Promise<string> {
  return String(await readRegularFile(path, largestFile))
}

/** Makes a folder and its parents; returns the new ones, the outermost first. */
async function makeFolders(folder: string): Promise<string[]> {
  const first = await makeFolder(folder)
  if (first === undefined) return []
  const made: string[] = []
  for (let path = folder; path.length >= first.length; path = dirname(path)) made.unshift(path)
  return made
}

/** Ignores missing paths, and folders that contain other files. */
async function removeAll(paths: readonly string[], remove: typeof unlink = unlink): Promise<void> {
  for (const path of paths) await remove(path).catch(() => {})
}
