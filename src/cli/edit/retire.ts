import { type Hold, type Progress, progressOf } from '../../core/retirement.ts'
import { type RetireStep, retireSteps, type StepState } from '../../model/removal.ts'
import { isSameJson, type Json, type JsonObject } from '../../model/text/json.ts'
import { shellWord } from '../../model/text/printable.ts'
import type { EditDocument, Retirement } from '../../report/document.ts'
import { filtersForEverybody, singleValue } from '../../targeting/index.ts'
import { checkEdited } from '../../yaml/write/check-edited.ts'
import {
  type DeclarationChange,
  type DeclaredPart,
  type DescribedChange,
  type EditedFile,
  editDeclarations,
  notDeclaredFor,
  type Removal,
  writtenIn,
} from '../../yaml/write/edit-declarations.ts'
import { pulledFilters } from '../../yaml/write/pulled-declaration.ts'
import type { Flags } from '../command-options.ts'
import { declaredFlags, type WrittenFlag } from '../commands/refs.ts'
import { CommandError, type ExitCode, exitCode } from '../host/exit-code.ts'
import type { Host } from '../host/host.ts'
import { print } from '../host/output.ts'
import { resolveFlag, resolvePolicy } from '../plan/target-filter.ts'
import { openDeclared, readsStack } from '../repository/repository.ts'
import {
  type DeclaredIn,
  declaredIn,
  type Findings,
  findHolds,
  planRules,
  type Retiring,
  valuesOf,
} from './find-holds.ts'
import { daysIn } from './flag-states.ts'
import { listStale } from './list-stale.ts'
import {
  type EditableRepository,
  environmentOf,
  nextAfter,
  nothingWritten,
  placeFiles,
  writtenDocument,
} from './write-edit.ts'

/** Options only for the list of stale flags, and only for a removal. */
const forList = ['owner', 'activity'] as const
const forOne = ['value', 'expires', 'allow', 'offline', 'dryRun'] as const

/**
 * `vexil retire [FLAG]`: writes the next removal step of a flag, or lists stale flags. It only reads the
 * service.
 */
export async function runRetire(host: Host, name: string | undefined, flags: Flags): Promise<ExitCode> {
  if (readsStack(flags))
    throw new CommandError(
      'a stack comes from a program, which Vexil does not edit; remove the flag there, and look for references with `vexil refs`',
      exitCode.refused,
    )
  for (const option of name === undefined ? forOne : forList) {
    if (flags[option] === undefined) continue
    const shown = option === 'dryRun' ? 'dry-run' : option
    const message = name === undefined ? 'needs a flag' : 'is for the list, without a flag'
    throw new CommandError(`--${shown} ${message}`, exitCode.usage)
  }
  return name === undefined ? listStale(host, flags) : retireFlag(host, name, flags)
}

/** Writes the next removal step of a flag into files, or shows its holds and ends in 3. */
async function retireFlag(host: Host, name: string, flags: Flags): Promise<ExitCode> {
  const days = daysIn(flags.days ?? '7', 0)
  // Checks the rules here: offline, no plan would refuse an unknown rule.
  resolvePolicy(undefined, { allow: planRules(flags) })
  const { chdir, env } = flags
  const repository = await openDeclared(host, { chdir })
  const flag = resolveFlag(name, declaredFlags(repository.declared), unknown)
  const all = declaredIn(repository, flag.declarations)
  const chosen = env === undefined ? all : chosenIn(repository, flag, all, env)
  // A declaration can be removed only for all environments at once.
  const isForgotten = all.every(({ desired }) => desired.ensure === 'absent')
  const retiring = { repository, flag, all, flags, days }
  const found = await findHolds(host, retiring, isForgotten ? all : chosen)
  const holds = [
    ...found.holds,
    ...elsewhereHolds(flag, isForgotten ? [] : all.filter(each => !chosen.includes(each))),
  ]
  const progress = progressOf(found.standings, holds)
  const step: Stepping = { ...retiring, found, progress }
  const stepped = await takeStep(host, step)
  const written = stepped ?? { files: [], changes: [] }
  const { directory } = repository.options
  if (!flags.dryRun) await placeFiles(directory, written.files)
  const code = stepped ? exitCode.done : exitCode.refused
  await print(host, flags, {
    ...writtenDocument(host, directory, written, flags),
    exitCode: code,
    objects: objectsOf(step, stepped),
    retire: retirementOf(step, holds, stepped),
    notes: [...found.notes, ...notesOf(step, written)],
    next: nextAfter(written.files, { ...flags, env: env ?? progress.environments[0] }),
  })
  return code
}

const unknown = {
  name: 'is not declared; `vexil export KEY` shows what to declare of a flag that is live alone',
  glob: 'matches no declared flag',
}

function chosenIn(
  repository: EditableRepository,
  { declarations }: WrittenFlag,
  all: readonly DeclaredIn[],
  env: string,
): readonly DeclaredIn[] {
  const { name } = environmentOf(repository, env)
  const chosen = all.filter(({ environment }) => environment.name === name)
  const [declaration] = declarations
  if (chosen.length === 0 && declaration)
    throw new CommandError(notDeclaredFor(declaration, name), exitCode.usage)
  return chosen
}

/** The holds by environments that were not selected and still declare the flag. */
function elsewhereHolds({ key }: WrittenFlag, others: readonly DeclaredIn[]): Hold[] {
  return others
    .filter(({ desired }) => desired.ensure === 'present')
    .map(({ environment: { name }, source }) => ({
      kind: 'elsewhere',
      place: source,
      what: `${name ?? 'another environment'} still has it`,
      remedy: `retire it there as well: \`vexil retire ${shellWord(key)}${name === undefined ? '' : ` --env ${shellWord(name)}`}\``,
    }))
}

function objectsOf({ flag, progress }: Stepping, stepped: SteppedFiles | undefined): EditDocument['objects'] {
  if (!stepped) return []
  const [change] = stepped.changes
  const written = progress.step === 'forget' ? 'removed' : (change?.written ?? 'nothing')
  return progress.environments.map(environment => ({
    address: flag.address,
    environment: environment ?? null,
    written,
  }))
}

function retirementOf(
  { flag, found, progress }: Stepping,
  holds: readonly Hold[],
  stepped: SteppedFiles | undefined,
): Retirement {
  const now = retireSteps.indexOf(progress.step)
  const isWritten = stepped !== undefined && progress.step !== 'code'
  const stateOf = (each: RetireStep, index: number): StepState => {
    if (index < now) return found.unchecked.some(({ step }) => step === each) ? 'unknown' : 'done'
    return index > now ? 'later' : isWritten ? 'written' : 'held'
  }
  return {
    address: flag.address,
    step: progress.step,
    steps: retireSteps.map((step, index) => ({ step, state: stateOf(step, index) })),
    environments: found.standings.map(({ environment = null, declared, value = null, offSince }) => ({
      environment,
      declared,
      value,
      off_since: offSince === undefined ? null : new Date(offSince).toISOString(),
    })),
    holds: holds
      .filter(({ kind }) => !(isWritten && kind === 'values'))
      .map(hold => shownHold(hold, progress)),
    unchecked: found.unchecked.map(({ environment = null, what, reason }) => ({ environment, what, reason })),
  }
}

function shownHold(hold: Hold, { holding }: Progress): Retirement['holds'][number] {
  const { kind, environment = null, place, what, remedy, isAllowed = false } = hold
  const source = place && { source: place }
  return { kind, environment, ...source, what, remedy, allowed: isAllowed, now: holding.includes(hold) }
}

function notesOf(retiring: Stepping, { changes, files }: SteppedFiles): string[] {
  const { progress, flags, flag } = retiring
  const unused = (option: string, step: RetireStep) =>
    `${option} changes nothing: the next step is "${progress.step}", not "${step}"`
  return [
    ...changes.flatMap(({ note }) => (note === undefined ? [] : [`${flag.address}: ${note}`])),
    ...(flags.value !== undefined && progress.step !== 'decide' ? [unused('--value', 'decide')] : []),
    ...(flags.expires !== undefined && progress.step !== 'code' ? [unused('--expires', 'code')] : []),
    ...(['decide', 'off'].includes(progress.step) && files.length > 0 ? testNotes(retiring) : []),
    ...(progress.step === 'absent'
      ? grantsLeft(retiring).left.map(
          ({ file, pointer, role }) =>
            `the grant of ${role} (${placeText(file.parsed.locate(pointer))}) is declared for other environments too: limit it to them with \`only\``,
        )
      : []),
  ]
}

/** A note about tests that may expect old values, since `vexil validate` runs them. */
function testNotes({ repository, flag }: Stepping): string[] {
  const [test] = flag.declarations.flatMap(declaration => repository.tests.writtenFor(declaration))
  if (!test) return []
  const at = placeText(test.file.parsed.locate(test.pointer))
  return [`tests expect values of it (${at}): change or remove them if \`vexil validate\` fails now`]
}

function placeText({ file, line }: { readonly file: string; readonly line: number }): string {
  return `${file}:${line}`
}

export interface Stepping extends Retiring {
  readonly found: Findings
  readonly progress: Progress
}

/** The files after the next step; undefined if something holds the flag. */
export async function takeStep(host: Host, stepping: Stepping): Promise<SteppedFiles | undefined> {
  const { found, flags, progress } = stepping
  const { step, holding } = progress
  const { value, expires } = flags
  const here = found.standings.filter(({ environment }) => progress.environments.includes(environment))
  const meant = here.map(({ flag }) => flag)
  const isHeldBut = (kind: Hold['kind']) => holding.some(each => each.kind !== kind)
  switch (step) {
    case 'decide': {
      // If only the value is undecided, the command line decides it.
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

/** Throws if the flag cannot give this value to everybody. */
function requireValue({ environment: { name } }: DeclaredIn, filters: Json, value: string): void {
  const there = name === undefined ? '' : ` in ${name}`
  const choices = valuesOf(filters)
  if (!choices.includes(value))
    throw new CommandError(
      `--value "${value}" is not a value of the flag${there}; there are: ${choices.join(', ')}`,
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

/** The files after a step, with which the repository has no errors. */
export interface SteppedFiles {
  readonly files: readonly EditedFile[]
  readonly changes: readonly DescribedChange[]
}

/** The possible forms of an edit in one environment, the best one first. */
export type Spellings = (flag: DeclaredIn) => readonly JsonObject[]

/** The written members, with some of them replaced. */
function saying(members: JsonObject): Spellings {
  return ({ declaration, environment }) => [{ ...writtenIn(declaration, environment.name), ...members }]
}

/** Releases a flag for everybody, on or with one variant. Keeps the short form. */
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
 * Edits the declarations of a flag for some environments: in the shared part if that is right for all
 * environments, else in overrides.
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

/** Removes all declarations of a flag from the files, with separate grants and tests. */
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
    // A file that the settings name must stay, or they would match no file.
    removesFile: file => !isNamed.has(file) && !hasInclusions(repository),
  })
}

function hasInclusions({ texts }: EditableRepository): boolean {
  return [...texts.values()].some(text => /^["']?include["']?\s*:/m.test(text))
}

/** The first possible form of an edit. */
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

/** Separate grants: those to remove with the flag, and those that another environment still needs. */
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
