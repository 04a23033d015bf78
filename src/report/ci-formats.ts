import { escapeText } from '../model/text/escape-text.ts'
import { version } from '../model/version.ts'
import { policyBehind } from '../policies/written-policies.ts'
import type { Document, LocatedProblem } from './document.ts'
import { type Format, jsonText, type View } from './format.ts'
import {
  type Item,
  itemWords,
  lineWords,
  pathOf,
  type Report,
  type Result,
  resultOf,
  type Section,
  type SectionKind,
} from './lines/report.ts'
import { reportOf } from './lines/report-of.ts'
import { problemLine, worstOf } from './text/problem-text.ts'

/**
 * JUnit's XML, which every pipeline shows as test results: a test case for each object, or for each test of a flag. What keeps it from being as
 * declared has failed: a rule that blocks it, drift, a change that failed. What waits or is held is skipped.
 */
export const junit: Format = {
  render: (document, view) => [{ text: `${suitesOf(document, view).join('\n')}\n` }],
}

interface Case {
  readonly name: string
  readonly classname: string
  readonly results: readonly { readonly section: Section; readonly item: Item; readonly result: Result }[]
}

function suitesOf(document: Document, view: View): string[] {
  // Every object separately, even unchanged ones.
  const report = reportOf(document, { isVerbose: true, showsUnchanged: true })
  const cases = report ? casesOf(report) : []
  const name = attribute(`vexil ${document.is === 'run' ? document.command : document.is}`)
  const about = attribute(report?.headline?.about ?? '')
  const counts = countsOf(cases)
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name=${name} ${counts}>`,
    `  <testsuite name=${about} ${counts}>`,
    ...cases.flatMap(each => caseLines(each, view)),
    '  </testsuite>',
    '</testsuites>',
  ]
}

/** An object that is in several sections is one case. */
function casesOf({ is, sections }: Report): Case[] {
  const byKey = new Map<string, Case>()
  // What tests do not reach is no test.
  for (const [at, section] of sections.filter(({ is }) => is !== 'coverage').entries())
    for (const [index, item] of section.items.entries()) {
      const { address, rule } = item
      const isObject = address !== undefined && !areCases.has(section.is)
      const key = isObject ? address : `${at} ${index}`
      const before = byKey.get(key)
      const results = [...(before?.results ?? []), { section, item, result: resultOf(section, item) }]
      const ofFlag = section.is === 'problems' ? undefined : address
      const classname = isObject ? (address.split('.')[0] ?? '') : (ofFlag ?? rule ?? is)
      byKey.set(key, { name: before?.name ?? item.name, classname, results })
    }
  return [...byKey.values()]
}

/** Sections whose items are one case each, even if several are about one object. */
const areCases: ReadonlySet<SectionKind> = new Set(['problems', 'tests', 'passed_tests'])

function resultIn({ results }: Case): Result {
  const all = results.map(({ result }) => result)
  return all.includes('failed') ? 'failed' : all.includes('skipped') ? 'skipped' : 'passed'
}

function countsOf(cases: readonly Case[]): string {
  const of = (wanted: Result) => cases.filter(each => resultIn(each) === wanted).length
  return `tests="${cases.length}" failures="${of('failed')}" errors="0" skipped="${of('skipped')}"`
}

function caseLines(each: Case, { folder }: View): string[] {
  const { name, classname, results } = each
  const place = placeOf(each, folder)
  const head = `<testcase name=${attribute(name)} classname=${attribute(classname)}${place}`
  const result = resultIn(each)
  const why = results.find(one => one.result === result)
  const out = results.filter(one => one !== why || result === 'passed').flatMap(({ item }) => itemText(item))
  return [
    `    ${head}>`,
    ...(why && result === 'failed'
      ? [
          `      <failure type=${attribute(why.item.rule ?? why.section.is)} message=${attribute(messageOf(why.item))}>${escaped(itemText(why.item).join('\n'))}</failure>`,
        ]
      : []),
    ...(why && result === 'skipped' ? [`      <skipped message=${attribute(messageOf(why.item))}/>`] : []),
    ...(out.length > 0 ? [`      <system-out>${escaped(out.join('\n'))}</system-out>`] : []),
    '    </testcase>',
  ]
}

/** The reason on one line, if the item has one. */
function messageOf(item: Item): string {
  const [first] = item.lines
  return [
    itemWords(item),
    ...(item.remark === undefined ? [] : [item.remark]),
    ...(first ? [lineWords(first)] : []),
  ].join(': ')
}

function itemText(item: Item): string[] {
  const remark = item.remark === undefined ? '' : ` (${item.remark})`
  return [`${itemWords(item)}${remark}`, ...item.lines.map(lineWords)]
}

function placeOf({ results }: Case, folder: string | undefined): string {
  const [place] = results.flatMap(({ item }) => {
    const path = pathOf(item, folder)
    return path === undefined ? [] : [{ path, line: item.source?.line }]
  })
  if (!place) return ''
  const line = place.line === undefined ? '' : ` line="${place.line}"`
  return ` file=${attribute(escapeText(place.path))}${line}`
}

function attribute(text: string): string {
  return `"${escaped(text).replaceAll('"', '&quot;').replaceAll('\n', '&#10;')}"`
}

function escaped(text: string): string {
  // XML cannot contain these two.
  const sayable = text.replace(/[\ufffe\uffff]/g, '\ufffd')
  return sayable.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/**
 * SARIF 2.1.0. Code hosts show its findings at their lines: problems of files, blocked changes, conflicts,
 * held and drifted objects, failures, and changes that reach many people. Paths are relative to the working
 * directory of the command, which is the root of the repository in a pipeline.
 */
export const sarif: Format = {
  render: (document, view) => [{ text: `${jsonText(logOf(document, view), 2)}\n` }],
}

const sourceRoot = '%SRCROOT%'

function logOf(document: Document, view: View) {
  // A test is reported once for all environments in which it fails equally.
  const manner = { isVerbose: document.is !== 'tests', leavesOutWarnings: true }
  const { sections = [] } = reportOf(document, manner) ?? {}
  const findings = sections.flatMap(section => section.items.flatMap(item => findingOf(section, item, view)))
  const placed = findings.filter(({ locations }) => locations.length > 0)
  // Code hosts refuse a result without a place.
  const unplaced = findings.filter(({ locations }) => locations.length === 0)
  const rules = [...new Map(findings.map(({ ruleId, rule }) => [ruleId, rule])).values()]
  return {
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'vexil', version, semanticVersion: version, rules } },
        automationDetails: { id: `vexil/${document.is}/` },
        originalUriBaseIds: {
          [sourceRoot]: { description: { text: 'The folder in which the command ran.' } },
        },
        columnKind: 'utf16CodeUnits',
        invocations: [
          {
            executionSuccessful: document.is !== 'failure',
            toolExecutionNotifications: unplaced.map(({ level, message, ruleId }) => ({
              level,
              message,
              associatedRule: { id: ruleId },
            })),
          },
        ],
        results: placed.map(({ rule: _, ...result }) => result),
      },
    ],
  }
}

function findingOf(section: Section, item: Item, { folder }: View) {
  const finding = ruleOf(section, item)
  if (!finding) return []
  const { ruleId, level, about } = finding
  const path = pathOf(item, folder)
  const words = [
    itemWords(item),
    ...(item.remark === undefined ? [] : [item.remark]),
    ...item.lines.map(lineWords),
  ]
  const { source } = item
  return [
    {
      rule: describedRule(ruleId, about),
      ruleId,
      level,
      message: { text: withoutLinks(words.join('\n')) },
      locations:
        path === undefined
          ? []
          : [
              {
                physicalLocation: {
                  artifactLocation: { uri: uriOf(path), uriBaseId: sourceRoot },
                  ...(source ? { region: { startLine: source.line, startColumn: source.column } } : {}),
                },
              },
            ],
      ...(item.address === undefined
        ? {}
        : { partialFingerprints: { 'vexilObject/v1': `${ruleId}:${fingerprintName(section, item)}` } }),
    },
  ]
}

/** The message and the remedy of a policy; for any other rule, what its findings have in common. */
function describedRule(id: string, about: string) {
  const policy = policyBehind(id)
  return policy === undefined
    ? { id, shortDescription: { text: about } }
    : { id, shortDescription: { text: policy.doc }, help: { text: `What to do: ${policy.remedy}.` } }
}

/** An object has one finding of each rule, but a finding for each of its tests. */
function fingerprintName({ is }: Section, { name, address = name }: Item): string {
  return is === 'tests' ? name : address
}

type Level = 'error' | 'warning' | 'note'

/** The rule of a finding, and its level; undefined if people need not look at it. */
function ruleOf(section: Section, item: Item): { ruleId: string; level: Level; about: string } | undefined {
  const result = resultOf(section, item)
  const about = abouts[section.is]
  if (section.is === 'problems')
    return { ruleId: item.rule ?? 'failed', level: result === 'failed' ? 'error' : 'warning', about }
  if (item.alert !== undefined) return { ruleId: 'alert', level: 'warning', about: abouts.changes }
  if (result === 'passed' && section.is !== 'lost') return undefined
  const isError = result === 'failed' && errorSections.has(section.is)
  const level = isError ? 'error' : result === 'skipped' ? 'note' : 'warning'
  return { ruleId: item.rule ?? section.is, level, about }
}

const errorSections: ReadonlySet<SectionKind> = new Set(['events', 'conflict', 'tests'])

const abouts: Readonly<Record<SectionKind, string>> = {
  changes: 'A change that reaches many more people than before.',
  lost: 'What was changed in the product, and an apply writes over.',
  blocked: 'A declared change that a rule keeps from being done.',
  conflict: 'A field that was changed in the product and in the repository.',
  held: 'A field that was changed in the product and stays as it is there.',
  drift: 'A live object that is not as it is declared.',
  not_compared: 'An object that the service has no place for, or does not show.',
  unchanged: 'An object that is as declared.',
  events: 'A change that was not carried out.',
  comparison: 'An object that differs between environments.',
  runs: 'A run on record.',
  outcomes: 'An object that a run left otherwise than as declared.',
  tests: 'A test of a flag that did not pass.',
  passed_tests: 'A test of a flag that passed.',
  coverage: 'A flag of which tests do not reach everything.',
  problems: 'Something in a file that has to be mended, or why a command failed.',
}

function uriOf(path: string): string {
  const parts = path.replace(/\p{Surrogate}/gu, '\ufffd').split(/[\\/]/)
  return parts.map(encodeURIComponent).join('/')
}

/** Messages of SARIF may hold links in brackets; names are none. */
function withoutLinks(text: string): string {
  return text.replace(/[\\[\]]/g, character => (text.includes('](') ? `\\${character}` : character))
}

/** Annotations of GitHub Actions for problems of files. Nothing else is shown. */
export const annotations: Format = {
  render: document => worstOf(problemsOf(document)).map(located => ({ text: annotationOf(located) })),
}

function problemsOf(document: Document): readonly LocatedProblem[] {
  return 'problems' in document ? document.problems : []
}

function annotationOf({ problem: { severity, source, ...problem }, path = '' }: LocatedProblem): string {
  const place = source ? ` file=${escapedProperty(path)},line=${source.line},col=${source.column}` : ''
  return `::${severity}${place}::${escapedText(escapeText(problemLine({ severity: 'error', ...problem })))}\n`
}

// A line end inside of an annotation would start another one.
function escapedText(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function escapedProperty(text: string): string {
  return escapedText(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
