import type { RunState, ToldRun } from '../../core/record/history.ts'
import { type ObjectOutcome, objectOutcomes, outcomeCounts, type RunRecord } from '../../core/record/run.ts'
import { compareTexts } from '../../model/text/compare-texts.ts'
import { escapeText } from '../../model/text/escape-text.ts'
import type { Style } from './style.ts'
import { atCommit, placeLine, timeLine } from './title-line.ts'

/** Runs for people: when and what, for which place, by whom and at which commit; below that, what came of it. */
export function historyText(runs: readonly ToldRun[], style: Style): string {
  return runs.map(run => `${runLines(run, style).join('\n')}\n`).join('')
}

/** How each object came out of one run, the outcomes together. */
export function outcomesText(outcomes: Readonly<Record<string, ObjectOutcome>>): string {
  return Object.entries(outcomes)
    .map(([address, outcome]) => [outcomeText[outcome], escapeText(address)] as const)
    .sort(
      ([left, one], [right, other]) => order.indexOf(left) - order.indexOf(right) || compareTexts(one, other),
    )
    .map(([words, address]) => `    ${words.padEnd(14)}${address}\n`)
    .join('')
}

function runLines({ reading, state }: ToldRun, style: Style): string[] {
  const name = escapeText(reading.file.run)
  if ('unreadable' in reading) {
    return [style.bold(name), `    ${style.bad(`unreadable: ${reading.unreadable}`)}`]
  }
  const { record } = reading
  const done = [countText(record), stateText(state, style)].filter(words => words !== '').join('; ')
  const why = record.reason === undefined ? [] : [`    why: ${escapeText(record.reason)}`]
  return [`${style.bold(name)}  ${originText(record)}`, ...why, `    ${done}`]
}

function originText(record: RunRecord): string {
  const { startedAt, command = 'run', undoes, who, revision } = record
  const deed = undoes === undefined ? command : `${command} of ${escapeText(undoes)}`
  return [
    timeLine(startedAt),
    `${deed} in ${placeLine(record)}`,
    ...(who === undefined ? [] : [`by ${escapeText(who.name)}`]),
    ...(revision === undefined ? [] : [atCommit(revision)]),
  ].join('  ')
}

function countText(record: RunRecord): string {
  const counts = outcomeCounts(record)
  const parts = objectOutcomes.flatMap(outcome =>
    counts[outcome] > 0 ? [`${counts[outcome]} ${outcomeText[outcome]}`] : [],
  )
  return parts.length === 0 ? 'nothing to do' : parts.join(', ')
}

function stateText(state: RunState, style: Style): string {
  switch (state) {
    case 'complete':
      return ''
    case 'stopped':
      return style.caution('stopped before its end')
    case 'cut_off':
      return style.caution('cut off, or still under way')
    case 'under_way':
      return style.caution('under way')
    case 'unreadable':
      return style.bad('unreadable')
  }
}

const outcomeText: Readonly<Record<ObjectOutcome, string>> = {
  done: 'done',
  already: 'done already',
  failed: 'failed',
  pending: 'pending',
  stale: 'stale',
  skipped: 'skipped',
  not_known: 'not known',
  blocked: 'blocked',
  not_targeted: 'not targeted',
  unchanged: 'unchanged',
}

const order = objectOutcomes.map(outcome => outcomeText[outcome])
