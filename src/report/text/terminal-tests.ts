import { escapeText } from '../../model/text/escape-text.ts'
import type { TestVerdict } from '../../targeting/index.ts'
import type { CoverageDocument, MissedFlag, TestsDocument } from '../document.ts'
import { counted } from '../object-names.ts'
import type { Style } from './style.ts'

/** How tests came out, in one line; what they reach, where that is told. Those that did not pass are told as problems. */
export function testsText({ tests, coverage }: TestsDocument, style: Style): string {
  return [verdictLine(tests, style), ...(coverage ? coverageLines(coverage, style) : [])]
    .map(line => `${line}\n`)
    .join('')
}

const verdictWords: Readonly<Record<TestVerdict, string>> = {
  passed: 'passed',
  failed: 'failed',
  undecided: 'undecided',
  differs: 'on which services differ',
}

function verdictLine(tests: TestsDocument['tests'], style: Style): string {
  if (tests.length === 0) return 'no tests: they stand under "tests", beside a flag or in a file of their own'
  const flags = new Set(tests.map(({ address }) => address)).size
  const counts = Object.entries(verdictWords).flatMap(([verdict, words]) => {
    const count = tests.filter(test => test.verdict === verdict).length
    if (count === 0) return []
    const said = `${count} ${words}`
    return [verdict === 'passed' ? style.good(said) : style.bad(said)]
  })
  return `${counted(tests.length, 'test')} of ${counted(flags, 'flag')}: ${counts.join(', ')}`
}

/** Nobody reads on past this many; programs get all, with `--json`. */
const mostFlags = 50

function coverageLines({ percent, conditions, variants, missed }: CoverageDocument, style: Style): string[] {
  const share = ({ reached, total }: CoverageDocument['conditions'], noun: string) =>
    `${reached} of ${counted(total, noun)}`
  const rows = together(missed)
  const rest = rows.length - mostFlags
  return [
    `reached by tests: ${share(conditions, 'condition')}, ${share(variants, 'variant')} (${percent}%)`,
    ...rows.slice(0, mostFlags).map(row => `  ${row}`),
    ...(rest > 0 ? [style.dim(`  and ${rest} more; --json has all`)] : []),
  ]
}

/** One line for what is the same in several environments. */
function together(missed: readonly MissedFlag[]): readonly string[] {
  const found = new Map<string, { readonly one: MissedFlag; readonly environments: string[] }>()
  for (const one of missed) {
    const { address, environment } = one
    const key = JSON.stringify([address, missedText(one)])
    const known = found.get(key) ?? { one, environments: [] }
    found.set(key, known)
    if (environment !== null) known.environments.push(environment)
  }
  return [...found.values()].map(({ one, environments }) => {
    const where = environments.length === 0 ? '' : ` in ${environments.join(', ')}`
    return escapeText(`${one.address}${where}: ${missedText(one)}`)
  })
}

function missedText({ tests, conditions, variants }: MissedFlag): string {
  if (tests === 0) return 'no tests'
  const parts = [
    ...conditions.map(({ number, summary }) => `condition ${number}: ${summary}`),
    ...variants.map(key => `variant ${key}`),
  ]
  return `not reached: ${parts.join('; ')}`
}
