import { isSameJson, type JsonObject } from '../../../model/json/json.ts'
import type { Problem } from '../../../model/problem.ts'
import { filtersForEverybody } from '../../../targeting/index.ts'
import { checkEdited } from '../../../yaml/edit/check-edited.ts'
import {
  type DeclarationChange,
  type EditedFile,
  editDeclarations,
  type ToldChange,
} from '../../../yaml/edit/edit-declarations.ts'
import { type DeclaredPart, removeDeclarations } from '../../../yaml/edit/remove-declarations.ts'
import { writtenIn } from '../../../yaml/edit/written-members.ts'
import { pulledFilters } from '../../../yaml/pull/pulled-filters.ts'
import type { Host } from '../../host/host.ts'
import { type EditableRepository, nothingWritten } from '../edit/write-edit.ts'
import type { DeclaredIn } from './declared-in.ts'

/** Files as a step leaves them; the repository was read with them, and has no error then. */
export interface SteppedFiles {
  readonly files: readonly EditedFile[]
  readonly changes: readonly ToldChange[]
}

/** What a step makes of the members of a declaration in one environment: the ways to say it, the best first. */
export type Spellings = (flag: DeclaredIn) => readonly JsonObject[]

/** The members as they are, and some others in their place. */
export function saying(members: JsonObject): Spellings {
  return ({ declaration, environment }) => [{ ...writtenIn(declaration, environment.name), ...members }]
}

/** The release of a flag for everybody, on or with one variant; in the short form where it is declared so. */
export function releasing(
  host: Host,
  { contextIn }: EditableRepository,
  variant: string | undefined,
  filtersOf: (flag: DeclaredIn) => JsonObject[string],
): Spellings {
  return flag => {
    const { declaration, environment } = flag
    const written = writtenIn(declaration, environment.name)
    const reading = { environment, context: contextIn(environment.name), variables: host.env }
    return pulledFilters(declaration.kind, written, filtersForEverybody(filtersOf(flag), variant), reading)
  }
}

/**
 * Declarations of one flag that say something else in some environments: what all environments share says it, where all of them
 * do then; overrides do otherwise.
 */
export async function editStep(
  host: Host,
  repository: EditableRepository,
  flags: { readonly all: readonly DeclaredIn[]; readonly meant: readonly DeclaredIn[] },
  spellings: Spellings,
  grants: readonly DeclaredPart[] = [],
): Promise<SteppedFiles> {
  const declarations = [...new Set(flags.meant.map(({ declaration }) => declaration))]
  const changes = declarations.map(declaration => {
    const own = ({ declaration: other }: DeclaredIn) => other === declaration
    return changeOf(flags.all.filter(own), flags.meant.filter(own), spellings)
  })
  const edited = editDeclarations(changes)
  if ('problems' in edited) throw refused(host, repository, edited.problems)
  const texts = new Map(edited.files.map(({ file, after }) => [file, after]))
  const removed = removeDeclarations(grants, { edited: texts, removesFile: () => false })
  if ('problems' in removed) throw refused(host, repository, removed.problems)
  return checked(host, repository, {
    changes: edited.changes,
    files: mergedFiles(edited.files, removed.files),
  })
}

/** Whatever is declared of a flag, taken out of its files. */
export async function removeStep(
  host: Host,
  repository: EditableRepository,
  parts: readonly DeclaredPart[],
): Promise<SteppedFiles> {
  const isNamed = new Set(repository.settings.files)
  const removed = removeDeclarations(parts, {
    // What names a file by itself would find none.
    removesFile: file => !isNamed.has(file) && !hasInclusions(repository),
  })
  if ('problems' in removed) throw refused(host, repository, removed.problems)
  return checked(host, repository, { changes: [], files: removed.files })
}

function hasInclusions({ texts }: EditableRepository): boolean {
  return [...texts.values()].some(text => /^["']?include["']?\s*:/m.test(text))
}

/** The first way to say it that can be written. */
function changeOf(
  all: readonly DeclaredIn[],
  meant: readonly DeclaredIn[],
  spellings: Spellings,
): DeclarationChange {
  const ways = new Map(meant.map(flag => [flag, spellings(flag)]))
  const most = Math.max(...[...ways.values()].map(({ length }) => length))
  const changes = Array.from({ length: most }, (_, index) =>
    changeBy(all, meant, flag => ways.get(flag)?.[index] ?? ways.get(flag)?.[0] ?? written(flag)),
  )
  const fitting = changes.find(change => !('problems' in editDeclarations([change])))
  return fitting ?? changeBy(all, meant, flag => ways.get(flag)?.[0] ?? written(flag))
}

function changeBy(
  all: readonly DeclaredIn[],
  meant: readonly DeclaredIn[],
  wantedBy: (flag: DeclaredIn) => JsonObject,
): DeclarationChange {
  const [first] = meant
  if (!first) throw new Error('a step of no environment')
  const wanted = new Map(all.map(flag => [flag, meant.includes(flag) ? wantedBy(flag) : written(flag)]))
  const changed = meant.flatMap(flag => changedMembers(written(flag), wanted.get(flag) ?? {}))
  const isAlike = changed.every(name => {
    const said = [...wanted.values()].map(members => members[name] ?? null)
    return said.every(value => isSameJson(value, said[0] ?? null))
  })
  const others = (isAlike ? all : meant).filter(flag => flag !== first)
  return {
    declaration: first.declaration,
    environment: first.environment.name,
    wanted: wanted.get(first) ?? {},
    into: isAlike ? 'shared' : 'environment',
    others: new Map(
      others.flatMap(flag => {
        const { name } = flag.environment
        return name === undefined ? [] : [[name, wanted.get(flag) ?? {}] as const]
      }),
    ),
  }
}

function written({ declaration, environment }: DeclaredIn): JsonObject {
  return writtenIn(declaration, environment.name)
}

function changedMembers(before: JsonObject, after: JsonObject): string[] {
  return Object.keys({ ...before, ...after }).filter(
    name => name in before !== name in after || !isSameJson(before[name] ?? null, after[name] ?? null),
  )
}

/** What is removed was edited before, so its text is the later one. */
function mergedFiles(edited: readonly EditedFile[], removed: readonly EditedFile[]): EditedFile[] {
  const before = new Map(edited.map(({ file, before: text }) => [file, text]))
  const later = new Set(removed.map(({ file }) => file))
  return [
    ...edited.filter(({ file }) => !later.has(file)),
    ...removed.map(one => ({ ...one, before: before.get(one.file) ?? one.before })),
  ]
}

async function checked(
  host: Host,
  repository: EditableRepository,
  files: SteppedFiles,
): Promise<SteppedFiles> {
  const { problems, texts } = await checkEdited(repository.options, files)
  if (problems.length > 0)
    throw nothingWritten(host, problems, { directory: repository.options.directory, texts })
  return files
}

function refused(host: Host, { options, texts }: EditableRepository, problems: readonly Problem[]) {
  return nothingWritten(host, problems, { directory: options.directory, texts })
}
