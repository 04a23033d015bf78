import { remedies } from '../../core/run-tests.ts'
import { escapeText } from '../../model/text/escape-text.ts'
import type { TestVerdict } from '../../targeting/index.ts'
import type { CoverageDocument, MissedFlag, TestResult, TestsDocument } from '../document.ts'
import { counted, nameOf } from '../object-names.ts'
import { locatedItem, problemSection } from './problems-report.ts'
import { aLine, type Item, type Manner, type Report, type Section, type Toned } from './report.ts'

export const verdictWords: Readonly<Record<TestVerdict, string>> = {
  passed: 'passed',
  failed: 'failed',
  undecided: 'undecided',
  differs: 'on which services or SDKs differ',
}

/** The tests of flags: those that did not pass, what no test reaches, and those that passed. */
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
      items: isVerbose ? bad.map(one => testItem([one])) : alikeIn(bad, nameless).map(testItem),
    },
    { is: 'coverage', title: 'NOT REACHED BY TESTS', items: missedItems(coverage) },
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

/** The number of tests by verdict, without zeros. */
export function verdictCounts(tests: readonly { readonly verdict: TestVerdict }[]): readonly Toned[] {
  return Object.entries(verdictWords).flatMap(([verdict, words]): Toned[] => {
    const count = tests.filter(test => test.verdict === verdict).length
    return count === 0 ? [] : [{ text: `${count} ${words}`, tone: verdict === 'passed' ? 'good' : 'bad' }]
  })
}

/** `reached by tests: 3 of 4 conditions, 1 of 2 variants (66.6%)`. */
export function coverageSentence({ percent, conditions, variants }: CoverageDocument): string {
  const share = ({ reached, total }: CoverageDocument['conditions'], noun: string) =>
    `${reached} of ${counted(total, noun)}`
  return `reached by tests: ${share(conditions, 'condition')}, ${share(variants, 'variant')} (${percent}%)`
}

/** What tests miss; equal parts in several environments are merged. */
export function missedTogether(
  missed: readonly MissedFlag[],
): readonly { readonly address: string; readonly where: string; readonly words: string }[] {
  return alikeIn(missed, one => JSON.stringify([one.address, missedText(one)])).map(group => ({
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

/** Those that have the same name, in the order of the first of each. */
function alikeIn<One>(all: readonly One[], nameOf: (one: One) => string): readonly Some<One>[] {
  const found = new Map<string, [One, ...One[]]>()
  for (const one of all) {
    const known = found.get(nameOf(one))
    if (known) known.push(one)
    else found.set(nameOf(one), [one])
  }
  return [...found.values()]
}

/** The key of a test, equal in all environments. */
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
  return alikeIn(tests, ({ address }) => address).map(group => ({
    address: group[0].address,
    sign: { text: '=', tone: 'good' },
    name: flagName(group[0].address),
    became: { text: counted(group.length, 'test'), tone: 'plain' },
    lines: [],
  }))
}

function missedItems(coverage: CoverageDocument | undefined): Item[] {
  return missedTogether(coverage?.missed ?? []).map(({ address, where, words }) => ({
    address,
    sign: { text: '!', tone: 'caution' },
    name: escapeText(`${flagName(address)}${where}`),
    lines: [aLine('detail', escapeText(words))],
  }))
}

function flagName(address: string): string {
  return nameOf({ address, kind: address.slice(0, address.indexOf('.')) })
}
