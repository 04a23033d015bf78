import type { Hold, Progress } from '../../../core/retire/retirement.ts'
import { type RetireStep, retireSteps, type StepState } from '../../../model/removal/retire-steps.ts'
import { shellWord } from '../../../model/text/shell-word.ts'
import type { EditDocument, Retirement } from '../../../report/document.ts'
import { grantsLeft, type Retiring } from './retiring.ts'
import type { SteppedFiles } from './write-step.ts'

export function objectsOf(
  { flag, progress }: Retiring,
  stepped: SteppedFiles | undefined,
): EditDocument['objects'] {
  if (!stepped) return []
  const [change] = stepped.changes
  const written = progress.step === 'forget' ? 'removed' : (change?.written ?? 'nothing')
  return progress.environments.map(environment => ({
    address: flag.address,
    environment: environment ?? null,
    written,
  }))
}

/** Where the removal stands. */
export function retirementOf(
  { flag, found, progress }: Retiring,
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
    environments: found.standings.map(({ environment, declared, value, offSince }) => ({
      environment,
      declared,
      value,
      offSince,
    })),
    holds: holds
      .filter(({ kind }) => !(isWritten && kind === 'values'))
      .map(hold => ({ ...hold, isNow: progress.holding.includes(hold) })),
    unchecked: found.unchecked,
  }
}

export function notesOf(retiring: Retiring, { changes, files }: SteppedFiles): string[] {
  const { progress, choice, flag } = retiring
  const unused = (option: string, step: RetireStep) =>
    `${option} changes nothing: the next step is "${progress.step}", not "${step}"`
  return [
    ...changes.flatMap(({ note }) => (note === undefined ? [] : [`${flag.address}: ${note}`])),
    ...(choice.value !== undefined && progress.step !== 'decide' ? [unused('--value', 'decide')] : []),
    ...(choice.expires !== undefined && progress.step !== 'code' ? [unused('--expires', 'code')] : []),
    ...(['decide', 'off'].includes(progress.step) && files.length > 0 ? testNotes(retiring) : []),
    ...(progress.step === 'absent'
      ? grantsLeft(retiring).left.map(
          ({ file, pointer, role }) =>
            `the grant of ${role} (${placeText(file.parsed.locate(pointer))}) is declared for other environments too: limit it to them with \`only\``,
        )
      : []),
  ]
}

/** What tests say may no longer be so: they are run by `vexil validate`, and in a pipeline that is the end. */
function testNotes({ repository, flag }: Retiring): string[] {
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

export function nextOf(
  { chdir, env }: { readonly chdir?: string; readonly env?: string },
  { environments }: Progress,
): string {
  const [first] = env === undefined ? environments : [env]
  const where = [
    ...(chdir === undefined || chdir === '.' ? [] : ['-C', chdir]),
    ...(first === undefined ? [] : ['--env', first]),
  ]
  return ['vexil', 'plan', ...where].map(shellWord).join(' ')
}
