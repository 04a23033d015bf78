import type { Hold, Progress } from '../../core/retirement.ts'
import { isSameJson, type Json, type JsonObject } from '../../model/json/json.ts'
import { filtersForEverybody, singleValue } from '../../targeting/index.ts'
import { checkEdited } from '../../yaml/edit/check-edited.ts'
import {
  type DeclarationChange,
  type DescribedChange,
  type EditedFile,
  editDeclarations,
  writtenIn,
} from '../../yaml/edit/edit-declarations.ts'
import { pulledFilters } from '../../yaml/edit/pulled-filters.ts'
import type { DeclaredPart, Removal } from '../../yaml/edit/remove-declarations.ts'
import type { WrittenFlag } from '../commands/refs.ts'
import { type EditableRepository, nothingWritten } from '../edit/write-edit.ts'
import { CommandError, exitCode } from '../host/exit-code.ts'
import type { Host } from '../host/host.ts'
import { type DeclaredIn, type Findings, type Retiring, valuesOf } from './find-holds.ts'

/** A flag that is being removed, with the findings about it and the next step. */
export interface Stepping extends Retiring {
  readonly found: Findings
  readonly progress: Progress
}

/** The files after the step; undefined if something holds the flag. */
export async function takeStep(host: Host, stepping: Stepping): Promise<SteppedFiles | undefined> {
  const { found, flags, progress } = stepping
  const { step, holding } = progress
  const { value, expires } = flags
  const here = found.standings.filter(({ environment }) => progress.environments.includes(environment))
  const meant = here.map(({ flag }) => flag)
  const isHeldBut = (kind: Hold['kind']) => holding.some(each => each.kind !== kind)
  switch (step) {
    case 'decide': {
      // Gives everybody the value from the command line, if only the value is undecided.
      if (value === undefined || isHeldBut('values')) return undefined
      if (value === 'off') return editStep(host, stepping, meant, saying({ active: false }))
      const filters = new Map(here.map(standing => [standing.flag, standing.filters ?? {}]))
      for (const [flag, each] of filters) requireValue(flag, each, value)
      const variant = value === 'on' ? undefined : value
      const spellings = releasing(host, stepping.repository, variant, each => filters.get(each) ?? {})
      return editStep(host, stepping, meant, spellings)
    }
    case 'code': {
      const asked = found.standings.filter(({ declared }) => declared !== 'absent').map(({ flag }) => flag)
      if (expires === undefined || isHeldBut('reference')) return undefined
      return editStep(host, stepping, asked, saying({ expires }))
    }
    case 'off':
      return holding.length > 0 ? undefined : editStep(host, stepping, meant, saying({ active: false }))
    case 'absent': {
      const { gone } = grantsLeft(stepping)
      return holding.length > 0
        ? undefined
        : editStep(host, stepping, meant, saying({ ensure: 'absent' }), gone)
    }
    case 'forget':
      return holding.length > 0 ? undefined : removeStep(host, stepping)
  }
}

/** Refuses a value that the flag cannot give to everybody. */
function requireValue({ environment: { name } }: DeclaredIn, filters: Json, value: string): void {
  const there = name === undefined ? '' : ` in ${name}`
  const choices = valuesOf(filters)
  if (!choices.includes(value))
    throw new CommandError(
      `--value "${value}" is no value of the flag${there}; there are: ${choices.join(', ')}`,
      exitCode.usage,
    )
  const variant = value === 'on' ? undefined : value
  const given = singleValue({ filters: filtersForEverybody(filters, variant), active: true })
  if (given === undefined)
    throw new CommandError(
      `no conditions give everybody the same${there}: other parts of the product decide who gets it; end that there first`,
      exitCode.refused,
    )
}

/** Files after a step. The repository was read with them and has no errors. */
export interface SteppedFiles {
  readonly files: readonly EditedFile[]
  readonly changes: readonly DescribedChange[]
}

/** How a step can write the members of a declaration in one environment, the best form first. */
export type Spellings = (flag: DeclaredIn) => readonly JsonObject[]

/** The written members, with some of them replaced. */
function saying(members: JsonObject): Spellings {
  return ({ declaration, environment }) => [{ ...writtenIn(declaration, environment.name), ...members }]
}

/** Releases a flag for everybody, on or with one variant. It keeps the short form if that is used. */
function releasing(
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
 * Edits declarations of one flag for some environments. The edit is in the shared part if it is right for
 * all environments, else in overrides.
 */
async function editStep(
  host: Host,
  { repository, all }: Stepping,
  meant: readonly DeclaredIn[],
  spellings: Spellings,
  grants: readonly DeclaredPart[] = [],
): Promise<SteppedFiles> {
  const declarations = [...new Set(meant.map(({ declaration }) => declaration))]
  const changes = declarations.map(declaration => {
    const own = ({ declaration: other }: DeclaredIn) => other === declaration
    return changeOf(all.filter(own), meant.filter(own), spellings)
  })
  return checked(host, repository, changes, { parts: grants, removesFile: () => false })
}

/** Removes all declarations of a flag from its files: its own, and grants and tests outside them. */
async function removeStep(host: Host, { repository, flag }: Stepping): Promise<SteppedFiles> {
  const isNamed = new Set(repository.settings.files)
  const tests = repository.tests.files
    .flatMap(file => file.tests.filter(test => test.flag === flag.key))
    .map(({ file, flagPointer: pointer }) => ({ file, pointer }))
  const lists = new Map(tests.map(part => [`${part.file.parsed.file}${part.pointer}`, part]))
  const parts = [
    ...flag.declarations.map(({ file, base }) => ({ file, pointer: base.pointer })),
    ...grantsOf(repository, flag),
    ...lists.values(),
  ]
  return checked(host, repository, [], {
    parts,
    // If the settings name the file itself, they would then match no file.
    removesFile: file => !isNamed.has(file) && !hasInclusions(repository),
  })
}

function hasInclusions({ texts }: EditableRepository): boolean {
  return [...texts.values()].some(text => /^["']?include["']?\s*:/m.test(text))
}

/** The first form that can be written. */
function changeOf(
  all: readonly DeclaredIn[],
  meant: readonly DeclaredIn[],
  spellings: Spellings,
): DeclarationChange {
  const choices = new Map(meant.map(flag => [flag, spellings(flag)]))
  const most = Math.max(...[...choices.values()].map(({ length }) => length))
  const changes = Array.from({ length: most }, (_, index) =>
    changeBy(all, meant, flag => choices.get(flag)?.[index] ?? choices.get(flag)?.[0] ?? written(flag)),
  )
  const fitting = changes.find(change => !('problems' in editDeclarations([change])))
  return fitting ?? changeBy(all, meant, flag => choices.get(flag)?.[0] ?? written(flag))
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
  const isShared = changed.every(name => {
    const declared = [...wanted.values()].map(members => members[name] ?? null)
    return declared.every(value => isSameJson(value, declared[0] ?? null))
  })
  const others = (isShared ? all : meant).filter(flag => flag !== first)
  return {
    declaration: first.declaration,
    environment: first.environment.name,
    wanted: wanted.get(first) ?? {},
    into: isShared ? 'shared' : 'environment',
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

async function checked(
  host: Host,
  { options, texts }: EditableRepository,
  changes: readonly DeclarationChange[],
  removal: Removal,
): Promise<SteppedFiles> {
  const { directory } = options
  const edited = editDeclarations(changes, removal)
  if ('problems' in edited) throw nothingWritten(host, edited.problems, { directory, texts })
  const after = await checkEdited(options, edited)
  if (after.problems.length > 0) throw nothingWritten(host, after.problems, { directory, texts: after.texts })
  return edited
}

function grantsOf({ declared }: EditableRepository, { key }: WrittenFlag) {
  return declared.flatMap(({ grants }) => grants.filter(grant => grant.flag === key))
}

/** Separately declared grants: those removed with the flag, and those that an environment still needs. */
export function grantsLeft({ repository, flag, all, progress }: Stepping) {
  const stays = all.filter(
    ({ desired, environment }) =>
      desired.ensure === 'present' && !progress.environments.includes(environment.name),
  )
  const isGone = ({ only }: { readonly only?: ReadonlyMap<string, number> }) =>
    !stays.some(({ environment: { name } }) => only === undefined || (name !== undefined && only.has(name)))
  const grants = grantsOf(repository, flag).filter(({ ensure }) => ensure === 'present')
  return { gone: grants.filter(isGone), left: grants.filter(grant => !isGone(grant)) }
}
