import { profilesWith } from '../../services/index.ts'
import { dateForms } from '../../targeting/evaluate/dates/date-examples.ts'
import { type FilterPartName, filterParts, propertyTypes, type Takes } from '../../targeting/filter-parts.ts'
import {
  isUnsettledOperator,
  laterOperators,
  type OperatorValue,
  operators,
  serviceOperators,
} from '../../targeting/operator-table.ts'
import {
  conditionExample,
  groupExample,
  operatorExample,
  payloadExample,
  variantExample,
} from './reference-filter-examples.ts'
import { example, table } from './reference-table.ts'

/** How to write the filters of a flag. */
export function filterSections(): string[] {
  return [
    '## How to write `filters`',
    '',
    filterParts.filters.doc,
    '',
    'Members that are misspelt or in the wrong place are errors, since the service would take them without a word and release',
    'to more people than meant. Members that resemble nothing known are sent as they are, with a warning. `filters: {}` is',
    'everybody, and so is a condition with neither `properties` nor `rollout_percentage`; `groups: []` is nobody.',
    '',
    ...memberTable('filters'),
    '### Conditions',
    '',
    `${filterParts.condition.doc} A person who meets several conditions falls at the same place in each of them.`,
    '',
    ...memberTable('condition'),
    ...example('flags/conditions.yaml', conditionExample),
    '### Properties',
    '',
    filterParts.property.doc,
    '',
    ...memberTable('property'),
    ...table(['Type', 'What it looks at'], wordRows(propertyTypes)),
    '#### Operators',
    '',
    ...table(['Operator', 'Meaning', 'Value'], operatorRows()),
    `These are known to services with profile ${known}, in ways that differ from engine to engine ([services](../docs/services.md)). Others keep them,`,
    'and may match nobody. `validate` warns of one that the service does not know or may not take.',
    '',
    ...table(['Operator', 'Meaning', 'Value', 'SDKs', 'May be written'], laterRows()),
    'The rest are old names of others, or belong to one type alone: `in` and `not_in` (and `exact`) to cohorts, `flag_evaluates_to` to flags.',
    'An operator of another type is refused, and so is `negation` where the service ignores it.',
    '',
    ...table(['Operator', 'Meaning'], wordRows(serviceOperators)),
    ...example('flags/operators.yaml', operatorExample),
    '#### Dates',
    '',
    'A date is read in these forms, as the service reads them; another text is refused with the reason. In YAML, put it in quotes.',
    '',
    ...table(['Written', 'Is'], dateRows()),
    '#### Patterns',
    '',
    "A pattern is one of Python's `re`, searched for anywhere in the text: classes are those of Unicode, groups are named",
    '`(?P<name>...)`, flags stand at the start, as in `(?i)`. One that Python refuses matches nobody and is refused. One that looks',
    'around or refers back, repeats without giving back, or has flags in its middle is sent with a warning: only the service decides it.',
    '',
    '### Variants',
    '',
    'Everybody who gets the flag gets one of its variants, by their shares, or the one that the condition forces.',
    '',
    ...memberTable('multivariate'),
    ...memberTable('variant'),
    ...example('flags/variants.yaml', variantExample),
    '### Payloads',
    '',
    `${filterParts.filters.members.payloads?.doc} A text is read as JSON; write other values as they are.`,
    '',
    ...example('flags/payloads.yaml', payloadExample),
    '### Groups instead of persons',
    '',
    'With `aggregation_group_type_index` the percentages count groups, companies say, and all properties are properties of the group.',
    '',
    ...example('flags/groups.yaml', groupExample),
  ]
}

function memberTable(part: FilterPartName): string[] {
  const rows = Object.entries(filterParts[part].members).map(([name, { takes, doc, required }]) => [
    `\`${name}\``,
    `${takesText(takes)}${required ? ', required' : ''}`,
    doc,
  ])
  return table([`In ${filterParts[part].title.replaceAll('"', '`')}`, 'Type', 'Meaning'], rows)
}

function takesText(takes: Takes): string {
  switch (takes.is) {
    case 'anything':
      return 'any'
    case 'text':
      return 'text'
    case 'truth':
      return 'true or false'
    case 'number':
      return `number, ${takes.from} to ${takes.to}`
    case 'integer':
      return `whole number, ${takes.from} to ${takes.to}`
    case 'word':
      return 'one of the words below'
    case 'part':
      return 'object'
    case 'parts':
      return 'list'
    case 'payloads':
      return 'object of any JSON'
    default:
      return takes satisfies never
  }
}

function operatorRows(): string[][] {
  return Object.entries(operators).map(([name, { words, value }]) => [
    `\`${name}\``,
    words,
    valuePhrase[value],
  ])
}

const known = profilesWith('later_operators', 'known')
  .map(profile => `\`${profile}\``)
  .join(' and ')

function laterRows(): string[][] {
  return Object.entries(laterOperators).map(([name, { words, value, knownTo }]) => [
    `\`${name}\``,
    words,
    valuePhrase[value],
    knownTo === 'sdks' ? 'work it out' : 'ask the service',
    isUnsettledOperator(name) ? 'not known' : 'yes',
  ])
}

function dateRows(): string[][] {
  return dateForms.map(({ examples, says }) => [examples.map(text => `\`${text}\``).join(', '), says])
}

function wordRows(words: Readonly<Record<string, string>>): string[][] {
  return Object.entries(words).map(([name, says]) => [`\`${name}\``, says])
}

const valuePhrase: Readonly<Record<OperatorValue, string>> = {
  any: 'a text, a number, true or false, or a list of them',
  text: 'a text; numbers in quotes',
  pattern: 'a regular expression, as Python reads it',
  date: 'a date such as `2024-01-31`, `2024-01-31 10:15 UTC` or `Jan 31 2024`, or one from now: `-7d` (h, d, w, m, y)',
  range: 'a list of two numbers, the lower one first',
  version: 'a version, `1.2.3`, in quotes; in `semver_wildcard` a star for what does not matter, `1.2.*`',
  none: 'none',
}
