import { type Hold, valueName } from '../../core/retire/retirement.ts'
import { type RetireStep, retireSteps, type StepState } from '../../model/removal/retire-steps.ts'
import { dayOf } from '../../model/tag-member.ts'
import { escapeText } from '../../model/text/escape-text.ts'
import type { RetiredIn, Retirement } from '../retirement.ts'
import type { Style } from './style.ts'

const stepTexts: Readonly<Record<RetireStep, string>> = {
  decide: 'everybody gets the same of it',
  code: 'no code names it',
  off: 'it is declared off',
  absent: 'it is declared absent',
  forget: 'no file declares it',
}

/** Where the removal of a flag stands, as people read it: the steps, then what holds it. */
export function retireText(retirement: Retirement, style: Style): string {
  const { address, steps, environments, holds, unchecked } = retirement
  const now = holds.filter(({ isNow, isAllowed }) => isNow && !isAllowed)
  const later = holds.filter(({ isNow, isAllowed }) => !isNow && !isAllowed)
  const allowed = holds.filter(({ isAllowed }) => isAllowed)
  return [
    `${style.bold(escapeText(address))}\n`,
    ...environments.map(standingLine),
    ...steps.map(({ step, state }) => stepLine(step, state, style)),
    ...holdLines('held by', now, style),
    ...holdLines('in the way of later steps', later, style),
    ...holdLines('allowed', allowed, style),
    ...(unchecked.length === 0
      ? []
      : [
          'not checked\n',
          ...unchecked.map(
            ({ environment, what, reason }) =>
              `  ${whereText(environment)}${escapeText(what)}: ${escapeText(reason)}\n`,
          ),
        ]),
  ].join('')
}

function standingLine({ environment, declared, value, offSince }: RetiredIn): string {
  const gives = value === undefined ? 'different values, or nobody can tell' : escapeText(valueName(value))
  const said = declared === 'absent' ? 'declared absent' : `gives ${gives}`
  const since = offSince === undefined ? '' : `, off since ${dayOf(offSince)}`
  return `  ${whereText(environment)}${said}${since}\n`
}

function stepLine(step: RetireStep, state: StepState, { bold, dim, good, bad, caution }: Style): string {
  const paint = { done: dim, unknown: caution, written: good, held: bad, later: dim }[state]
  const number = retireSteps.indexOf(step) + 1
  const name = state === 'written' || state === 'held' ? bold(step.padEnd(6)) : step.padEnd(6)
  return `  ${number} ${name}  ${paint(state.padEnd(7))}  ${stepTexts[step]}\n`
}

function holdLines(title: string, holds: readonly Hold[], { dim }: Style): string[] {
  if (holds.length === 0) return []
  return [
    `${title}\n`,
    ...holds.map(({ environment, place, what, remedy }) => {
      const at = place ? `${escapeText(place.file)}:${place.line}:${place.column}  ` : ''
      return `  ${at}${whereText(environment)}${escapeText(what)}\n      ${dim(`to go on: ${escapeText(remedy)}`)}\n`
    }),
  ]
}

function whereText(environment: string | undefined): string {
  return environment === undefined ? '' : `${escapeText(environment)}: `
}
