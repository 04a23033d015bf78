import { version } from '../model/version.ts'
import { policyBehind } from '../policies/said-policies.ts'
import type { Document } from './document.ts'
import { jsonText } from './escape-json.ts'
import type { Format, View } from './format.ts'
import { itemWords, lineWords, pathOf } from './lines/items/item-words.ts'
import { resultOf } from './lines/items/result.ts'
import type { Item, Section, SectionKind } from './lines/report.ts'
import { reportOf } from './lines/report-of.ts'

/**
 * SARIF 2.1.0, by which code hosts show findings at the lines that they are about: problems of files, what is blocked,
 * in conflict, held or drifted, what failed, and changes of which nobody may overlook how many people they reach. Paths are
 * as seen from where the command runs, which is the root of the repository in a pipeline.
 */
export const sarif: Format = {
  render: (document, view) => [{ text: `${jsonText(logOf(document, view), 2)}\n` }],
}

const sourceRoot = '%SRCROOT%'

function logOf(document: Document, view: View) {
  // A test is told once for all environments in which it fails alike.
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

/** A policy says what it asks and what to do; any other rule what its findings have in common. */
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

/** Which rule has found it, and how bad that is; undefined for what nobody has to look at. */
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
