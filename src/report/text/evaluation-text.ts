import type { Json } from '../../model/json/json.ts'
import { escapeText } from '../../model/text/escape-text.ts'
import { describeReason, valueText } from '../../targeting/index.ts'
import type {
  Answer,
  AnswerMatrix,
  CoverageDocument,
  EvaluatedFlagDocument,
  TestsDocument,
} from '../document.ts'
import { coverageSentence, missedTogether, verdictCounts } from '../lines/tests-report.ts'
import { counted } from '../object-names.ts'
import type { Style } from './problem-text.ts'

/** What a person gets: the value of each flag, and below it the reason, and different answers. */
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
      return ['  live: there is no such flag']
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

/** Test results in one line, and coverage if it is included. Failed tests are shown as problems. */
export function testsText({ results, coverage, matrix }: TestsDocument, style: Style): string {
  return [
    ...(matrix ? matrixLines(matrix, style) : []),
    verdictLine(results, style),
    ...(coverage ? coverageLines(coverage, style) : []),
  ]
    .map(line => `${line}\n`)
    .join('')
}

/** A line for each test, with what the service and each SDK answer; why they differ comes behind. */
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
  if (results.length === 0)
    return 'no tests: they stand under "tests", beside a flag or in a file of their own'
  const flags = new Set(results.map(({ address }) => address)).size
  const counts = verdictCounts(results).map(({ text, tone }) =>
    tone === 'good' ? style.good(text) : style.bad(text),
  )
  return `${counted(results.length, 'test')} of ${counted(flags, 'flag')}: ${counts.join(', ')}`
}

/** A longer list would not be read; programs get all, with `--json`. */
const mostFlags = 50

function coverageLines(coverage: CoverageDocument, style: Style): string[] {
  const rows = missedTogether(coverage.missed)
  const rest = rows.length - mostFlags
  return [
    coverageSentence(coverage),
    ...rows
      .slice(0, mostFlags)
      .map(({ address, where, words }) => `  ${escapeText(`${address}${where}: ${words}`)}`),
    ...(rest > 0 ? [style.dim(`  and ${rest} more; --json has all`)] : []),
  ]
}
