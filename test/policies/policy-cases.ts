import type { Json, JsonObject } from '../../src/model/text/json.ts'
import type { DeclaredPolicyName } from '../../src/policies/policy-table.ts'

/** A policy of the settings with a declared object that is against it, and the same once its remedy is followed. */
export interface PolicyCase {
  readonly policy: DeclaredPolicyName
  readonly setting: Json
  /** The section that the object stands in: flags, or grants of a flag. */
  readonly section: 'feature_flags' | 'feature_flag_role_access'
  /** Fields as they are on the wire; of a flag the key is `open`. */
  readonly refused: JsonObject
  readonly accepted: JsonObject
  /** Files that the setting names, beside the settings. */
  readonly files?: Readonly<Record<string, string>>
  /** What is said, and the field at which it is; its name where it is about none. */
  readonly says: string
  readonly at: string
}

export const support = '01900000-0000-0000-0000-0000000000aa'
export const audit = '01900000-0000-0000-0000-0000000000ab'
/** The roles as the settings name them. */
export const roles = { support, audit }
/** The day on which the cases are looked at. */
export const today = '2026-11-21'

const half = { groups: [{ rollout_percentage: 50 }] }
const all = { groups: [{ rollout_percentage: 100 }] }
const person = (key: string, operator: string, value: Json) => ({
  groups: [{ properties: [{ key, type: 'person', operator, value }] }],
})
const flag = { section: 'feature_flags', at: 'filters' } as const

/** Each policy on what stacks and constructs know as well, so that all of them can be asked. */
export const policyCases: readonly PolicyCase[] = [
  {
    ...flag,
    policy: 'expiry',
    setting: 'error',
    refused: { active: true, filters: half },
    accepted: { active: true, filters: half, tags: ['expires:2027-03-01'] },
    says: 'it has no `expires` date',
    at: 'key',
  },
  {
    ...flag,
    policy: 'expiry',
    setting: '30 days',
    refused: { active: true, filters: half, tags: ['expires:2026-12-22'] },
    accepted: { active: true, filters: half, tags: ['expires:2026-12-21'] },
    says: 'it expires on 2026-12-22, in 31 days; at most 30 are allowed',
    at: 'key',
  },
  {
    policy: 'grants_only_to',
    setting: ['support'],
    section: 'feature_flag_role_access',
    refused: { role_id: audit },
    accepted: { role_id: support },
    says: 'the role "audit" gets a grant, but only "support" may have one',
    at: 'role_id',
  },
  {
    ...flag,
    policy: 'max_rollout',
    setting: 49,
    refused: { active: true, filters: half },
    accepted: { active: true, filters: { groups: [{ rollout_percentage: 49 }] } },
    says: 'condition 1 (everyone) goes to 50%; the ceiling is 49%',
  },
  {
    ...flag,
    policy: 'name_pattern',
    setting: { feature_flags: '^open$' },
    refused: { key: 'opened', active: false, filters: half },
    accepted: { active: false, filters: half },
    says: 'the key does not match /^open$/u',
    at: 'key',
  },
  ...[
    person('email', 'exact', ['ops@example.com', 'ada@example.com']),
    person('email', 'regex', '^(ada|grace)@example\\.com$'),
    person('$mail', 'is_not', 'ada.lovelace+x@example.co.uk'),
  ].map(
    (filters): PolicyCase => ({
      ...flag,
      policy: 'no_personal_email',
      setting: 'error',
      refused: { active: true, filters },
      accepted: { active: true, filters: person('email', 'regex', '^[a-z]+\\w.*@example\\.com$') },
      says: `condition 1 contains a person's e-mail address, in the values of "${filters.groups[0]?.properties[0]?.key}"`,
    }),
  ),
  {
    ...flag,
    policy: 'no_personal_email',
    setting: 'error',
    refused: {
      active: false,
      filters: { groups: [{ rollout_percentage: 0 }, ...person('a', 'icontains', 'x@y.org').groups] },
    },
    accepted: { active: false, filters: { groups: person('email', 'icontains', '@example.com').groups } },
    says: 'condition 2 contains a person\'s e-mail address, in the values of "a"',
  },
  {
    ...flag,
    policy: 'no_release_to_everyone',
    setting: 'error',
    refused: { active: true, filters: all },
    accepted: { active: true, filters: { groups: [{ rollout_percentage: 99 }] } },
    says: 'condition 1 (everyone) goes to 100% of everybody; add properties, or a lower percentage',
  },
  {
    ...flag,
    policy: 'owner',
    setting: 'error',
    refused: { active: true, filters: half, tags: ['pay'] },
    accepted: { active: true, filters: half, tags: ['pay', 'owner:payments'] },
    says: 'no tag names an owner; a tag must match /^(owner|team)[:-]/u',
    at: 'tags',
  },
  ...[
    { keyword: { maximum: 25 }, at: '/filters/groups/0/rollout_percentage', says: 'must be <= 25' },
    { keyword: { const: 25 }, at: '/filters/groups/0/rollout_percentage', says: 'must be 25' },
  ].map(
    ({ keyword, at, says }): PolicyCase => ({
      ...flag,
      policy: 'schemas',
      setting: { feature_flags: 'policies/flag.schema.json' },
      files: { 'policies/flag.schema.json': JSON.stringify(schemaAt(at, keyword)) },
      refused: { active: true, filters: half },
      accepted: { active: true, filters: { groups: [{ rollout_percentage: 25 }] } },
      says: `"${at}" ${says}, by policies/flag.schema.json`,
    }),
  ),
  {
    ...flag,
    policy: 'schemas',
    setting: { feature_flags: 'flag.yaml.json' },
    // YAML is read as well; what is about the object as a whole stands at its key.
    files: { 'flag.yaml.json': 'required: [key, name]\nproperties: { name: { minLength: 3 } }\n' },
    refused: { active: false },
    accepted: { active: false, name: 'Open' },
    says: `the object must have required property 'name', by flag.yaml.json`,
    at: 'key',
  },
  {
    ...flag,
    policy: 'two_person',
    setting: { above: 50, tag: 'reviewed-by:*' },
    refused: { active: true, filters: all, tags: ['reviewed'] },
    accepted: { active: true, filters: all, tags: ['reviewed-by:ada'] },
    says: 'condition 1 (everyone) goes to 100%; above 50% it needs the tag "reviewed-by:*"',
  },
]

/** A schema that asks something of what is at a pointer. */
function schemaAt(pointer: string, keyword: object): object {
  return pointer
    .split('/')
    .slice(1)
    .reverse()
    .reduce<object>(
      (inner, segment) =>
        /^[0-9]+$/.test(segment) ? { prefixItems: [inner] } : { properties: { [segment]: inner } },
      keyword,
    )
}
