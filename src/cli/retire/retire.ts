import { type Hold, type Progress, progressOf } from '../../core/retirement.ts'
import { type RetireStep, retireSteps, type StepState } from '../../model/removal.ts'
import { shellWord } from '../../model/text/shell-word.ts'
import type { EditDocument, Retirement } from '../../report/document.ts'
import { notDeclaredFor } from '../../yaml/edit/edit-declarations.ts'
import { declaredFlags, type WrittenFlag } from '../commands/refs.ts'
import {
  type EditableRepository,
  environmentOf,
  nextAfter,
  writeFiles,
  writtenDocument,
} from '../edit/write-edit.ts'
import { CommandError, type ExitCode, exitCode } from '../host/exit-code.ts'
import type { Flags } from '../host/flags.ts'
import type { Host } from '../host/host.ts'
import { print } from '../host/output.ts'
import { resolvePolicy } from '../plan/resolve-policy.ts'
import { resolveFlag } from '../plan/target-filter.ts'
import { openDeclared, readsStack } from '../repository/repository.ts'
import { type DeclaredIn, declaredIn, findHolds, planRules } from './find-holds.ts'
import { daysIn } from './flag-states.ts'
import { listStale } from './list-stale.ts'
import { grantsLeft, type SteppedFiles, type Stepping, takeStep } from './retire-step.ts'

/** Options that only the list of stale flags has, and those that only a removal has. */
const forList = ['owner', 'activity'] as const
const forOne = ['value', 'expires', 'allow', 'offline', 'dryRun'] as const

/** `vexil retire [FLAG]`: the next removal step of a flag, or the stale flags. It only reads the service. */
export async function runRetire(host: Host, name: string | undefined, flags: Flags): Promise<ExitCode> {
  if (readsStack(flags))
    throw new CommandError(
      'a stack comes from a program, which is not edited here; remove the flag there, and look for references with `vexil refs`',
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

/** Shows the holds of a flag. Without holds it writes the next step into files, else it ends in 3. */
async function retireFlag(host: Host, name: string, flags: Flags): Promise<ExitCode> {
  const days = daysIn(flags.days ?? '7', 0)
  // Without a service there is no plan that would refuse an unknown rule.
  resolvePolicy(undefined, { allow: planRules(flags) })
  const { chdir, env } = flags
  const repository = await openDeclared(host, { chdir })
  const flag = resolveFlag(name, declaredFlags(repository.declared), unknown)
  const all = declaredIn(repository, flag.declarations)
  const chosen = env === undefined ? all : chosenIn(repository, flag, all, env)
  // A declaration is removed from its file for all environments at once.
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
  await writeFiles(directory, written.files, flags)
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
  glob: 'fits no flag that is declared',
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

/** Holds if it is declared absent here, but not in environments that the command line did not choose. */
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

/** The progress of the removal. */
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

/** Tests may expect old values: `vexil validate` runs them, and would fail a pipeline. */
function testNotes({ repository, flag }: Stepping): string[] {
  const [test] = flag.declarations.flatMap(declaration => repository.tests.writtenFor(declaration))
  if (!test) return []
  const at = placeText(test.file.parsed.locate(test.pointer))
  return [
    `tests say what people get of it (${at}): change them or take them out where \`vexil validate\` ends in 1 now`,
  ]
}

function placeText({ file, line }: { readonly file: string; readonly line: number }): string {
  return `${file}:${line}`
}
