import {
  type ComparedRow,
  type ComparedState,
  comparisonCounts,
  type EnvironmentDifference,
} from '../../core/comparison.ts'
import type { RunState, ShownRun, ShownState } from '../../core/record/history.ts'
import { type ObjectOutcome, objectOutcomes, outcomeCounts, type RunRecord } from '../../core/record/run.ts'
import { compareTexts, listSome } from '../../model/text/names.ts'
import { escapeText } from '../../model/text/printable.ts'
import type {
  ComparisonDocument,
  Document,
  EnvironmentsDocument,
  HistoryDocument,
  PlanDocument,
  ShownPlan,
} from '../document.ts'
import { counted, groupEqual, nameOf } from '../line-text.ts'
import { failureReport, testsReport, validationReport, withErrors, withWarnings } from './checks-report.ts'
import { atCommit, placeLine, timeLine } from './place-words.ts'
import { driftReport, planReport, shownPlan } from './plan-report.ts'
import {
  aLine,
  type Item,
  type Line,
  type Manner,
  type People,
  peopleOf,
  type Report,
  type Result,
  type Section,
  type Toned,
} from './report.ts'
import { runReport } from './run-report.ts'

/** A document as a report of objects; undefined if the document contains no objects. */
export function reportOf(
  document: Document,
  { leavesOutWarnings, ...manner }: Omit<Manner, 'now'> = {},
): Report | undefined {
  const { isVerbose } = manner
  switch (document.is) {
    case 'plan': {
      // Only these members, because reading `saved` takes as long as making the plan.
      const { plan, meta, deed, next, showsUnchanged, note, warnings } = document
      const report = planReport(plan, { meta, deed, next, showsUnchanged, ...manner })
      const notes = note === undefined ? [] : [escapeText(note)]
      const withProblems = withWarnings(
        { ...report, notes: [...report.notes, ...notes], ...originOf(plan, document) },
        leavesOutWarnings ? [] : warnings,
        isVerbose,
      )
      return withErrors(withProblems, document.errors)
    }
    case 'saved_plan': {
      const { plan, next } = document
      return {
        ...planReport(shownPlan(plan), { meta: plan.meta, next, ...manner, showsUnchanged: false }),
        is: 'saved_plan',
        ...originOf(plan, document),
      }
    }
    case 'drift':
      return { ...driftReport(document, { isVerbose }), ...originOf(document.plan, document) }
    case 'run':
      return withErrors(
        { ...runReport(document, { isVerbose }), ...originOf(document, document) },
        document.errors,
      )
    case 'comparison':
      return comparisonReport(document)
    case 'history':
      return historyReport(document)
    case 'tests':
      return testsReport(document, { isVerbose })
    case 'validation':
      return validationReport(document)
    case 'failure':
      return failureReport(document)
    case 'environments':
      return environmentsReport(document, manner)
    default:
      return undefined
  }
}

function originOf(
  plan: Pick<ShownPlan, 'owners'>,
  { authors, sourceUrl }: Pick<PlanDocument, 'authors' | 'sourceUrl'>,
): Pick<Report, 'people' | 'sourceUrl'> {
  return { people: peopleOf(plan, authors), ...(sourceUrl === undefined ? {} : { sourceUrl }) }
}

/**
 * The table of environments, and below it the sections of each. Equal sections of several environments are
 * one: often the same change goes to all of them. An address is that of an environment, so it has its name.
 */
function environmentsReport(document: EnvironmentsDocument, manner: Manner): Report {
  const parts = document.environments.flatMap(({ name, document: part }) => {
    const report = part && reportOf(part, manner)
    return report ? [{ name: escapeText(name), report }] : []
  })
  const grouped = <One>(inReport: (report: Report) => readonly One[]) =>
    groupEqual(parts.flatMap(({ name, report }) => inReport(report).map(one => [name, one] as const)))
  const linesOf = (inReport: (report: Report) => readonly string[]) =>
    grouped(inReport).map(({ one, names }) => `${listSome(names, 'and')}: ${one}`)
  const table = environmentsTable(document)
  return {
    ...table,
    alerts: linesOf(({ alerts }) => alerts),
    sections: [
      ...table.sections,
      ...grouped(({ sections }) => sections).map(({ one: section, names }) => {
        const [first = ''] = names
        const items = section.items.map(item =>
          item.address === undefined ? item : { ...item, address: `${first} ${item.address}` },
        )
        return { ...section, title: `${section.title} in ${listSome(names, 'and')}`.trimStart(), items }
      }),
    ],
    notes: linesOf(({ notes }) => notes),
    people: new Map(
      parts.flatMap(({ name, report: { people = new Map<string, People>() } }) =>
        [...people].map(([address, found]) => [`${name} ${address}`, found] as const),
      ),
    ),
  }
}

/** Every environment with its exit code, its result, its counts and its first error. */
export function environmentsTable({ asked, command, environments }: EnvironmentsDocument): Report {
  const items = environments.map(({ name, exitCode, document: part }): Item => {
    const report = part && reportOf(part)
    const [error] = part?.is === 'failure' ? part.errors : []
    const counts = report?.counts.map(({ text }) => text).filter(text => !text.startsWith('0 ')) ?? []
    return {
      name: escapeText(name),
      sign: exitCode === 0 ? { text: '=', tone: 'good' } : { text: '!', tone: 'caution' },
      result: exitCode === 0 ? 'passed' : 'failed',
      cells: [
        String(exitCode),
        report?.headline?.verdict ?? (exitCode === 0 ? 'Done' : 'Failed'),
        counts.join(', '),
      ],
      lines: error ? [aLine('detail', escapeText(error.message), { tone: 'bad' })] : [],
    }
  })
  const codes = [...new Set(environments.map(({ exitCode }) => exitCode))].sort((left, right) => left - right)
  const section = { is: 'comparison' as const, title: '', columns: ['exit', 'result', 'objects'], items }
  const heads: Section['heads'] = ['Environment', 'First error']
  return {
    is: 'environments',
    place: { environment: asked },
    headline: {
      verdict: `vexil ${command}, ${counted(environments.length, 'environment')}`,
      about: asked,
    },
    alerts: [],
    sections: items.length === 0 ? [] : [{ ...section, heads }],
    notes: [],
    counts: codes.map(code => {
      const count = environments.filter(({ exitCode }) => exitCode === code).length
      return { text: `${count} ended in ${code}`, tone: code === 0 ? 'good' : 'caution' }
    }),
    closing: [],
  }
}

/** Environments as columns, objects as rows, and the differences below each row. */
export function comparisonReport(document: ComparisonDocument): Report {
  const { comparison, isLive, places, showsEqual } = document
  const { environments, rows } = comparison
  const shown = rows.filter(({ verdict }) => showsEqual || verdict !== 'equal')
  const where = environments.map(name => {
    const place = places[name]
    return place === undefined ? escapeText(name) : `${escapeText(name)} (${escapeText(place)})`
  })
  const columns = environments.map(escapeText)
  const items = shown.map(row => itemOf(row, environments))
  return {
    is: 'comparison',
    place: { environment: columns.join(', ') },
    headline: {
      verdict: 'Comparison',
      about: `${where.join(' -> ')}, ${isLive ? 'live' : 'declared'} objects`,
    },
    alerts: [],
    sections: items.length === 0 ? [] : [{ is: 'comparison', title: '', columns, items }],
    notes: [],
    counts: countsOf(document).map(text => ({ text })),
    closing: [],
  }
}

function itemOf(row: ComparedRow, environments: readonly string[]): Item {
  return {
    address: row.address,
    sign: { text: comparedSigns[row.verdict] },
    result: row.verdict === 'equal' ? 'passed' : 'failed',
    name: nameOf(row),
    cells: environments.map(name => cellOf(row.environments[name])),
    differing: differingCells(row, environments),
    lines: differenceLines(row.differences, environments.length > 2),
  }
}

/** Signs for objects that are equal, that differ, or that only some environments have. */
const comparedSigns = { equal: '=', differs: '~', only: '!' } as const

/** The cells that differ from the first environment that has the object, or else from the first of all. */
function differingCells({ differences, ...row }: ComparedRow, environments: readonly string[]): number[] {
  const states = environments.map(name => row.environments[name]?.state)
  const usual = states.includes('present') ? 'present' : states[0]
  const others = new Set(differences.map(({ to }) => to))
  return environments.flatMap((name, at) => (states[at] !== usual || others.has(name) ? [at] : []))
}

function cellOf(state: ComparedState | undefined): string {
  switch (state?.state) {
    case 'present':
      return escapeText(state.summary === '' ? 'yes' : state.summary)
    case 'absent':
    case 'skipped':
      return state.state
    default:
      return '-'
  }
}

/** With more than two environments, each difference names its environments. Equal differences are merged. */
function differenceLines(differences: readonly EnvironmentDifference[], isNamed: boolean): Line[] {
  if (!isNamed) return differences.flatMap(({ summary }) => summaryLines(summary))
  const byWords = new Map<string, EnvironmentDifference[]>()
  for (const difference of differences) {
    const words = difference.summary.join('\n')
    byWords.set(words, [...(byWords.get(words) ?? []), difference])
  }
  return [...byWords.values()].flatMap(group => {
    const [{ from, summary } = { from: '', summary: [] }] = group
    const others = group.map(({ to }) => escapeText(to)).join(', ')
    return [aLine('detail', `${escapeText(from)} -> ${others}:`), ...summaryLines(summary, 1)]
  })
}

function summaryLines(summary: readonly string[], depth?: number): Line[] {
  return summary.map(line => aLine('detail', escapeText(line), depth === undefined ? {} : { depth }))
}

function countsOf({ comparison, showsEqual }: ComparisonDocument): string[] {
  const { equal, differs, only } = comparisonCounts(comparison)
  const isPair = comparison.environments.length === 2
  const onlyIn = Object.entries(only).flatMap(([name, count]) => {
    if (isPair) return [`${count} only in ${escapeText(name)}`]
    return count === 0 ? [] : [`${count} in ${escapeText(name)}, but not in all`]
  })
  const hint = equal > 0 && !showsEqual ? ' (--show-equal lists them)' : ''
  const verb = differs === 1 ? 'differs' : 'differ'
  return [`${counted(differs, 'object')} ${verb}`, ...onlyIn, `${equal} equal${hint}`]
}

/** Runs for people: time, command, target, person and commit, then the results. */
export function historyReport({ runs, outcomes, states = [] }: HistoryDocument): Report {
  return {
    is: 'history',
    place: {},
    ...(runs.length > 0
      ? { headline: { verdict: 'Recorded runs', about: `${runs.length}, newest first` } }
      : {}),
    alerts: [],
    sections: [
      ...(states.length > 0 ? [{ is: 'outcomes' as const, title: '', items: states.map(stateItem) }] : []),
      ...(runs.length > 0 ? [{ is: 'runs' as const, title: '', items: runs.map(runItem) }] : []),
      ...(outcomes === undefined ? [] : outcomeSection(outcomes, heldIn(runs))),
    ],
    notes: [],
    counts: [],
    closing: [],
  }
}

function stateItem({ environment, state, begunAt, endedAt, objects, reason }: ShownState): Item {
  const until =
    endedAt === undefined ? `since ${timeLine(begunAt)}` : `${timeLine(begunAt)} to ${timeLine(endedAt)}`
  const size = objects === 0 ? '' : `, ${counted(objects, 'object')}`
  const why = reason === undefined ? '' : `: ${escapeText(reason)}`
  return {
    name: escapeText(environment),
    became: { text: state },
    remark: `${until}${size}${why}`,
    lines: [],
  }
}

/** The outcome of one run for each object, grouped by outcome. */
function outcomeSection(
  outcomes: Readonly<Record<string, ObjectOutcome>>,
  held: ReadonlyMap<string, readonly string[]>,
): Section[] {
  const items = Object.entries(outcomes)
    .sort(
      ([left, one], [right, other]) =>
        objectOutcomes.indexOf(one) - objectOutcomes.indexOf(other) || compareTexts(left, right),
    )
    .map(([address, outcome]): Item => {
      const fields = held.get(address)?.join(', ')
      return {
        address,
        name: escapeText(address),
        became: { text: outcomeText(outcome) },
        ...(fields !== undefined && { remark: escapeText(outcome === 'held' ? fields : `held: ${fields}`) }),
        result: resultOf(outcome),
        lines: [],
      }
    })
  return items.length === 0 ? [] : [{ is: 'outcomes', title: '', items }]
}

/** By address, the fields whose live edits the runs kept. */
function heldIn(runs: HistoryDocument['runs']): Map<string, readonly string[]> {
  const held = runs.flatMap(({ reading }) => ('record' in reading ? (reading.record.held ?? []) : []))
  return new Map(held.map(({ address, fields }) => [address, fields]))
}

function runItem({ reading, state }: ShownRun): Item {
  const name = escapeText(reading.file.run)
  if ('unreadable' in reading) {
    return { name, lines: [aLine('detail', `unreadable: ${reading.unreadable}`, { tone: 'bad' })] }
  }
  const { record } = reading
  const why = record.reason === undefined ? [] : [aLine('why', `why: ${escapeText(record.reason)}`)]
  return { name, remark: originText(record), lines: [...why, doneLine(record, state)] }
}

function doneLine(record: RunRecord, state: RunState): Line {
  const words = stateWords[state]
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
    counts[outcome] > 0 ? [`${counts[outcome]} ${outcomeText(outcome)}`] : [],
  )
  return parts.length === 0 ? 'nothing to do' : parts.join(', ')
}

/** The state of a run in words. A complete run needs none. */
const stateWords: Readonly<Record<RunState, Toned | undefined>> = {
  complete: undefined,
  stopped: { text: 'stopped before its end', tone: 'caution' },
  cut_off: { text: 'cut off, or still under way', tone: 'caution' },
  under_way: { text: 'under way', tone: 'caution' },
  unreadable: { text: 'unreadable', tone: 'bad' },
}

function outcomeText(outcome: ObjectOutcome): string {
  return outcome === 'already' ? 'already done' : outcome.replaceAll('_', ' ')
}

const passed: readonly ObjectOutcome[] = ['done', 'already', 'unchanged']
const skipped: readonly ObjectOutcome[] = ['pending', 'skipped', 'held', 'not_targeted']

function resultOf(outcome: ObjectOutcome): Result {
  return passed.includes(outcome) ? 'passed' : skipped.includes(outcome) ? 'skipped' : 'failed'
}
