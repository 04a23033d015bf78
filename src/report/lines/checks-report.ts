import { remedies } from '../../core/declared-tests.ts'
import type { Problem } from '../../model/problem.ts'
import type { Json } from '../../model/text/json.ts'
import { escapeText } from '../../model/text/printable.ts'
import { describeReason, type TestVerdict, valueText } from '../../targeting/index.ts'
import type {
  Answer,
  AnswerMatrix,
  CoverageDocument,
  EvaluatedFlagDocument,
  FailureDocument,
  Fault,
  LocatedProblem,
  MissedFlag,
  TestResult,
  TestsDocument,
  ValidationDocument,
} from '../document.ts'
import { addressInText, counted, nameOf, problemCounts, type Style } from '../line-text.ts'
import { aLine, type Item, type Manner, type Report, type Section, type Toned } from './report.ts'

export function validationReport({ files, problems }: ValidationDocument): Report {
  const found = problemCounts(problems.map(({ problem }) => problem))
  return {
    ...nothing,
    is: 'validation',
    place: {},
    headline: {
      verdict: problems.length === 0 ? 'No problems' : found,
      about: `${counted(files.length, 'file')} checked`,
    },
    sections: problemSection(problems.map(locatedItem)),
  }
}

export function failureReport({ errors, problems, command, environment }: FailureDocument): Report {
  const items = problems.length > 0 ? problems.map(locatedItem) : errors.map(fault => problemItem(fault))
  return {
    ...nothing,
    is: 'failure',
    place: environment === undefined ? {} : { environment: escapeText(environment) },
    headline: {
      verdict: 'Failed',
      about: [
        ['vexil', ...(command === undefined ? [] : [escapeText(command)])].join(' '),
        ...(environment === undefined ? [] : [escapeText(environment)]),
      ].join(' for '),
    },
    sections: problemSection(items),
  }
}

/** Adds the errors above the other sections of a report. */
export function withErrors(report: Report, errors: readonly Fault[] = []): Report {
  const sections = problemSection(errors.map(fault => problemItem(fault)))
  return { ...report, sections: [...sections, ...report.sections] }
}

/** The largest number of warnings in a report that groups objects. */
const mostWarnings = 10

/** Adds the warnings above the other sections of a report. */
export function withWarnings(
  report: Report,
  warnings: readonly LocatedProblem[] = [],
  isVerbose = false,
): Report {
  const shown = isVerbose ? warnings : warnings.slice(0, mostWarnings)
  const items = [...shown.map(locatedItem), ...moreWarnings(warnings.length - shown.length)]
  if (items.length === 0) return report
  return { ...report, sections: [{ is: 'problems', title: 'WARNINGS', items }, ...report.sections] }
}

function moreWarnings(count: number): Item[] {
  if (count === 0) return []
  const name = `${count} more ${count === 1 ? 'warning' : 'warnings'}`
  return [{ sign: warningSign, name, remark: 'vexil validate lists all', result: 'skipped', lines: [] }]
}

const nothing = { alerts: [], notes: [], counts: [], closing: [] }

function problemSection(items: readonly Item[]): Section[] {
  return items.length === 0 ? [] : [{ is: 'problems', title: 'PROBLEMS', items }]
}

function locatedItem({ problem, path }: LocatedProblem): Item {
  const item = problemItem(problem, problem.severity)
  return path === undefined ? item : { ...item, path: escapeText(path) }
}

function problemItem(
  { code, address, message, hint, source }: Fault,
  severity: Problem['severity'] = 'error',
): Item {
  const about = address === undefined ? '' : `${escapeText(addressInText(address))}: `
  return {
    ...(address === undefined ? {} : { address }),
    sign: severity === 'error' ? { text: 'x', tone: 'bad' } : warningSign,
    name: `${about}${escapeText(message)}`,
    remark: severity === 'error' ? code : `warning, ${code}`,
    rule: code,
    result: severity === 'error' ? 'failed' : 'skipped',
    ...(source && { source }),
    lines: hint === undefined ? [] : [aLine('remedy', escapeText(hint))],
  }
}

const warningSign = { text: '!', tone: 'caution' } as const

export const verdictWords: Readonly<Record<TestVerdict, string>> = {
  passed: 'passed',
  failed: 'failed',
  undecided: 'undecided',
  differs: 'with different values in services or SDKs',
}

/** The tests of flags: tests that did not pass, parts without tests, and passed tests. */
export function testsReport(document: TestsDocument, { isVerbose = false }: Manner = {}): Report {
  const { inWords, problems, coverage, environment } = document
  const bad = inWords.filter(({ verdict }) => verdict !== 'passed')
  const passed = inWords.filter(({ verdict }) => verdict === 'passed')
  const flags = new Set(inWords.map(({ address }) => address)).size
  const isGood = document.exitCode === 0
  const sections: Section[] = [
    // Each finding of a test is reported separately. Low coverage belongs to no single test.
    ...problemSection(problems.filter(({ problem }) => problem.address === undefined).map(locatedItem)),
    {
      is: 'tests',
      title: 'TESTS THAT DID NOT PASS',
      items: isVerbose ? bad.map(one => testItem([one])) : groupByName(bad, nameless).map(testItem),
    },
    { is: 'coverage', title: 'NOT COVERED BY TESTS', items: missedItems(coverage) },
    {
      is: 'passed_tests',
      title: 'TESTS THAT PASSED',
      items: isVerbose ? passed.map(one => testItem([one])) : byFlag(passed),
    },
  ]
  return {
    is: 'tests',
    place: environment === undefined ? {} : { environment: escapeText(environment) },
    headline: {
      verdict: isGood ? 'Passed' : 'Failed',
      about:
        inWords.length === 0 ? 'no tests' : `${counted(inWords.length, 'test')} of ${counted(flags, 'flag')}`,
    },
    alerts: [],
    sections: sections.filter(({ items }) => items.length > 0),
    notes: coverage ? [coverageSentence(coverage)] : [],
    counts: verdictCounts(inWords),
    closing: [],
  }
}

/** The number of tests by verdict. Zeros are omitted. */
function verdictCounts(tests: readonly { readonly verdict: TestVerdict }[]): readonly Toned[] {
  return Object.entries(verdictWords).flatMap(([verdict, words]): Toned[] => {
    const count = tests.filter(test => test.verdict === verdict).length
    return count === 0 ? [] : [{ text: `${count} ${words}`, tone: verdict === 'passed' ? 'good' : 'bad' }]
  })
}

/** `reached by tests: 3 of 4 conditions, 1 of 2 variants (66.6%)`. */
function coverageSentence({ percent, conditions, variants }: CoverageDocument): string {
  const share = ({ reached, total }: CoverageDocument['conditions'], noun: string) =>
    `${reached} of ${counted(total, noun)}`
  return `reached by tests: ${share(conditions, 'condition')}, ${share(variants, 'variant')} (${percent}%)`
}

/** The parts that tests miss. Equal parts in several environments are merged. */
function mergeMissed(
  missed: readonly MissedFlag[],
): readonly { readonly address: string; readonly where: string; readonly words: string }[] {
  return groupByName(missed, one => JSON.stringify([one.address, missedText(one)])).map(group => ({
    address: group[0].address,
    where: placesOf(group),
    words: missedText(group[0]),
  }))
}

function missedText({ tests, conditions, variants }: MissedFlag): string {
  if (tests === 0) return 'no tests'
  const parts = [
    ...conditions.map(({ number, summary }) => `condition ${number}: ${summary}`),
    ...variants.map(key => `variant ${key}`),
  ]
  return `not reached: ${parts.join('; ')}`
}

type Some<One> = readonly [One, ...One[]]

/** Groups items by name, in the order of each group's first item. */
function groupByName<One>(all: readonly One[], nameOf: (one: One) => string): readonly Some<One>[] {
  const found = new Map<string, [One, ...One[]]>()
  for (const one of all) {
    const known = found.get(nameOf(one))
    if (known) known.push(one)
    else found.set(nameOf(one), [one])
  }
  return [...found.values()]
}

/** A key for a test that ignores the environment. */
function nameless({ environment: _, ...test }: TestResult): string {
  return JSON.stringify(test)
}

function placesOf(group: readonly { readonly environment: string | null }[]): string {
  const names = group.flatMap(({ environment }) => environment ?? [])
  return names.length === 0 ? '' : ` in ${names.join(', ')}`
}

function testItem(group: Some<TestResult>): Item {
  const [{ address, verdict, person, expected, got, why, source }] = group
  const isGood = verdict === 'passed'
  const because = why === '' ? '' : ` (${why})`
  return {
    address,
    sign: isGood ? { text: '=', tone: 'good' } : { text: 'x', tone: 'bad' },
    name: escapeText(`${flagName(address)}: ${person} expects ${expected}${placesOf(group)}`),
    became: { text: verdictWords[verdict], tone: isGood ? 'good' : 'bad' },
    ...(isGood ? {} : { rule: `test-${verdict}` }),
    ...(source === null ? {} : { source }),
    lines: isGood
      ? because === ''
        ? []
        : [aLine('why', escapeText(why))]
      : [
          aLine('why', escapeText(`${verdict === 'undecided' ? '' : 'got '}${got}${because}`)),
          aLine('remedy', remedies[verdict]),
        ],
  }
}

/** A flag for all of its tests. */
function byFlag(tests: readonly TestResult[]): Item[] {
  return groupByName(tests, ({ address }) => address).map(group => ({
    address: group[0].address,
    sign: { text: '=', tone: 'good' },
    name: flagName(group[0].address),
    became: { text: counted(group.length, 'test'), tone: 'plain' },
    lines: [],
  }))
}

function missedItems(coverage: CoverageDocument | undefined): Item[] {
  return mergeMissed(coverage?.missed ?? []).map(({ address, where, words }) => ({
    address,
    sign: { text: '!', tone: 'caution' },
    name: escapeText(`${flagName(address)}${where}`),
    lines: [aLine('detail', escapeText(words))],
  }))
}

function flagName(address: string): string {
  return nameOf({ address, kind: address.slice(0, address.indexOf('.')) })
}

/** The values for a person: each flag's value, then the reason and different results. */
export function evaluationText(flags: readonly EvaluatedFlagDocument[], style: Style): string {
  return flags
    .flatMap(flag => flagLines(flag, style))
    .map(line => `${line}\n`)
    .join('')
}

function flagLines(flag: EvaluatedFlagDocument, style: Style): string[] {
  const { flag: key, verdict, by, others, live, undecided } = flag
  const isDiffering = verdict === 'differs'
  const head = isDiffering ? style.caution('differs') : answerText(flag, style)
  const own = isDiffering ? [{ by, ...(undecided === null ? { value: flag.value } : { undecided }) }] : []
  return [
    `${style.bold(escapeText(key))}: ${head}`,
    ...[...own, ...others].map(other => `  ${otherText(other)}`),
    ...(undecided === null || isDiffering ? [] : [`  ${escapeText(undecided)}`]),
    ...reasonLines(flag),
    ...(live ? liveLines(live, style) : []),
  ]
}

function answerText({ value, undecided }: Answer, style: Style): string {
  if (undecided !== null) return style.caution('undecided')
  return value === false ? style.dim('false') : style.good(escapeText(String(value)))
}

function otherText(other: {
  readonly by: string
  readonly value?: Json
  readonly undecided?: string
}): string {
  return other.undecided === undefined
    ? escapeText(`${String(other.value)} by ${other.by}`)
    : escapeText(`undecided by ${other.by}: ${other.undecided}`)
}

function reasonLines({ reason, condition, payload, undecided }: Answer): string[] {
  if (undecided !== null) return []
  return [
    `  ${escapeText(describeReason(reason, condition))}`,
    ...(payload === null ? [] : [`  payload ${escapeText(valueText(payload))}`]),
  ]
}

function liveLines(live: NonNullable<EvaluatedFlagDocument['live']>, style: Style): string[] {
  switch (live.is) {
    case 'missing':
      return ['  live: the flag does not exist']
    case 'same':
      return ['  live: the same']
    case 'differs':
      return [
        `  live: ${answerText(live, style)}, which differs`,
        ...reasonLines(live).map(line => `  ${line}`),
      ]
    case 'not_known':
      return [
        `  live: ${answerText(live, style)}`,
        ...(live.undecided === null
          ? reasonLines(live).map(line => `  ${line}`)
          : [`    ${escapeText(live.undecided)}`]),
      ]
    default:
      return live satisfies never
  }
}

/** Test results on one line, with the coverage if it was requested. Failed tests are shown as problems. */
export function testsText({ results, coverage, matrix }: TestsDocument, style: Style): string {
  return [
    ...(matrix ? matrixLines(matrix, style) : []),
    verdictLine(results, style),
    ...(coverage ? coverageLines(coverage, style) : []),
  ]
    .map(line => `${line}\n`)
    .join('')
}

/** A line for each test with the results of service and SDKs. The reasons for differences follow. */
function matrixLines({ sdks, rows, notes }: AnswerMatrix, style: Style): string[] {
  const head = ['flag', 'person', 'service', ...sdks.map(name => name.replace(/^posthog-/, ''))]
  const cells = rows.map(({ address, environment, person, service, sdks: answers }) => {
    const flag = address.replace(/^[^.]*\./, '')
    return [environment === null ? flag : `${flag} (${environment})`, person, service, ...answers].map(
      escapeText,
    )
  })
  const widths = head.map((_, at) => Math.max(...[head, ...cells].map(row => row[at]?.length ?? 0)))
  const line = (row: readonly string[], mark: string) =>
    `${mark} ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ')}`.trimEnd()
  return [
    style.dim(line(head, ' ')),
    ...cells.map((row, at) => (rows[at]?.differs ? style.bad(line(row, '!')) : line(row, ' '))),
    ...notes.flatMap(({ address, lines }) => lines.map(each => escapeText(`! ${address}: ${each}`))),
  ]
}

function verdictLine(results: TestsDocument['results'], style: Style): string {
  if (results.length === 0) return 'no tests: add them under "tests", in a flag or in a file of tests'
  const flags = new Set(results.map(({ address }) => address)).size
  const counts = verdictCounts(results).map(({ text, tone }) =>
    tone === 'good' ? style.good(text) : style.bad(text),
  )
  return `${counted(results.length, 'test')} of ${counted(flags, 'flag')}: ${counts.join(', ')}`
}

/** People do not read longer lists. Programs get all entries with `--json`. */
const mostFlags = 50

function coverageLines(coverage: CoverageDocument, style: Style): string[] {
  const rows = mergeMissed(coverage.missed)
  const rest = rows.length - mostFlags
  return [
    coverageSentence(coverage),
    ...rows
      .slice(0, mostFlags)
      .map(({ address, where, words }) => `  ${escapeText(`${address}${where}: ${words}`)}`),
    ...(rest > 0 ? [style.dim(`  and ${rest} more; --json has all`)] : []),
  ]
}
