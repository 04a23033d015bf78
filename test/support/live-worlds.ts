import fc from 'fast-check'
import { numberFrom } from '../../src/hcl/json.ts'
import type { Json, JsonObject } from '../../src/model/text/json.ts'
import { writeJson } from '../../src/model/text/json-text.ts'
import type { WorldFile } from '../../src/sandbox/index.ts'
import { anyText } from './any-text.ts'

export const worldOrganization = '01900000-0000-0000-0000-000000000001'
export const worldRoles = [
  { id: '01900000-0000-0000-0000-0000000000aa', name: 'Support Team' },
  { id: '01900000-0000-0000-0000-0000000000bb', name: 'Growth' },
] as const

/** Texts that some reader of YAML takes for something else, or that a careless writer breaks. */
export const textTraps: readonly string[] = [
  ...['yes', 'no', 'on', 'null', 'Null', '~', 'true', 'y', '=', '<<', '---', '...', '- a', '? a', ': a', '?'],
  ...['1e3', '0x1F', '0o17', '012', '1_000', '.5', '-1', '+1', '.inf', '-.INF', '.nan', '12:30:45', '1.'],
  ...['2024-01-01', '2024-01-01T10:00:00Z', '9007199254740993', '123456789012345678901234567890'],
  ...[
    'a: b',
    'a:',
    'a #b',
    '# a',
    '*a',
    '&a',
    '!a',
    '!!x',
    '!!str a',
    '%',
    '%YAML 1.1',
    '@a',
    '`a',
    '|',
    '>',
  ],
  ...['[a', '{a', ', a', ']', '}', 'a, b', '[a, b]', '{a: b}', '"', "'", '"a"', "it's", '\\', '\\n', 'a\\'],
  ...[' a', 'a ', '\ta', 'a\t', 'a\tb', ' ', '\t', '', '\n', '\n\n', 'a\n', '\na', ' \n a', 'a\n\n', 'a \nb'],
  ...['a\nb', 'a\n- b', 'a\n  b: c', '- a\n- b', 'a\n# b', 'a\n---\nb', 'a\n...\n', 'a\r\nb', 'a\rb', '\r'],
  ...[
    '\u0007',
    '\u001b[31m',
    '\u007f',
    '\u0085',
    'a\u0085b',
    '\u2028',
    'a\u2029b',
    '\ufeff',
    '\ufeffa',
    'a\ufeff',
  ],
  ...['\u00a0', 'a\u00a0', '\u200b', '\ufffe', '\uffff', '\ufffd', '\u{1f600}', 'e\u0301', '\u{10ffff}'],
  ...[`$\{a}`, `$\{env:HOME}`, `$$\{env:HOME}`, `$$$\{`, '$', '$$', `$\{env:`],
  ...[
    'x'.repeat(100),
    'long text '.repeat(30),
    `${'word '.repeat(40)}\n- end`,
    'y'.repeat(5000),
    '\u{1f600}'.repeat(250),
  ],
]

/** Names that are members of every JavaScript object. */
export const nameTraps: readonly string[] = [
  'constructor',
  'prototype',
  '__proto__',
  'toString',
  'hasOwnProperty',
]

export const oddText: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...textTraps) },
  { weight: 3, arbitrary: glued() },
  { weight: 1, arbitrary: anyText({ maxLength: 30 }) },
)

/** Traps in a row: a line end, a blank or a dash is harmless until something stands before it. */
function glued(): fc.Arbitrary<string> {
  const piece = fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom('\n', ' ', '-', 'a', '\t', ': ', '#', "'", '"', '\n\n') },
    {
      weight: 1,
      arbitrary: fc.constantFrom('\r', '|', '>', '%', '...', 'word '.repeat(20), '\u0085', '\ufeff'),
    },
  )
  return fc.array(piece, { minLength: 2, maxLength: 6 }).map(parts => parts.join(''))
}

/** Names as the service keeps them: not empty, without blanks around them. */
export const oddName: fc.Arbitrary<string> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom('checkout', 'dark_mode', 'a', 'A', 'with.dots', 'a/b', 'a~1b', '0', '1', 'id'),
  },
  {
    weight: 4,
    arbitrary: oddText.map(text => text.trim()).filter(text => text !== '' && [...text].length <= 400),
  },
)

/** Numbers as the service's database keeps them: all digits of any. */
const plainNumber: fc.Arbitrary<Json> = fc.oneof(
  { weight: 5, arbitrary: doubles() },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom('9007199254740993', '-1234567890123456789012', '0.12345678901234567890123')
      .map(numberFrom),
  },
)

function doubles(): fc.Arbitrary<number> {
  const double = fc.double({ noNaN: true, noDefaultInfinity: true })
  return (
    fc
      .oneof(fc.integer({ min: -1000, max: 1000 }), fc.constantFrom(0.1, 1.5, 33.33, 1e-7, 5e-324), double)
      // What no double says exactly is above; the service keeps one zero.
      .filter(one => !Object.is(one, -0) && (!Number.isInteger(one) || Number.isSafeInteger(one)))
  )
}

/** Any JSON, a few levels deep. */
export const oddJson: fc.Arbitrary<Json> = fc.letrec<{ json: Json }>(tie => ({
  json: fc.oneof(
    { maxDepth: 2, depthIdentifier: 'json' },
    fc.constant(null),
    fc.boolean(),
    plainNumber,
    oddText,
    fc.array(tie('json'), { maxLength: 3 }),
    fc.dictionary(fc.oneof(oddText, oddName), tie('json'), { maxKeys: 3, noNullPrototype: true }),
  ),
})).json

/** Members that newer services and other hands have left behind, and slips that nobody noticed. */
const strayMembers: fc.Arbitrary<JsonObject> = fc.oneof(
  { weight: 8, arbitrary: fc.constant({}) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<JsonObject>({ description: 'note' }, { sort_key: '1' }, { label: 'x' }),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom<JsonObject>(
      { rollout_precentage: 10 },
      { percentage: 10 },
      { rollout: null },
      { varaint: 'a' },
      { variants: [] },
      { constructor: { prototype: [1] } },
    ),
  },
  {
    weight: 1,
    arbitrary: fc.dictionary(oddName, oddJson, { minKeys: 1, maxKeys: 1, noNullPrototype: true }),
  },
)

function withStrays(part: fc.Arbitrary<JsonObject>): fc.Arbitrary<JsonObject> {
  return fc.tuple(part, strayMembers).map(([members, strays]) => ({ ...strays, ...members }))
}

const operator = fc.constantFrom(
  ...['exact', 'is_not', 'icontains', 'not_icontains', 'regex', 'not_regex', 'gt', 'gte', 'lt', 'lte'],
  ...['is_set', 'is_not_set', 'is_date_before', 'is_date_after', 'in', 'not_in', 'between', 'semver_gte'],
  ...['flag_evaluates_to', 'EXACT', 'no_such_operator', 'between_days'],
)

const propertyValue: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>(
    'DE',
    ['DE', 'AT'],
    100,
    2.5,
    true,
    null,
    [],
    {},
    '100',
    '2024-01-31',
    '-7d',
    '^a+$',
    '(',
    1,
  ),
  oddText,
  fc.array(fc.oneof(oddText, plainNumber), { maxLength: 4 }),
  oddJson,
)

const property: fc.Arbitrary<JsonObject> = withStrays(
  fc.record(
    {
      key: fc.oneof(fc.constantFrom('country', 'email', 'id'), oddName),
      value: propertyValue,
      operator: fc.oneof({ weight: 5, arbitrary: operator }, { weight: 1, arbitrary: fc.constant(null) }),
      type: fc.oneof(
        { weight: 5, arbitrary: fc.constant('person') },
        { weight: 2, arbitrary: fc.constantFrom('cohort', 'group', 'flag', 'event', 'hogql', null) },
      ),
      group_type_index: fc.constantFrom<Json>(null, 0, 1, 7),
      negation: fc.constantFrom<Json>(null, true, false),
      cohort_name: fc.constantFrom<Json>(null, 'Beta'),
    },
    { requiredKeys: ['key'] },
  ),
)

const share: fc.Arbitrary<Json> = fc.constantFrom<Json>(null, 0, 5, 33.33, 99.5, 100, 150, -1, 1e-7)

const condition: fc.Arbitrary<JsonObject> = withStrays(
  fc.record(
    {
      properties: fc.oneof({ weight: 5, arbitrary: fc.array(property, { maxLength: 3 }) }, fc.constant(null)),
      rollout_percentage: share,
      variant: fc.constantFrom<Json>(null, 'a', 'b', 'gone'),
      aggregation_group_type_index: fc.constantFrom<Json>(null, null, 0, 3),
      users_affected: fc.constantFrom<Json>(null, 12),
    },
    { requiredKeys: [] },
  ),
)

const variant: fc.Arbitrary<JsonObject> = withStrays(
  fc.record(
    {
      key: fc.oneof(fc.constantFrom('a', 'b'), oddName),
      name: fc.oneof(oddText, fc.constant(null)),
      rollout_percentage: share,
    },
    { requiredKeys: ['key', 'rollout_percentage'] },
  ),
)

const multivariate: fc.Arbitrary<Json> = fc.oneof(
  fc.constant(null),
  fc.record({ variants: fc.array(variant, { maxLength: 4 }) }),
  fc.constantFrom<Json>(
    {},
    { variants: null },
    {
      variants: [
        { key: 'a', name: '', rollout_percentage: 50 },
        { key: 'b', rollout_percentage: 50 },
      ],
    },
  ),
)

const payload: fc.Arbitrary<Json> = fc.oneof(
  oddJson,
  oddJson.map(json => writeJson(json)),
  fc.constantFrom<Json>('not json', '{"a":', '{"b": [1, 2]}', ' "a"\n', '1.10', 'true', ''),
)

const payloads: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>(null, {}),
  fc.dictionary(fc.oneof(fc.constantFrom('true', 'a', 'b'), oddName), payload, {
    maxKeys: 3,
    noNullPrototype: true,
  }),
)

/** Filters as a database may hold them: written by older screens, by programs, and before today's checks. */
export const liveFilters: fc.Arbitrary<JsonObject> = fc.oneof(
  { weight: 6, arbitrary: filtersOfToday() },
  { weight: 1, arbitrary: filtersOfOld() },
)

/** As they were kept before there were several conditions; slips in them were kept as well. */
function filtersOfOld(): fc.Arbitrary<JsonObject> {
  return withStrays(
    fc.record(
      {
        properties: fc.oneof(fc.array(property, { maxLength: 3 }), fc.constant(null)),
        rollout_percentage: share,
        propertes: fc.array(property, { maxLength: 1 }),
        groups: fc.constant(null),
        payloads,
      },
      { requiredKeys: [] },
    ),
  )
}

function filtersOfToday(): fc.Arbitrary<JsonObject> {
  return withStrays(
    fc.record(
      {
        groups: fc.oneof({ weight: 6, arbitrary: fc.array(condition, { maxLength: 3 }) }, fc.constant(null)),
        multivariate,
        payloads,
        aggregation_group_type_index: fc.constantFrom<Json>(null, null, null, 0, 4, 9),
        super_groups: fc.constantFrom<Json>(null, [], [{ properties: [], rollout_percentage: 100 }]),
        holdout_groups: fc.constantFrom<Json>(null, [{ rollout_percentage: 10, variant: 'holdout-1' }]),
        holdout: fc.constantFrom<Json>(null, { id: 1, exclusion_percentage: 10 }),
        feature_enrollment: fc.constantFrom<Json>(null, true),
        early_exit: fc.boolean(),
      },
      { requiredKeys: [] },
    ),
  )
}

/** What a declaration says in a member of its own, and what only looks like that. */
const memberTag = fc
  .tuple(
    fc.constantFrom('owner', 'expires', 'Owner'),
    fc.constantFrom('payments', 'Growth', '2027-03-01', '2027-02-30', ' x', ''),
  )
  .map(([member, value]) => `${member}:${value}`)

/** Tags as the service takes them: it trims them and makes them lower-case, and keeps none that is blank. */
const tags = fc.array(
  fc
    .oneof(fc.constantFrom('Shop', 'ours', 'two words'), memberTag, oddText)
    .filter(tag => tag.trim() !== '' && [...tag].length <= 255),
  { maxLength: 4 },
)

const flag = fc.record(
  {
    key: fc.oneof({ weight: 12, arbitrary: oddName }, fc.constantFrom(...nameTraps)),
    name: oddText,
    active: fc.boolean(),
    deleted: fc.oneof({ weight: 6, arbitrary: fc.constant(false) }, fc.constant(true)),
    filters: liveFilters,
    tags,
    ensure_experience_continuity: fc.constantFrom(true, false, null),
    has_enriched_analytics: fc.constantFrom(true, false, null),
    performed_rollback: fc.constantFrom(true, false, null),
    rollback_conditions: fc.constantFrom<JsonObject[] | null>(null, [], [{ threshold: 1.5, operator: 'gt' }]),
    experiment_set: fc.subarray([1, 2]),
    can_edit: fc.boolean(),
    role_access: fc.subarray(['Support Team', 'Growth']),
  },
  { requiredKeys: ['key'] },
)

const plugin = fc.record(
  {
    // The service keeps no names of plugins apart.
    name: fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom('geo', 'geo (2)', 'clock') },
      { weight: 2, arbitrary: oddName },
      fc.constant(null),
    ),
    plugin_type: fc.constantFrom('source', 'custom', 'local', 'repository', null),
    description: fc.oneof(oddText, fc.constant(null)),
    icon: fc.oneof(oddText, fc.constant(null)),
    tag: fc.oneof(oddText, fc.constant(null)),
    config_schema: fc.oneof(
      fc.dictionary(oddName, oddJson, { maxKeys: 2, noNullPrototype: true }),
      fc.array(oddJson, { maxLength: 2 }),
      fc.constant(null),
    ),
    public_jobs: fc.constantFrom<JsonObject | null>(null, {}, { clear: { days: { type: 'number' } } }),
    capabilities: fc.constantFrom<JsonObject | null>(null, {}, { methods: ['processEvent'] }),
    is_global: fc.boolean(),
    source: fc.dictionary(
      fc.oneof(fc.constantFrom('index.ts', '../odd', 'plugin.json', '.hidden', 'a b.ts'), oddName),
      fc.oneof(oddText, fc.constantFrom('export {}\n', '{"name":"other","config":[]}', '{"name":')),
      { maxKeys: 3, noNullPrototype: true },
    ),
  },
  { requiredKeys: ['name'] },
)

const definition = fc.record(
  {
    // Events are recorded under whatever name they were sent with.
    name: fc.oneof(oddName, fc.constantFrom('$pageview', ' paid', 'paid', 'paid ')),
    tags,
    post_to_chat: fc.boolean(),
    last_seen_at: fc.constant('2024-01-31T10:00:00Z'),
  },
  { requiredKeys: ['name'] },
)

/** What one project holds. */
export type LiveProject = Pick<WorldProject, 'feature_flags' | 'event_definitions'>

export const liveProject: fc.Arbitrary<LiveProject> = fc.record({
  feature_flags: fc.uniqueArray(flag, { selector: ({ key }) => key, maxLength: 6 }),
  event_definitions: fc.uniqueArray(definition, { selector: ({ name }) => name, maxLength: 4 }),
})

export const livePlugins = fc.array(plugin, { maxLength: 4 })

type WorldProject = NonNullable<WorldFile['organizations'][number]['projects']>[number]

/** One organization with its plugins, and the projects 1, 2 and so on. */
export function worldOf(
  plugins: WorldFile['organizations'][number]['plugins'],
  ...projects: readonly LiveProject[]
): WorldFile {
  const numbered = projects.map((project, index) => ({
    id: index + 1,
    name: `Project ${index + 1}`,
    ...project,
  }))
  return {
    organizations: [
      { id: worldOrganization, name: 'Example', roles: worldRoles, plugins, projects: numbered },
    ],
  }
}

/** Worlds that the service can hold, old and odd spellings included, in one project. */
export const liveWorld: fc.Arbitrary<WorldFile> = fc
  .tuple(livePlugins, liveProject)
  .map(([plugins, project]) => worldOf(plugins, project))
