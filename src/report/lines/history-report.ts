import type { RunState, ToldRun } from '../../core/record/history.ts'
import { type ObjectOutcome, objectOutcomes, outcomeCounts, type RunRecord } from '../../core/record/run.ts'
import { compareTexts } from '../../model/text/compare-texts.ts'
import { escapeText } from '../../model/text/escape-text.ts'
import type { HistoryDocument } from '../document.ts'
import { aLine, type Item, type Line, type Report, type Result, type Section, type Toned } from './report.ts'
import { atCommit, placeLine, timeLine } from './sections/place-words.ts'

/** Runs for people: when and what, for which place, by whom and at which commit; below that, what came of it. */
export function historyReport({ runs, outcomes }: HistoryDocument): Report {
  return {
    is: 'history',
    place: {},
    ...(runs.length > 0
      ? { headline: { verdict: 'Runs on record', about: `${runs.length}, the newest first` } }
      : {}),
    alerts: [],
    sections: [
      ...(runs.length > 0 ? [{ is: 'runs' as const, title: '', items: runs.map(runItem) }] : []),
      ...(outcomes === undefined ? [] : outcomeSection(outcomes, heldIn(runs))),
    ],
    notes: [],
    counts: [],
    closing: [],
  }
}

/** How each object came out of one run, the outcomes together. */
function outcomeSection(
  outcomes: Readonly<Record<string, ObjectOutcome>>,
  held: ReadonlyMap<string, readonly string[]>,
): Section[] {
  const items = Object.entries(outcomes)
    .map(([address, outcome]) => ({
      address,
      words: outcomeText[outcome],
      name: escapeText(address),
      result: results[outcome],
    }))
    .sort(
      (left, right) =>
        order.indexOf(left.words) - order.indexOf(right.words) || compareTexts(left.name, right.name),
    )
    .map(({ address, words, name, result }) => {
      const fields = held.get(address)?.join(', ')
      const remark =
        fields === undefined ? {} : { remark: escapeText(words === 'held' ? fields : `held: ${fields}`) }
      return { address, name, became: { text: words }, ...remark, result, lines: [] }
    })
  return items.length === 0 ? [] : [{ is: 'outcomes', title: '', items }]
}

/** By address, the fields that the runs left as they are in the product. */
function heldIn(runs: HistoryDocument['runs']): Map<string, readonly string[]> {
  const held = runs.flatMap(({ reading }) => ('record' in reading ? (reading.record.held ?? []) : []))
  return new Map(held.map(({ address, fields }) => [address, fields]))
}

function runItem({ reading, state }: ToldRun): Item {
  const name = escapeText(reading.file.run)
  if ('unreadable' in reading) {
    return { name, lines: [aLine('detail', `unreadable: ${reading.unreadable}`, { tone: 'bad' })] }
  }
  const { record } = reading
  const why = record.reason === undefined ? [] : [aLine('why', `why: ${escapeText(record.reason)}`)]
  return { name, remark: originText(record), lines: [...why, doneLine(record, state)] }
}

function doneLine(record: RunRecord, state: RunState): Line {
  const words = stateWords(state)
  return { is: 'detail', words: [{ text: countText(record) }, ...(words ? [{ text: '; ' }, words] : [])] }
}

function originText(record: RunRecord): string {
  const { startedAt, command, undoes, who, revision } = record
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

/** Nothing is to be said of a run that went to its end. */
function stateWords(state: RunState): Toned | undefined {
  switch (state) {
    case 'complete':
      return undefined
    case 'stopped':
      return { text: 'stopped before its end', tone: 'caution' }
    case 'cut_off':
      return { text: 'cut off, or still under way', tone: 'caution' }
    case 'under_way':
      return { text: 'under way', tone: 'caution' }
    case 'unreadable':
      return { text: 'unreadable', tone: 'bad' }
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
  held: 'held',
  not_targeted: 'not targeted',
  unchanged: 'unchanged',
}

const results: Readonly<Record<ObjectOutcome, Result>> = {
  done: 'passed',
  already: 'passed',
  failed: 'failed',
  pending: 'skipped',
  stale: 'failed',
  skipped: 'skipped',
  not_known: 'failed',
  blocked: 'failed',
  held: 'skipped',
  not_targeted: 'skipped',
  unchanged: 'passed',
}

const order = objectOutcomes.map(outcome => outcomeText[outcome])
