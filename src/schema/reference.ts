import { declarableKinds, kinds } from '../kinds/index.ts'
import { profiles } from '../model/connection.ts'
import type { Field } from '../model/field.ts'
import { guards } from '../model/guard-rules.ts'
import { type DeclarableKind, identityField, type Kind, managedFields } from '../model/kind.ts'
import { defaultMember, existsField } from '../model/live-edit-policy.ts'
import { type RiskSteps, riskRuleNames, riskRules } from '../model/risk.ts'
import { isJsonArray, isJsonObject, type Json, type JsonObject, pickMembers } from '../model/text/json.ts'
import { plannedPolicies } from '../policies/planned-policies.ts'
import { declaredPolicyNames, policyCode, policyRow } from '../policies/policy-table.ts'
import { settingNames, settingRow } from '../policies/written-policies.ts'
import { agreements } from '../services/agreements.ts'
import { type Difference, differences, valueIn } from '../services/differences.ts'
import { rulesOf } from '../services/engines.ts'
import { facts, limits } from '../services/facts.ts'
import { libraryFacts } from '../services/libraries.ts'
import { type Refusal, refusals } from '../services/refusals.ts'
import { type SdkRule, sdkRules } from '../services/sdk-rules.ts'
import { type Sdk, sdks } from '../services/sdks.ts'
import { type FilterPartName, filterParts, propertyTypes, type Takes } from '../targeting/filter-parts.ts'
import {
  isUnsettledOperator,
  laterOperators,
  type OperatorValue,
  operators,
  serviceOperators,
} from '../targeting/operators.ts'
import { membersOfShort, namedMembers } from '../targeting/short/short-form.ts'
import { attributesOf, wireMember } from '../targeting/typed-form.ts'
import { declarationSchema, policyMembers } from './declaration-schema.ts'
import { settingsSchema } from './settings-schema.ts'

/** The computed parts of `schemas/reference.md`, by name. The page itself has the explanations. */
export function referenceParts(): PageParts {
  const settings = propertiesOf(settingsSchema())
  return {
    settings: propertyTable('Setting', settings),
    environments: propertyTable('Setting', settingsOfEnvironment(settings)),
    ownership: propertyTable('Setting', propertiesOf(settings.ownership)),
    limits: propertyTable('Setting', propertiesOf(settings.limits)),
    policies: policyTable(),
    'policy-options': policyOptionTable(),
    windows: propertyTable('Member', plannedPolicies.frozen.options.windows.schema.items.properties),
    'live-edits': propertyTable(
      'Setting',
      pickMembers(propertiesOf(settings.live_edits), (_, name) => ownLiveEdits.includes(name)),
    ),
    risk: riskTable(),
    runs: propertyTable('Setting', propertiesOf(settings.runs)),
    notify: propertyTable('Setting', propertiesOf(settings.notify)),
    pace: propertyTable('Setting', propertiesOf(settings.pace)),
    defaults: propertyTable('Setting', propertiesOf(membersOf(settings.defaults, 'items'))),
    fields: declarableKinds.flatMap(fieldsSection),
    'beside-fields': declarableKinds.flatMap(extrasSection),
    guards: table(
      ['Rule', 'Blocks'],
      Object.entries(guards).map(([rule, { doc }]) => [code(rule), doc]),
    ),
    'short-condition': table(['Member', 'Meaning'], conditionRows()),
    filters: memberTable('filters'),
    condition: memberTable('condition'),
    property: memberTable('property'),
    'property-types': table(['Type', 'What it checks'], wordRows(propertyTypes)),
    operators: table(['Operator', 'Meaning', 'Value'], operatorRows()),
    'later-operators': table(['Operator', 'Meaning', 'Value', 'SDKs', 'May be written'], laterRows()),
    'service-operators': table(['Operator', 'Meaning'], wordRows(serviceOperators)),
    dates: table(
      ['Written', 'Is'],
      dateForms.map(({ examples, says }) => [examples.map(code).join(', '), says]),
    ),
    variants: [...memberTable('multivariate'), ...memberTable('variant')],
    operations: Object.values<Kind>(kinds).flatMap(operationSection),
  }
}

function settingsOfEnvironment(settings: JsonObject): JsonObject {
  const all = propertiesOf(membersOf(settings.environments, 'additionalProperties'))
  return pickMembers(all, (_, name) => !(name in settings))
}

const ownLiveEdits: readonly string[] = [defaultMember, existsField, 'automation']

/** A schema inside another schema. */
function membersOf(schema: Json | undefined, keyword: 'items' | 'additionalProperties'): JsonObject {
  const inner = isJsonObject(schema) ? schema[keyword] : undefined
  return isJsonObject(inner) ? inner : {}
}

function policyTable(): string[] {
  const rows = settingNames.map(name => {
    const { doc, alone } = settingRow(name)
    const found = declaredPolicyNames.find(each => each === name)
    const rule = found ? policyCode(policyRow(found).rule) : name
    return [code(name), doc, alone === undefined ? '' : code(alone), code(rule)]
  })
  return table(['Policy', 'Asks', 'Alone', 'Reported as'], rows)
}

function policyOptionTable(): string[] {
  const ofAll = Object.entries(policyMembers).map(([member, { description }]) => [
    'any',
    code(member),
    String(description),
  ])
  const options = settingNames.flatMap(name =>
    Object.entries(settingRow(name).options).map(([option, { schema, required }]) => [
      code(name),
      `${code(option)}${required ? ', required' : ''}`,
      String(schema.description),
    ]),
  )
  return table(['Policy', 'Option', 'Meaning'], [...ofAll, ...options])
}

function riskTable(): string[] {
  const rows = riskRuleNames.map(rule => {
    const { doc, level } = riskRules[rule]
    return [code(rule), code(typeof level === 'string' ? level : flowOf(level)), doc]
  })
  return table(['Rule', 'Default', 'Applies if'], rows)
}

function flowOf(steps: RiskSteps): string {
  const parts = Object.entries(steps).map(([level, points]) => `${level}: ${points}`)
  return `{ ${parts.join(', ')} }`
}

function operationSection(kind: Kind): string[] {
  const rows = Object.entries(kind.endpoints).map(([name, { method, path, status, doc }]) => [
    code(`${kind.name}.${name}`),
    method,
    code(path),
    String(status),
    doc,
  ])
  return [`### ${kind.title}`, '', ...table(['Operation', 'Method', 'Path', 'Status', 'Meaning'], rows)]
}

function fieldsSection(kind: DeclarableKind): string[] {
  const identity = identityField(kind)
  const managed = Object.entries(kind.fields).filter(
    ([name, { access }]) => access === 'managed' && name !== identity,
  )
  const rows = managed.map(([name, field]) => [code(name), typePhrase(field), field.doc])
  const finder = kind.identity.by === 'field' ? `its \`${identity}\`` : `its flag and its \`${identity}\``
  return [
    `### \`${kind.section}\``,
    '',
    kind.doc,
    '',
    `Found by ${finder}. ${removalText(kind)}`,
    '',
    ...table(['Field', 'Type', 'Meaning'], rows),
  ]
}

function extrasSection(kind: DeclarableKind): string[] {
  const section = propertiesOf(declarationSchema())[kind.section]
  const object = isJsonObject(section) ? (section.additionalProperties ?? section.items) : undefined
  const managed = managedFields(kind)
  const extras = pickMembers(propertiesOf(object), (_, name) => !managed.includes(name))
  return [`### In \`${kind.section}\``, '', ...propertyTable('Member', extras)]
}

function removalText({ lifecycle }: DeclarableKind): string {
  const created = lifecycle.cannotCreate ? `It is adopted, never created: ${lifecycle.cannotCreate}. ` : ''
  return `${created}${lifecycle.softDelete ? 'Deleting is soft and can be undone.' : 'Deleting is final.'}`
}

function typePhrase(field: Field): string {
  switch (field.type) {
    case 'string':
      return field.oneOf ? field.oneOf.map(code).join(', ') : 'text'
    case 'integer':
      return 'whole number'
    case 'boolean':
      return 'true or false'
    case 'json':
      return field.orArray ? 'object or list' : 'object'
    case 'structure':
      return field.of.name.replaceAll('_', ' ')
    default:
      return field.type
  }
}

function memberTable(part: FilterPartName): string[] {
  const rows = Object.entries(filterParts[part].members).map(([name, { takes, doc, required }]) => [
    code(name),
    `${takesText(takes)}${required ? ', required' : ''}`,
    doc,
  ])
  return table([`In ${filterParts[part].title.replaceAll('"', '`')}`, 'Type', 'Meaning'], rows)
}

const takesPhrase = {
  anything: 'any',
  text: 'text',
  truth: 'true or false',
  number: 'number',
  integer: 'whole number',
  word: 'one of the words below',
  part: 'object',
  parts: 'list',
  payloads: 'an object with any JSON values',
} satisfies Readonly<Record<Takes['is'], string>>

function takesText(takes: Takes): string {
  return `${takesPhrase[takes.is]}${'from' in takes ? `, ${takes.from} to ${takes.to}` : ''}`
}

function operatorRows(): string[][] {
  return Object.entries(operators).map(([name, { words, value }]) => [code(name), words, valuePhrase[value]])
}

function laterRows(): string[][] {
  return Object.entries(laterOperators).map(([name, { words, value, knownTo }]) => [
    code(name),
    words,
    valuePhrase[value],
    knownTo === 'sdks' ? 'evaluate it' : 'ask the service',
    isUnsettledOperator(name) ? 'not known' : 'yes',
  ])
}

function wordRows(words: Readonly<Record<string, string>>): string[][] {
  return Object.entries(words).map(([name, says]) => [code(name), says])
}

function conditionRows(): string[][] {
  return membersOfShort('condition').map(name => {
    const attribute = attributesOf('condition')[name]
    const doc = attribute ? wireMember('condition', attribute)?.doc : namedMembers.condition[name]
    return [code(name), doc ?? '']
  })
}

const valuePhrase: Readonly<Record<OperatorValue, string>> = {
  any: 'a text, a number, true or false, or a list of them',
  text: 'a text; numbers in quotes',
  pattern: "a regular expression in Python's syntax",
  date: 'a date such as `2024-01-31`, `2024-01-31 10:15 UTC` or `Jan 31 2024`, or a relative date such as `-7d` (h, d, w, m, y)',
  range: 'a list of two numbers, lowest first',
  version:
    'a version, `1.2.3`, in quotes; in `semver_wildcard` with a star for the parts that do not matter, `1.2.*`',
  none: 'none',
}

interface DateForm {
  readonly says: string
  /** Examples of dates in this form. The service accepts all of them. */
  readonly examples: readonly string[]
}

/** All date forms that conditions accept, as people write them. */
export const dateForms: readonly DateForm[] = [
  { says: 'a day', examples: ['2024-01-31', '2024/1/31', '2024.01.31', '20240131'] },
  {
    says: 'a day; the first number is the month if it can be one',
    examples: ['01/31/2024', '31/01/2024', '31.01.2024', '01-31-2024'],
  },
  {
    says: 'a day with the English name of its month, optionally after the day of the week',
    examples: ['Jan 31 2024', 'January 31st, 2024', '31 Jan 2024', '31-Jan-2024', 'Wed, 31 Jan 2024'],
  },
  {
    says: "a month or a year; missing parts come from today's date, so `validate` warns",
    examples: ['2024-01', 'Jan 2024', '2024'],
  },
  {
    says: 'a day with a time; UTC unless a zone follows',
    examples: [
      '2024-01-31 10:15',
      '2024-01-31T10:15:30.250',
      '20240131T101530',
      '2024-01-31 10:15 pm',
      'Jan 31 2024 at 10am',
    ],
  },
  {
    says: 'a zone: an offset, or UTC',
    examples: [
      '2024-01-31T10:15Z',
      '2024-01-31 10:15 UTC',
      '2024-01-31 10:15 GMT',
      '2024-01-31T10:15+01:00',
      '2024-01-31T10:15 +0100',
      '2024-01-31T10:15+01',
    ],
  },
  {
    says: 'a time before now, in hours, days, weeks, months or years; only in conditions',
    examples: ['-12h', '-7d', '2w', '-1m', '-1y'],
  },
]

/** Lines of Markdown by the name of their part. Each part ends with an empty line. */
export type PageParts = Readonly<Record<string, readonly string[]>>

/**
 * Fills the computed parts into a page. Each part is between `<!-- computed: NAME -->` and `<!-- end -->`.
 * People write everything else. Each part must occur exactly once.
 */
export function fillPage(page: string, parts: PageParts): string {
  const missing = new Set(Object.keys(parts))
  const filled = page.replace(/(<!-- computed: (\S+) -->\n\n)[\s\S]*?(?=<!-- end -->)/g, (_, head, name) => {
    if (!missing.delete(name))
      throw new RangeError(`the page contains "${name}" twice, or there is no such part`)
    return `${head}${(parts[name] ?? []).join('\n')}\n`
  })
  if (missing.size > 0) throw new RangeError(`the page lacks ${[...missing].join(', ')}`)
  return filled
}

/** A table in Markdown and an empty line; no lines if there are no rows. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  if (rows.length === 0) return []
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line), '']
}

function propertyTable(title: string, properties: JsonObject): string[] {
  const rows = Object.entries(properties).map(([name, schema]) => {
    const { type, enum: choices, description } = isJsonObject(schema) ? schema : {}
    const types = [type ?? 'any'].flat().join(' or ')
    const words = isJsonArray(choices) ? choices.map(choice => `\`${choice}\``).join(', ') : types
    return [`\`${name}\``, words, String(description ?? '')]
  })
  return table([title, 'Type', 'Meaning'], rows)
}

export function propertiesOf(schema: Json | undefined): JsonObject {
  return isJsonObject(schema) && isJsonObject(schema.properties) ? schema.properties : {}
}

/** Formats a value as files and commands write it. */
export function code(value: string | number | boolean): string {
  return `\`${value}\``
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|')
}

/** The known services and their differences, in Markdown. */
export function servicesReference(): string {
  return [
    '# Services',
    '',
    'Vexil works with three services. `profile` in an environment names one; with `auto`, the default, the first answers show which it is. `npm run generate` computes',
    'this page. Facts and sources: [service-facts.md](service-facts.md). SDKs that evaluate flags by themselves: [who-evaluates.md](who-evaluates.md).',
    '',
    ...table(
      ['Profile', 'Service'],
      profiles.map(profile => [code(profile), facts[profile].title]),
    ),
    '## Differences',
    '',
    'An empty cell means the same as the cell before it. `vexil sandbox quirks` prints these values and all other values that a [sandbox](sandbox.md) accepts.',
    '',
    ...table(['Behaviour', ...profiles.map(code), 'Meaning'], differenceRows()),
    '## What is refused',
    '',
    "The service of 2026 refuses these requests. The error message contains the service's text and this remedy. A plan blocks most of them before it writes anything",
    '([rules](how-it-decides.md#what-is-blocked)).',
    '',
    ...table(['Refusal', 'Remedy'], refusalRows()),
    '## Limits',
    '',
    'Above these limits a service answers 429. `vexil doctor` shows the known limits and the limits in the answers.',
    '',
    ...table(['Service', 'Counted', 'Per minute', 'Per hour', 'For each'], limitRows()),
  ].join('\n')
}

function differenceRows(): readonly (readonly string[])[] {
  return Object.entries<Difference>(differences).flatMap(([name, row]) => {
    const values = profiles.map(profile => valueIn(row, profile))
    if (values.every(value => value === values[0])) return []
    const cells = values.map((value, at) => (at > 0 && value === values[at - 1] ? '' : code(value)))
    return [[code(name), ...cells, row.doc]]
  })
}

function refusalRows(): readonly (readonly string[])[] {
  return Object.entries<Refusal>(refusals).map(([name, { remedy }]) => [
    code(name),
    remedy.replace('$1', 'that it names'),
  ])
}

function limitRows(): readonly (readonly string[])[] {
  return profiles.flatMap(profile =>
    limits[profile].map(({ of, perMinute, perHour = '', each }) => [
      ...[code(profile), of, String(perMinute), String(perHour), each],
    ]),
  )
}

/** Where SDKs with local evaluation answer otherwise than the service, in Markdown. */
export function evaluatorsReference(): string {
  return [
    '# Who evaluates',
    '',
    'The service evaluates flags, and so do SDKs that have loaded them. Some SDKs answer otherwise than the service of `posthog-2026`: then one person gets two values.',
    'This page has each difference, the versions with it, and what to write so that all agree.',
    '',
    'It comes from the answers of these versions to over 230 cases; `npm run sdks` asks them again. `posthog-server` is the SDK for Java.',
    '',
    ...table(['SDK', 'Rules changed in', 'Newest tested'], rangeRows()),
    '`sdks` in vexil.yaml lists the SDKs of your team, such as `sdks: { posthog-go: "1.5.2", posthog-python: ">=7.79" }`. Then `validate`, `plan`, `evaluate` and `test` use',
    'their rules. A flag that makes one of them fail is an error. Without `sdks`, `validate` warns if the newest SDKs differ, for the profile `posthog-2026`. Set `sdks: {}` if',
    'your team always asks the service.',
    '',
    ...Object.entries(agreements).flatMap(ruleSection),
    '## Libraries',
    '',
    'What libraries make of flags and payloads; payloads that are objects agree best. `npm run findings` runs a script for each row.',
    '',
    ...table(
      ['Library', 'What it does', 'Write instead'],
      libraryFacts.map(({ library, version, does, write }) => [`${code(library)} ${version}`, does, write]),
    ),
  ]
    .join('\n')
    .trimEnd()
    .concat('\n')
}

function rangeRows(): readonly (readonly string[])[] {
  return sdkEntries.map(([name, { newest, ranges }]) => [
    code(name),
    ranges
      .map(({ from }) => from)
      .reverse()
      .join(', '),
    newest,
  ])
}

const sdkEntries = Object.entries<Sdk>(sdks)

function ruleSection([rule, write]: readonly [string, string]): string[] {
  const { about, service, sdks: ways }: SdkRule = sdkRules[rule as keyof typeof sdkRules]
  const answers = Object.entries(ways).flatMap(([way, answer]) => {
    const who = whoAnswers(rule, way).join(', ')
    return who === '' ? [] : [`- ${who}: ${answer}`]
  })
  return [
    `## ${rule}`,
    '',
    `${about}: the service ${service}.`,
    '',
    ...answers,
    '',
    `To agree: ${write}.`,
    '',
  ]
}

/** The versions with a value of a rule: `posthog-go`, or `posthog-node` 5.57.0 and later. */
function whoAnswers(rule: string, way: string): string[] {
  return sdkEntries.flatMap(([name, { ranges }]) => {
    const ways = ranges.map(range => Object.entries(rulesOf(range)).find(([known]) => known === rule)?.[1])
    return ways.flatMap((each, at) => {
      // Ranges begin with the newest; neighbours with one value are one range.
      if (each !== way || (at > 0 && ways[at - 1] === way)) return []
      const oldest = ways.findIndex((older, index) => index > at && older !== way)
      const from = oldest < 0 ? undefined : ranges[oldest - 1]?.from
      const before = ranges[at - 1]?.from
      if (from === undefined) return [before === undefined ? code(name) : `${code(name)} before ${before}`]
      return [`${code(name)} ${from} ${before === undefined ? 'and later' : `to before ${before}`}`]
    })
  })
}
