import { profilesWith } from '../../services/index.ts'
import { dateForms } from '../../targeting/evaluate/date-examples.ts'
import { type FilterPartName, filterParts, propertyTypes, type Takes } from '../../targeting/filter-parts.ts'
import {
  isUnsettledOperator,
  laterOperators,
  type OperatorValue,
  operators,
  serviceOperators,
} from '../../targeting/operator-table.ts'
import { membersOfShort, namedMembers, shortMembers } from '../../targeting/short/short-form.ts'
import { attributesOf, wireMember } from '../../targeting/typed-form.ts'
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

/** Declarations that the reference shows. A test reads each of them, and finds every operator in them. */

const conditionExample = `
feature_flags:
  checkout_v2:
    active: true
    filters:
      groups:
        # Our own people, all of them.
        - properties:
            - { key: email, type: person, operator: icontains, value: "@example.com" }
        # A quarter of those who are in Germany or Austria and pay.
        - properties:
            - { key: country, type: person, value: [DE, AT] }
            - { key: plan, type: person, operator: is_not, value: free }
          rollout_percentage: 25
        # One in a hundred of everybody else.
        - rollout_percentage: 1
  nobody_yet:
    active: true
    filters: { groups: [] }
`

const operatorExample = `
feature_flags:
  every_operator:
    active: true
    filters:
      groups:
        - properties:
            - { key: country, type: person, operator: exact, value: [DE, AT] }
            - { key: plan, type: person, operator: is_not, value: free }
            - { key: email, type: person, operator: icontains, value: "@example.com" }
            - { key: email, type: person, operator: not_icontains, value: "+test" }
            - { key: name, type: person, operator: regex, value: "^A.*z$" }
            - { key: name, type: person, operator: not_regex, value: "[0-9]" }
            - { key: age, type: person, operator: gt, value: "17" }
            - { key: age, type: person, operator: gte, value: "18" }
            - { key: age, type: person, operator: lt, value: "67" }
            - { key: age, type: person, operator: lte, value: "66" }
            - { key: invited_by, type: person, operator: is_set }
            - { key: closed_at, type: person, operator: is_not_set }
            - { key: joined_at, type: person, operator: is_date_before, value: "2024-01-31" }
            - { key: seen_at, type: person, operator: is_date_after, value: "-7d" }
          rollout_percentage: 10
  operators_of_the_service:
    active: false
    filters:
      groups:
        - properties:
            - { key: id, type: cohort, operator: in, value: 12 }
            - { key: id, type: cohort, operator: not_in, value: 13 }
            - { key: checkout_v2, type: flag, operator: flag_evaluates_to, value: true }
            - { key: age, type: person, operator: between, value: [18, 66] }
            - { key: age, type: person, operator: not_between, value: [0, 17] }
            - { key: age, type: person, operator: min, value: 18 }
            - { key: age, type: person, operator: max, value: 66 }
            - { key: joined_at, type: person, operator: is_date_exact, value: "2024-01-31" }
            - { key: email, type: person, operator: icontains_multi, value: ["@example.com", "@example.org"] }
            - { key: email, type: person, operator: not_icontains_multi, value: [test, demo] }
            - { key: email, type: person, operator: starts_with, value: "anna@" }
            - { key: email, type: person, operator: not_starts_with, value: "test@" }
            - { key: email, type: person, operator: ends_with, value: "@example.com" }
            - { key: email, type: person, operator: not_ends_with, value: "@example.org" }
        - properties:
            - { key: app, type: person, operator: semver_eq, value: 2.1.0 }
            - { key: app, type: person, operator: semver_neq, value: 2.1.1 }
            - { key: app, type: person, operator: semver_gt, value: 2.0.9 }
            - { key: app, type: person, operator: semver_gte, value: 2.1.0 }
            - { key: app, type: person, operator: semver_lt, value: 3.0.0 }
            - { key: app, type: person, operator: semver_lte, value: 2.9.9 }
            - { key: app, type: person, operator: semver_tilde, value: 2.1.0 }
            - { key: app, type: person, operator: semver_caret, value: 2.0.0 }
            - { key: app, type: person, operator: semver_wildcard, value: 2.1.* }
`

const variantExample = `
feature_flags:
  button_colour:
    active: true
    filters:
      groups:
        # Tried first by every service: testers always see the new colour.
        - properties: [{ key: id, type: cohort, value: 12 }]
          variant: blue
        - rollout_percentage: 50
      multivariate:
        variants:
          - { key: control, name: As it was, rollout_percentage: 50 }
          - { key: blue, rollout_percentage: 50 }
`

const payloadExample = `
feature_flags:
  banner:
    active: true
    filters:
      groups: [{ rollout_percentage: 10 }]
      payloads:
        "true": { title: Spring sale, until: "2026-05-01" }
  search_ranking:
    active: true
    filters:
      groups: [{}]
      multivariate:
        variants:
          - { key: recent, rollout_percentage: 50 }
          - { key: popular, rollout_percentage: 50 }
      payloads:
        recent: { boost: 2 }
        popular: '{"boost": 1}' # the same as { boost: 1 }
`

const groupExample = `
feature_flags:
  team_reports:
    active: true
    filters:
      aggregation_group_type_index: 0
      groups:
        - properties: [{ key: plan, type: group, group_type_index: 0, value: enterprise }]
          rollout_percentage: 50
`

/** How to write in the short form who gets a flag. */
export function shortSections(): string[] {
  return [
    '## The short form: `release`, `variants`, `payloads`',
    '',
    'Says what `filters` says, with names in place of places. A flag has the one or the other, in all environments: what has no short',
    'form, such as a member that only newer services know, is written as `filters`.',
    '',
    ...example('flags/short.yaml', shortExample),
    '- `rollout_percentage: 10` releases the flag to 10% of everybody: it is short for `release: { everyone: { rollout_percentage: 10 } }`, and instead of it.',
    '- `release` is a map of conditions, or a list of them. Names of conditions (small letters, digits, `_`, `-`) are for people, for overrides and',
    '  for `ignore`; the service never sees them. They are tried in the order of the file. `[]` is nobody; a flag that says anything in the short form',
    '  has a `release` or a `rollout_percentage`.',
    '- `variants` is a map from keys to percentages, or a list of `{ key, rollout_percentage, name }`, which keys made of digits need: a map would',
    '  put them into another order.',
    '- `payloads` has any JSON, by the key of the variant, or by `true` in a flag without variants. A text that is JSON is taken for that JSON, and any other for a text.',
    '- `group_type_index` and `early_exit` stand beside them.',
    '',
    '### Conditions in the short form',
    '',
    ...table(['Member', 'Meaning'], conditionRows()),
    'A map of `properties` compares each property:',
    '',
    ...table(
      ['Written', 'Is'],
      [
        ['`country: DE`', '`exact`'],
        ['`country: [DE, AT]`', '`exact`: one of them'],
        ['`version: { gte: "2.10", lt: "3" }`', 'operators by their names; all of them must hold'],
        ['`plan: { is_set: true }`', 'an operator that takes no value'],
        [
          '`cohort: { in: beta_testers }`, `cohort: { not_in: 42 }`',
          'membership of a cohort, by its name in the settings or its number',
        ],
      ],
    ),
    'The properties are those of persons, or of groups where the condition or the flag has a `group_type` or `group_type_index`. Other flags and everything else',
    'are written as a list of properties, as in `filters`; there a cohort may have its name as `value`, and a property of groups a `group_type`.',
    '',
    '### Audiences',
    '',
    'An audience is a part of conditions with a name: `audiences` in any file has them, for the flags of all files. The service never sees one; flags',
    'have its properties.',
    '',
    ...example('flags/audiences.yaml', audiencesExample),
    '- A condition with an `audience` has the properties of that audience, then its own; all of them must match. It names one audience: for either of',
    '  two write a condition each, for both let one audience build on the other.',
    '- An audience that names an `audience` builds on it, and has its properties before its own.',
    '- The properties are those of persons. With `group_type` or `group_type_index` they are those of groups, and conditions that name it count these',
    '  groups, by what they or the flag say of it.',
    '- `environments` says what is different in an environment, merged as in the short form of a flag; flags that name the audience follow.',
    '- An audience that is not known, leads back to itself, has no properties (it would be everybody) or is declared twice is an error, one that no flag',
    '  names a warning. What is wrong in its properties is told once, where it says them.',
    '',
    '### Overrides of the short form',
    '',
    `What \`environments\` says of ${listed(shortMembers)} is merged`,
    'with what is shared: maps member by member, while a list or a single value replaces, and `null` removes. A condition or variant that an override',
    'adds goes last. A null that removes nothing is an error, and so is one that was left empty.',
    '',
    'Where `release` is shared, an override has a `rollout_percentage` only with `release: null` beside it, and the other way round: which of the two is',
    'meant is not guessed.',
    '',
    '`ignore: [release.rest.rollout_percentage]` leaves a place of the short form to the service; `ignore: [rollout_percentage]` leaves it the percentage.',
    '',
  ]
}

function listed(names: readonly string[]): string {
  const quoted = names.map(name => `\`${name}\``)
  return `${quoted.slice(0, -1).join(', ')} and ${quoted.at(-1)}`
}

function conditionRows(): string[][] {
  return membersOfShort('condition').map(name => {
    const attribute = attributesOf('condition')[name]
    const doc = attribute ? wireMember('condition', attribute)?.doc : namedMembers.condition[name]
    return [`\`${name}\``, doc ?? '']
  })
}

const shortExample = `
feature_flags:
  short_checkout:
    active: true
    release:
      staff: { properties: { email: { icontains: "@example.com" } }, variant: one_page }
      dach: { properties: { country: [DE, AT, CH], plan: plus }, rollout_percentage: 25 }
      rest: { rollout_percentage: 5 }
    variants: { control: 34, one_page: { rollout_percentage: 66, name: One page } }
    payloads: { one_page: { steps: 2 } }
    environments:
      staging: { release: { rest: { rollout_percentage: 100 } } }
  gift_wrap:
    active: true
    rollout_percentage: 10
    environments: { staging: { rollout_percentage: 100 } }
`

const audiencesExample = `
audiences:
  staff: { properties: { email: { icontains: "@example.com" } } }
  dach: { properties: { country: [DE, AT, CH] } }
  plus_dach: { audience: dach, properties: { plan: plus }, environments: { staging: { properties: { plan: null } } } }
feature_flags:
  short_invoices:
    active: true
    release:
      staff: { audience: staff }
      plus: { audience: plus_dach, properties: { version: { semver_gte: "2.10" } }, rollout_percentage: 25 }
`
