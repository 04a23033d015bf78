import { join, relative } from 'node:path'
import type { Desired } from '../../core/desired.ts'
import { namesIn } from '../../core/flag-links.ts'
import { declarableKind } from '../../kinds/index.ts'
import { FileError } from '../../model/files.ts'
import { targetingField } from '../../model/kind.ts'
import type { Problem } from '../../model/problem.ts'
import { unifiedDiff } from '../../model/text/line-diff.ts'
import type { EditDocument } from '../../report/document.ts'
import { isFlagId, visible } from '../../targeting/index.ts'
import { chooseEnvironment } from '../../yaml/check/check-settings.ts'
import type { FileDeclarations } from '../../yaml/declaration.ts'
import type { DeclaredRepository, RepositoryOptions } from '../../yaml/index.ts'
import { placeDesired } from '../../yaml/resolve/resolve.ts'
import type { Environment } from '../../yaml/settings.ts'
import { checkEdited, replaceFiles } from '../../yaml/write/check-edited.ts'
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

/** A repository to edit, with the options that it was read with. */
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

/**
 * Edits declarations in their files. Nothing is written if the repository has errors with the new texts, or
 * does not declare the intended values.
 */
export async function writeChanges(
  host: Host,
  repository: EditableRepository,
  changes: readonly DeclarationChange[],
  flags: Flags,
): Promise<WrittenChanges> {
  const { directory } = repository.options
  const checked = await checkChanges(repository, changes)
  if ('problems' in checked) throw nothingWritten(host, checked.problems, { directory, texts: checked.texts })
  await writeFiles(directory, checked.files, flags)
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

/** Writes files, all of them or none, unless it is a dry run. */
export async function writeFiles(
  directory: string,
  files: readonly EditedFile[],
  { dryRun = false }: Flags,
): Promise<void> {
  if (dryRun) return
  await replaceFiles(directory, files).catch(error => {
    throw error instanceof FileError ? new CommandError(error.message) : error
  })
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
