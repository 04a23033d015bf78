import { driftSides, type FoundDrift, isDifference } from '../core/plan/found-drift.ts'
import { declarableKinds } from '../kinds/index.ts'
import { escapeText } from '../model/text/printable.ts'
import { version } from '../model/version.ts'
import { policyBehind } from '../policies/written-policies.ts'
import type { Document, DriftDocument, LocatedProblem, SingleDocument } from './document.ts'
import { type Format, jsonText, type View } from './format.ts'
import { problemLine, worstOf } from './line-text.ts'
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

/**
 * JUnit XML, which every pipeline shows as test results. It has a test case for each object, or for each test
 * of a flag. Everything that keeps an object different from its declaration has failed: a blocking rule,
 * drift, a failed change. Waiting and held changes are skipped.
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
  const all = partsOf(document).map(part => suiteOf(part.document, view, part.environment))
  const command = document.is === 'run' || document.is === 'environments' ? document.command : document.is
  const cases = all.flatMap(each => each.cases)
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name=${attribute(`vexil ${command}`)} ${countsOf(cases)}>`,
    ...all.flatMap(({ lines }) => lines),
    '</testsuites>',
  ]
}

/** A document by itself, or the documents of several environments. */
function partsOf(document: Document): readonly { document: SingleDocument; environment?: string }[] {
  if (document.is !== 'environments') return [{ document }]
  return document.environments.flatMap(({ name, document: part }) =>
    part ? [{ document: part, environment: name }] : [],
  )
}

function suiteOf(document: SingleDocument, view: View, environment: string | undefined) {
  // Every object separately, including unchanged ones.
  const report = reportOf(document, { isVerbose: true, showsUnchanged: true })
  const cases = report ? casesOf(report) : []
  const command = `vexil ${document.is === 'run' ? document.command : document.is}`
  // Readers know a suite by its name, so it has no counts.
  const isCounted = document.is === 'tests' || document.is === 'validation'
  const about = isCounted ? command : (report?.headline?.about ?? '')
  const name = environment === undefined || about.includes(environment) ? about : `${about} in ${environment}`
  const lines = [
    `  <testsuite name=${attribute(name)} ${countsOf(cases)}>`,
    ...cases.flatMap(each => caseLines(each, view)),
    '  </testsuite>',
  ]
  return { cases, lines }
}

/** One test case per object, even if several sections contain the object. */
function casesOf({ is, sections }: Report): Case[] {
  const byKey = new Map<string, Case>()
  // Missing coverage is not a test.
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

/** Sections whose items are separate cases, even if several items concern one object. */
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
          `      <failure type=${attribute(why.item.rule ?? why.section.is)} message=${attribute(messageOf(why.item))}>${escapedXml(itemText(why.item).join('\n'))}</failure>`,
        ]
      : []),
    ...(why && result === 'skipped' ? [`      <skipped message=${attribute(messageOf(why.item))}/>`] : []),
    ...(out.length > 0 ? [`      <system-out>${escapedXml(out.join('\n'))}</system-out>`] : []),
    '    </testcase>',
  ]
}

/** The reason of an item on one line, if it has one. */
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

/** In quotes that the text does not have: some readers refuse more than 1,000 entities (fast-xml-parser 4.5.7). */
function attribute(text: string): string {
  const escaped = escapedXml(text).replaceAll('\n', '&#10;')
  return escaped.includes('"') && !escaped.includes("'")
    ? `'${escaped}'`
    : `"${escaped.replaceAll('"', '&quot;')}"`
}

/** Only what XML requires. */
function escapedXml(text: string): string {
  // XML cannot contain these two characters.
  const sayable = text.replace(/[\ufffe\uffff]/g, '\ufffd')
  return sayable.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll(']]>', ']]&gt;')
}

/**
 * SARIF 2.1.0. Code hosts show the findings at their lines: problems in files, blocked changes, conflicts,
 * held and drifted objects, failures, and changes that reach many people. Paths are relative to the command's
 * working directory, which is the root of the repository in a pipeline.
 */
export const sarif: Format = {
  render: (document, view) => [{ text: `${jsonText(logOf(document, view), 2)}\n` }],
}

const sourceRoot = '%SRCROOT%'

function logOf(document: Document, view: View) {
  return {
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    // The id of a run is the same whether its environment was asked for by itself or with others.
    runs: partsOf(document).map(part => runOf(part.document, view, part.environment)),
  }
}

function runOf(document: SingleDocument, view: View, named: string | undefined) {
  // A test that fails equally in several environments is reported once.
  const manner = { isVerbose: document.is !== 'tests', leavesOutWarnings: true }
  const { sections = [], place: { environment = named ?? '' } = {} } = reportOf(document, manner) ?? {}
  const findings = sections.flatMap(section => section.items.flatMap(item => findingOf(section, item, view)))
  const placed = findings.filter(({ locations }) => locations.length > 0)
  // Code hosts refuse a result without a location.
  const unplaced = findings.filter(({ locations }) => locations.length === 0)
  const rules = new Map<string, (typeof findings)[number]>()
  for (const each of findings) {
    const before = rules.get(each.ruleId)
    if (before === undefined || levels.indexOf(each.level) > levels.indexOf(before.level))
      rules.set(each.ruleId, each)
  }
  return {
    tool: {
      driver: {
        name: 'vexil',
        version,
        semanticVersion: version,
        // Some readers leave out a finding whose rule has no level.
        rules: [...rules.values()].map(({ rule, level }) => ({
          ...rule,
          defaultConfiguration: { level },
        })),
      },
    },
    // Readers merge runs with one id. What is before the last slash is the category.
    automationDetails: { id: `vexil/${document.is}/${environment === '' ? '' : `${environment}/`}` },
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

/** For a policy: its message and remedy. For any other rule: a description of its findings. */
function describedRule(id: string, about: string) {
  const policy = policyBehind(id)
  return policy === undefined
    ? { id, shortDescription: { text: about } }
    : { id, shortDescription: { text: policy.doc }, help: { text: `What to do: ${policy.remedy}.` } }
}

/** An object has one finding per rule, but one finding for each of its tests. */
function fingerprintName({ is }: Section, { name, address = name }: Item): string {
  return is === 'tests' ? name : address
}

const levels = ['note', 'warning', 'error'] as const
type Level = (typeof levels)[number]

/** The rule and the level of a finding; undefined if the item needs no attention. */
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
  lost: 'A live edit that an apply overwrites.',
  blocked: 'A declared change that a rule blocks.',
  conflict: 'A field that was changed in the product and in the repository.',
  held: 'A field that was changed in the product and keeps its live value.',
  drift: 'A live object that differs from its declaration.',
  not_compared: 'An object that the service does not store or does not show.',
  unchanged: 'An object that equals its declaration.',
  events: 'A change that was not applied.',
  comparison: 'An object that differs between environments.',
  runs: 'A recorded run.',
  outcomes: 'An object that still differs from its declaration after a run.',
  tests: 'A test of a flag that did not pass.',
  passed_tests: 'A test of a flag that passed.',
  coverage: 'A flag whose tests do not cover all of it.',
  problems: 'A problem in a file, or why a command failed.',
}

function uriOf(path: string): string {
  const parts = path.replace(/\p{Surrogate}/gu, '\ufffd').split(/[\\/]/)
  return parts.map(encodeURIComponent).join('/')
}

/** SARIF messages may contain links in brackets. Names are not links. */
function withoutLinks(text: string): string {
  return text.replace(/[\\[\]]/g, character => (text.includes('](') ? `\\${character}` : character))
}

/** GitHub Actions annotations for problems in files. Nothing else is shown. */
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

// A line end inside an annotation would start a new annotation.
function escapedText(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function escapedProperty(text: string): string {
  return escapedText(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}

/** The result of a `vexil drift` run. Times are in milliseconds since 1970. */
export interface DriftRun {
  /** Undefined if no environment was chosen, or if the run failed before it was known. */
  readonly environment: string | undefined
  readonly startedAt: number
  readonly endedAt: number
  readonly exitCode: number
  /** Whether the run read the service completely. */
  readonly isSuccess: boolean
  /** The findings; undefined if the run failed earlier. */
  readonly found?: Pick<DriftDocument, 'plan' | 'found'>
}

/** The verdict on an object: a member of `found`, or one of these. */
type Verdict = keyof FoundDrift | 'as_declared' | 'not_compared'

interface Metric {
  readonly name: string
  readonly help: string
  /** Whether the metric describes the run itself. Metrics of objects keep their values if a run fails. */
  readonly isOfRun: boolean
  readonly samples: (run: DriftRun) => readonly Sample[]
}

interface Sample {
  readonly labels?: Readonly<Record<string, string>>
  readonly value: number
}

const metrics: readonly Metric[] = [
  {
    name: 'vexil_drift_objects',
    help: 'Objects by kind and verdict, from the last run that could compare.',
    isOfRun: false,
    samples: ({ found }) => (found ? countedObjects(found) : []),
  },
  {
    name: 'vexil_held_objects',
    help: 'Objects with at least one held field.',
    isOfRun: false,
    samples: ({ found }) => (found ? heldObjects(found) : []),
  },
  {
    name: 'vexil_held_oldest_timestamp_seconds',
    help: 'When the oldest hold began; absent if nothing is held, or if no recorded run has held it.',
    isOfRun: false,
    samples: ({ found }) => (found ? oldestHold(found) : []),
  },
  {
    name: 'vexil_drift_last_success_timestamp_seconds',
    help: 'When the last run ended that read the service completely (exit code 0 or 6).',
    isOfRun: false,
    samples: ({ isSuccess, endedAt }) => (isSuccess ? [{ value: endedAt / 1000 }] : []),
  },
  {
    name: 'vexil_drift_last_run_timestamp_seconds',
    help: 'When the last run ended, with any exit code.',
    isOfRun: true,
    samples: ({ endedAt }) => [{ value: endedAt / 1000 }],
  },
  {
    name: 'vexil_drift_exit_code',
    help: 'The exit code of the last run: 0 no drift, 6 drift, any other code a failure.',
    isOfRun: true,
    samples: ({ exitCode }) => [{ value: exitCode }],
  },
  {
    name: 'vexil_drift_duration_seconds',
    help: 'How long the last run took.',
    isOfRun: true,
    samples: ({ startedAt, endedAt }) => [{ value: (endedAt - startedAt) / 1000 }],
  },
]

/**
 * The metrics of runs in the Prometheus text format, for its textfile collector: one run for each environment.
 * `earlier` is the file of the previous runs. Values that a run could not determine are copied from that file,
 * so that an alert on drift does not end because the service was unreachable.
 */
export function driftMetrics(runs: readonly DriftRun[], earlier = ''): string {
  const blocks = metrics.map(({ name, help, isOfRun, samples }) => {
    const lines = runs.flatMap(run => {
      const environment = run.environment ?? environmentIn(earlier)
      const isKnown = isOfRun || (name.includes('_last_success_') ? run.isSuccess : run.found !== undefined)
      if (isKnown) return samples(run).map(sample => sampleLine(name, environment, sample))
      return linesOf(name, earlier).filter(line => environmentOf(line) === environment)
    })
    return [`# HELP ${name} ${help}`, `# TYPE ${name} gauge`, ...lines]
  })
  return `${blocks.flat().join('\n')}\n`
}

/** Whether a text is an earlier file of metrics. */
export function isDriftMetrics(text: string): boolean {
  return text.startsWith(`# HELP ${metrics[0]?.name} `)
}

function countedObjects({ plan, found }: Pick<DriftDocument, 'plan' | 'found'>): Sample[] {
  const notCompared = plan.blocked.filter(each => !isDifference(each)).map(({ address }) => address)
  // The members of `sides` in `vexil drift --json` have the same names.
  const sides = driftSides(found) as Readonly<Record<keyof FoundDrift, readonly string[]>>
  const verdicts: Readonly<Record<Verdict, readonly string[]>> = {
    as_declared: plan.unchanged,
    ...sides,
    not_compared: [...new Set(notCompared)],
  }
  return declarableKinds.flatMap(({ name: kind }) =>
    Object.entries(verdicts).map(([verdict, addresses]) => ({
      labels: { kind, verdict },
      value: addresses.filter(address => address.startsWith(`${kind}.`)).length,
    })),
  )
}

function heldObjects({ plan }: Pick<DriftDocument, 'plan'>): Sample[] {
  const held = plan.liveEdits.filter(({ fields }) => fields.some(({ treatment }) => treatment === 'held'))
  return declarableKinds.map(({ name }) => ({
    labels: { kind: name },
    value: held.filter(({ kind }) => kind === name).length,
  }))
}

function oldestHold({ plan }: Pick<DriftDocument, 'plan'>): Sample[] {
  const since = plan.liveEdits.flatMap(({ fields }) => fields.flatMap(({ heldSince }) => heldSince ?? []))
  return since.length === 0 ? [] : [{ value: since.reduce((a, b) => Math.min(a, b)) / 1000 }]
}

function sampleLine(name: string, environment: string | undefined, { labels = {}, value }: Sample): string {
  const all = { ...(environment === undefined ? {} : { environment }), ...labels }
  const written = Object.entries(all).map(([label, text]) => `${label}="${escapedLabel(text)}"`)
  return `${name}${written.length === 0 ? '' : `{${written.join(',')}}`} ${value}`
}

/** The samples of one metric in a text that `driftMetrics` wrote. */
function linesOf(name: string, text: string): string[] {
  return text.split('\n').filter(line => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
}

function environmentIn(text: string): string | undefined {
  const [line = ''] = linesOf('vexil_drift_exit_code', text)
  return environmentOf(line)
}

function environmentOf(line: string): string | undefined {
  const found = /environment="((?:[^"\\]|\\.)*)"/.exec(line)?.[1]
  return found?.replaceAll(/\\(.)/g, (_, character) => (character === 'n' ? '\n' : character))
}

/** Escapes the three special characters of a label. */
function escapedLabel(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
}
