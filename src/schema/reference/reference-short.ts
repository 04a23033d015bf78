import { attributesOf, wireMember } from '../../targeting/codec/typed-form.ts'
import { membersOfShort, namedMembers, shortMembers } from '../../targeting/short/short-form.ts'
import { example, table } from './reference-table.ts'

/** How to say who gets a flag in the short form. */
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
