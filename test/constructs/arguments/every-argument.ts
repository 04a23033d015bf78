import { Fn, type TerraformStack } from 'cdktf'
import { DataVexilEventDefinition } from '../../../src/constructs/generated/data-vexil-event-definition/index.ts'
import { DataVexilFeatureFlag } from '../../../src/constructs/generated/data-vexil-feature-flag/index.ts'
import { DataVexilPlugin } from '../../../src/constructs/generated/data-vexil-plugin/index.ts'
import { DataVexilRole } from '../../../src/constructs/generated/data-vexil-role/index.ts'
import { EventDefinition as GeneratedEvent } from '../../../src/constructs/generated/event-definition/index.ts'
import { FeatureFlag } from '../../../src/constructs/generated/feature-flag/index.ts'
import { FeatureFlagRoleAccess } from '../../../src/constructs/generated/feature-flag-role-access/index.ts'
import { Plugin as GeneratedPlugin } from '../../../src/constructs/generated/plugin/index.ts'
import {
  AddTags,
  Cohort,
  EventDefinition,
  type EventDefinitionProps,
  enforce,
  Flag,
  FlagGrants,
  type FlagProps,
  FlagSet,
  GrantsOnlyTo,
  MaxRollout,
  NamePattern,
  NoPersonalEmail,
  NoReleaseToEveryone,
  Plugin,
  type PluginProps,
  ProtectActive,
  RequireExpiry,
  RequireOwnerTag,
  Role,
  Tags,
  TwoPerson,
  Variants,
  When,
} from '../../../src/constructs/own-constructs.ts'
import type { Form } from './token-forms.ts'

// biome-ignore lint/suspicious/noExplicitAny: whatever people pass; a test of types that do not hold has no types
export type Given = any

/** An argument, and what the generated constructs make of the same value. */
export interface Argument {
  /** `new Flag(props.key)`, `When.at(percent)`; behind `: ` stands in which part of it the value is. */
  readonly name: string
  readonly kind: Kind
  /** A text that is written into JSON. */
  readonly isInJson?: true
  readonly ours: (stack: TerraformStack, value: Given) => void
  readonly generated: (stack: TerraformStack, value: Given) => void
}

/** In which forms a reference is taken. */
export const takenBy = {
  text: ['any', 'text', 'number', 'mixed'],
  /** Texts one by one, or a list, spread. */
  values: ['any', 'text', 'number', 'mixed', 'list'],
  number: ['any', 'text', 'number'],
  truth: ['any', 'text'],
  texts: ['any', 'text', 'list'],
  textMap: ['any', 'text', 'map'],
  json: ['any', 'text', 'number', 'list', 'map', 'mixed'],
  known: [],
} as const satisfies Readonly<Record<string, readonly Form[]>>

export type Kind = keyof typeof takenBy

const roleId = '01900000-0000-0000-0000-0000000000aa'
const plain = { key: 'k', active: true, release: [] as never[] } as const
const nothing = () => undefined
const spread = (value: Given) => (Array.isArray(value) ? value : [value])

/** A row for something that has to be known: there is nothing to compare with. */
function known(name: string, ours: Argument['ours']): Argument {
  return { name, kind: 'known', ours, generated: nothing }
}

type Kinds<Props> = { readonly [Name in keyof Required<Props>]: Kind }

const metaKinds = {
  count: 'number',
  dependsOn: 'known',
  forEach: 'known',
  lifecycle: 'known',
  provider: 'known',
  protect: 'known',
  liveEdits: 'known',
  logicalId: 'known',
} as const

const flagKinds: Kinds<FlagProps> = {
  ...metaKinds,
  allow: 'texts',
  active: 'truth',
  adopt: 'truth',
  archived: 'truth',
  bucketingIdentifier: 'text',
  earlyExit: 'truth',
  editors: 'known',
  ensureExperienceContinuity: 'truth',
  evaluationContexts: 'texts',
  evaluationRuntime: 'text',
  filters: 'known',
  groupTypeIndex: 'number',
  hasEncryptedPayloads: 'truth',
  isRemoteConfiguration: 'truth',
  key: 'text',
  name: 'text',
  payload: 'json',
  payloads: 'known',
  projectId: 'text',
  release: 'known',
  rollbackConditions: 'json',
  rolloutPercentage: 'number',
  sensitive: 'known',
  tags: 'texts',
  tests: 'known',
  variants: 'known',
}

const { key: _key, logicalId: _logicalId, name: _name, tests: _tests, ...defaultKinds } = flagKinds

const eventKinds: Kinds<EventDefinitionProps> = {
  ...metaKinds,
  name: 'text',
  onDestroy: 'text',
  postToChat: 'truth',
  projectId: 'text',
  tags: 'texts',
}

const pluginKinds: Kinds<PluginProps> = {
  ...metaKinds,
  allow: 'texts',
  adopt: 'truth',
  configSchema: 'json',
  description: 'text',
  icon: 'text',
  isGlobal: 'truth',
  name: 'text',
  organizationId: 'text',
  pluginType: 'text',
  publicJobs: 'json',
  sensitive: 'known',
  source: 'textMap',
  tag: 'text',
}

/** What the generated construct is given for the same: JSON is text there. */
function config(name: string, kind: Kind, value: Given) {
  return { [name]: kind === 'json' ? Fn.jsonencode(value) : value }
}

function rows<Props>(
  what: string,
  kinds: Kinds<Props>,
  make: (name: string, kind: Kind) => Omit<Argument, 'name' | 'kind'>,
) {
  return Object.entries<Kind>(kinds).map(
    ([name, kind]): Argument => ({
      name: `${what}.${name})`,
      kind,
      ...make(name, kind),
    }),
  )
}

const share = 'rolloutPercentage'
/** A share of everybody is said in place of conditions, and is one of them. */
const plainFor = (name: string) => (name === share ? { key: 'k', active: true } : plain)
const generatedFlag = (name: string, kind: Kind): Argument['generated'] =>
  kind === 'known'
    ? nothing
    : (stack, value) => {
        const given = name === share ? { release: [{ [share]: value }] } : config(name, kind, value)
        return new FeatureFlag(stack, 'X', { ...plain, ...given })
      }

const inProps: readonly Argument[] = [
  ...rows('new Flag(props', flagKinds, (name, kind) => ({
    ours: (stack, value) => new Flag(stack, 'X', { ...plainFor(name), [name]: value }),
    generated: generatedFlag(name, kind),
  })),
  ...rows('FlagSet.of(declared', flagKinds, (name, kind) => ({
    ours: (stack, value) => FlagSet.of(stack, { k: { ...plainFor(name), [name]: value } }),
    generated: generatedFlag(name, kind),
  })),
  ...rows('FlagSet.of(defaults', defaultKinds, (name, kind) => ({
    ours: (stack, value) =>
      FlagSet.of(stack, { k: name === 'release' || name === share ? { active: true } : { release: [] } }, {
        ...(name === 'active' ? {} : { active: true }),
        [name]: value,
      } as never),
    generated: generatedFlag(name, kind),
  })),
  ...rows('new EventDefinition(props', eventKinds, (name, kind) => ({
    ours: (stack, value) => new EventDefinition(stack, 'X', { name: 'n', [name]: value }),
    generated: (stack, value) => new GeneratedEvent(stack, 'X', { name: 'n', ...config(name, kind, value) }),
  })),
  ...rows('new Plugin(props', pluginKinds, (name, kind) => ({
    ours: (stack, value) => new Plugin(stack, 'X', { name: 'n', [name]: value }),
    generated: (stack, value) => new GeneratedPlugin(stack, 'X', { name: 'n', ...config(name, kind, value) }),
  })),
  {
    name: 'new Plugin(props.source): a file',
    kind: 'text',
    ours: (stack, value) => new Plugin(stack, 'X', { name: 'n', source: { a: value } }),
    generated: (stack, value) => new GeneratedPlugin(stack, 'X', { name: 'n', source: { a: value } }),
  },
  {
    name: 'new Flag(props.tags): one',
    kind: 'text',
    ours: (stack, value) => new Flag(stack, 'X', { ...plain, tags: ['a', value] }),
    generated: (stack, value) => new FeatureFlag(stack, 'X', { ...plain, tags: ['a', value] }),
  },
  {
    name: 'new Flag(props.payloads): one',
    kind: 'json',
    ours: (stack, value) => new Flag(stack, 'X', { ...plain, payloads: { true: value } }),
    generated: (stack, value) => new FeatureFlag(stack, 'X', { ...plain, payload: Fn.jsonencode(value) }),
  },
  {
    name: 'new Flag(props.payloads): one of a variant',
    kind: 'json',
    ours: (stack, value) =>
      new Flag(stack, 'X', { ...plain, variants: Variants.even('a'), payloads: { a: value } }),
    generated: (stack, value) =>
      new FeatureFlag(stack, 'X', {
        ...plain,
        variants: [{ key: 'a', rolloutPercentage: 100, payload: Fn.jsonencode(value) }],
      }),
  },
  {
    name: 'new Flag(props.payload): inside of it',
    kind: 'json',
    ours: (stack, value) => new Flag(stack, 'X', { ...plain, payload: { a: ['b', value] } }),
    generated: (stack, value) =>
      new FeatureFlag(stack, 'X', { ...plain, payload: `{"a":["b",${Fn.jsonencode(value)}]}` }),
  },
  {
    name: 'new Flag(props.filters): one',
    kind: 'json',
    ours: (stack, value) =>
      new Flag(stack, 'X', { key: 'k', active: true, filters: { groups: [], super_groups: value } }),
    generated: (stack, value) =>
      new FeatureFlag(stack, 'X', {
        key: 'k',
        active: true,
        filters: `{"groups":[],"super_groups":${Fn.jsonencode(value)}}`,
      }),
  },
  ...['release', 'editors'].map(name =>
    known(
      `new Flag(props.${name}): one`,
      (stack, value) => new Flag(stack, 'X', { ...plain, [name]: [value] }),
    ),
  ),
]

/** An argument of a condition, by the condition and by the generated construct's own. */
type InCondition = readonly [
  name: string,
  kind: Kind,
  ours: (value: Given) => When,
  generated: (value: Given) => object,
  others?: Pick<FlagProps, 'groupTypeIndex'>,
]

const everyone = When.everyone()
const p = When.person('p')
const property = (members: object) => ({ properties: [{ key: 'p', ...members }] })
const cohort = (members: object) => ({ properties: [{ key: 'id', type: 'cohort', ...members }] })
const asked = (key: Given) => ({ key, type: 'flag', operator: 'flag_evaluates_to', value: 'true' })
const ofGroups = (key: Given) => ({ key, type: 'group', values: ['x'], groupTypeIndex: 2 })

const conditionRows: readonly InCondition[] = [
  ['When.at(percent)', 'number', v => everyone.at(v), v => ({ rolloutPercentage: v })],
  ['When.serve(variant)', 'text', v => everyone.serve(v), v => ({ variant: v })],
  ['When.ofGroups(typeIndex)', 'number', v => everyone.ofGroups(v), v => ({ groupTypeIndex: v })],
  ['When.because(why)', 'text', v => everyone.because(v), v => ({ description: v, rolloutPercentage: 100 })],
  ['When.person(property)', 'text', v => When.person(v).is('x'), v => property({ key: v, values: ['x'] })],
  [
    'When.group(property)',
    'text',
    v => When.group(v).is('x'),
    v => ({ properties: [ofGroups(v)] }),
    { groupTypeIndex: 2 },
  ],
  ['When.cohort(cohort)', 'text', v => When.cohort(v), value => cohort({ value })],
  [
    'When.notInCohort(cohort)',
    'text',
    v => When.notInCohort(v),
    value => cohort({ operator: 'not_in', value }),
  ],
  ['Cohort.fromId(id)', 'text', v => When.cohort(Cohort.fromId(v, 'testers')), value => cohort({ value })],
  ['When.flag(flag)', 'text', v => When.flag(v).isOn(), v => ({ properties: [asked(v)] })],
  ['WhenProperty.is(...values)', 'values', v => p.is(...spread(v)), v => property({ values: spread(v) })],
  [
    'WhenProperty.isNot(...values)',
    'values',
    v => p.isNot(...spread(v)),
    v => property({ operator: 'is_not', values: spread(v) }),
  ],
  ['WhenProperty.is(...values): the second', 'text', v => p.is('a', v), v => property({ values: ['a', v] })],
  ...(
    [
      ['contains(part)', 'icontains', v => p.contains(v)],
      ['notContains(part)', 'not_icontains', v => p.notContains(v)],
      ['regex(pattern)', 'regex', v => p.regex(v)],
      ['notRegex(pattern)', 'not_regex', v => p.notRegex(v)],
      ['gt(value)', 'gt', v => p.gt(v)],
      ['gte(value)', 'gte', v => p.gte(v)],
      ['lt(value)', 'lt', v => p.lt(v)],
      ['lte(value)', 'lte', v => p.lte(v)],
      ['before(date)', 'is_date_before', v => p.before(v)],
      ['after(date)', 'is_date_after', v => p.after(v)],
    ] satisfies (readonly [string, string, (value: Given) => When])[]
  ).map(([name, operator, ours]): InCondition => {
    return [`WhenProperty.${name}`, 'text', ours, value => property({ operator, value })]
  }),
  [
    'WhenProperty.operator(name)',
    'text',
    v => p.operator(v, 'x'),
    v => property({ operator: v, value: 'x' }),
  ],
  [
    'WhenProperty.operator(value)',
    'values',
    v => p.operator('semver_eq', v),
    v => property({ operator: 'semver_eq', ...(Array.isArray(v) ? { values: v } : { value: v }) }),
  ],
]

const inConditions: readonly Argument[] = [
  ...conditionRows.map(
    ([name, kind, ours, generated, others = {}]): Argument => ({
      name,
      kind,
      ours: (stack, value) => new Flag(stack, 'X', { ...plain, ...others, release: [ours(value)] }),
      generated: (stack, value) =>
        new FeatureFlag(stack, 'X', { ...plain, ...others, release: [generated(value)] } as never),
    }),
  ),
  known('Cohort.fromId(name)', (_, value) => Cohort.fromId(1, value)),
  known('When.and(...others)', (_, value) => everyone.and(value)),
  {
    name: 'WhenFlag.serves(variant)',
    kind: 'text',
    isInJson: true,
    ours: (stack, value) =>
      new Flag(stack, 'X', { ...plain, release: [When.flag(Flag.fromKey(stack, 'F', 'f')).serves(value)] }),
    generated: (stack, value) => {
      const { key } = new DataVexilFeatureFlag(stack, 'f', { key: 'f' })
      const property = `{"key":${Fn.jsonencode(key)},"type":"flag","value":${Fn.jsonencode(value)},"operator":"flag_evaluates_to"}`
      new FeatureFlag(stack, 'X', {
        key: 'k',
        active: true,
        filters: `{"groups":[{"properties":[${property}]}]}`,
      })
    },
  },
]

/** Variants of a flag, by what `Variants` is given and by the generated construct's own. */
type InVariants = readonly [
  name: string,
  kind: Kind,
  ours: (value: Given) => Variants,
  generated: (value: Given) => object,
]

const inOrder = (members: object) => Variants.inOrder({ key: 'a', share: 100, ...members })

const variantRows: readonly InVariants[] = [
  ['Variants.even(...keys)', 'text', v => Variants.even(v), key => ({ key })],
  ['Variants.of(shares)', 'number', v => Variants.of({ a: v }), v => ({ rolloutPercentage: v })],
  [
    'Variants.of(shares): the share of one',
    'number',
    v => Variants.of({ a: { share: v } }),
    v => ({ rolloutPercentage: v }),
  ],
  ['Variants.inOrder(variant.key)', 'text', key => inOrder({ key }), key => ({ key })],
  ['Variants.inOrder(variant.name)', 'text', name => inOrder({ name }), name => ({ name })],
  ['Variants.inOrder(variant.share)', 'number', share => inOrder({ share }), v => ({ rolloutPercentage: v })],
]

/** What a construct that is declared elsewhere is looked for by, and where. */
function inLookup(
  name: string,
  by: 'id' | 'key' | 'name',
  where: 'organizationId' | 'projectId',
  make: (scope: Given, id: Given, by: Given, lookup?: Given) => unknown,
  Source: new (stack: TerraformStack, id: string, config: object) => unknown,
  [parameter, known_]: readonly [string, string],
): Argument[] {
  return [
    {
      name: `${name}(${parameter})`,
      kind: 'text',
      ours: (stack, value) => make(stack, 'F', value),
      generated: (stack, value) => new Source(stack, 'F', { [by]: value }),
    },
    {
      name: `${name}(lookup.${where})`,
      kind: 'text',
      ours: (stack, value) => make(stack, 'F', known_, { [where]: value }),
      generated: (stack, value) => new Source(stack, 'F', { [by]: known_, [where]: value }),
    },
    known(`${name}(lookup)`, (stack, value) => make(stack, 'F', known_, value)),
    known(`${name}(lookup.provider)`, (stack, value) => make(stack, 'F', known_, { provider: value })),
    known(`${name}(scope)`, (_, value) => make(value, 'F', known_)),
    known(`${name}(id)`, (stack, value) => make(stack, value, known_)),
  ]
}

const inLookups: readonly Argument[] = [
  ...inLookup('Flag.fromKey', 'key', 'projectId', Flag.fromKey, DataVexilFeatureFlag, ['key', 'f']),
  ...inLookup('Flag.fromId', 'id', 'projectId', Flag.fromId, DataVexilFeatureFlag, ['flagId', '7']),
  ...inLookup('Plugin.fromName', 'name', 'organizationId', Plugin.fromName, DataVexilPlugin, ['name', 'p']),
  ...inLookup('Plugin.fromId', 'id', 'organizationId', Plugin.fromId, DataVexilPlugin, ['pluginId', '7']),
  ...inLookup(
    'EventDefinition.fromName',
    'name',
    'projectId',
    EventDefinition.fromName,
    DataVexilEventDefinition,
    ['name', 'paid'],
  ),
  ...inLookup('EventDefinition.fromId', 'id', 'projectId', EventDefinition.fromId, DataVexilEventDefinition, [
    'definitionId',
    roleId,
  ]),
  ...inLookup(
    'Role.fromName',
    'name',
    'organizationId',
    (scope, _, name, lookup) => Role.fromName(scope, name, lookup),
    DataVexilRole,
    ['name', 'support'],
  ).filter(({ name }) => name !== 'Role.fromName(id)'),
  known('Role.fromName(lookup.label)', (stack, value) => Role.fromName(stack, 'support', { label: value })),
]

const inOthers: readonly Argument[] = [
  ...variantRows.map(([name, kind, ours, generated]): Argument => {
    const whole = (value: Given) => ({ key: 'a', rolloutPercentage: 100, ...generated(value) })
    return {
      name,
      kind,
      ours: (stack, value) => new Flag(stack, 'X', { ...plain, variants: ours(value) }),
      generated: (stack, value) =>
        new FeatureFlag(stack, 'X', { ...plain, variants: [whole(value)] } as never),
    }
  }),
  known('Variants.of(shares): all of them', (_, value) => Variants.of(value)),
  known('Variants.inOrder(...variants)', (_, value) => Variants.inOrder(value)),
  {
    name: 'Role.fromId(id)',
    kind: 'text',
    ours: (stack, value) => new Flag(stack, 'X', plain).grants.edit(Role.fromId(value, 'support')),
    generated: (stack, value) => {
      const flag = new FeatureFlag(stack, 'k', plain)
      new FeatureFlagRoleAccess(stack, 'G', { featureFlagId: flag.id, roleId: value })
    },
  },
  known('Role.fromId(name)', (_, value) => Role.fromId(roleId, value)),
  known('FlagGrants.of(resource)', (_, value) => FlagGrants.of(value)),
  known('FlagGrants.edit(role)', (stack, value) => new Flag(stack, 'X', plain).grants.edit(value)),
  known('FlagGrants.give(role)', (stack, value) => new Flag(stack, 'X', plain).grants.give(value, 'viewer')),
  known('FlagGrants.give(accessLevel)', (stack, value) => {
    new Flag(stack, 'X', plain).grants.give(Role.fromId(roleId, 'support'), value)
  }),
  ...inLookups,
  {
    name: 'Flag.tag(...tags)',
    kind: 'values',
    ours: (stack, value) => new Flag(stack, 'X', plain).tag(...spread(value)),
    generated: (stack, value) => new FeatureFlag(stack, 'X', { ...plain, tags: spread(value) }),
  },
  known('Flag.addTest(...added)', (stack, value) => new Flag(stack, 'X', plain).addTest(value)),
  known('Flag.addTest(...added): who asks', (stack, value) =>
    new Flag(stack, 'X', plain).addTest({ person: value, expect: true }),
  ),
  known('Flag.addTest(...added): what is expected', (stack, value) =>
    new Flag(stack, 'X', plain).addTest({ person: {}, expect: value }),
  ),
  known('Flag.addRelease(...added)', (stack, value) => new Flag(stack, 'X', plain).addRelease(value)),
  known('EventDefinition.named(name)', (stack, value) => EventDefinition.named(stack, value)),
  {
    name: 'EventDefinition.tag(...tags)',
    kind: 'values',
    ours: (stack, value) => EventDefinition.named(stack, 'n').tag(...spread(value)),
    generated: (stack, value) => new GeneratedEvent(stack, 'X', { name: 'n', tags: spread(value) }),
  },
  {
    name: 'EventDefinition.postToChat(isPosted)',
    kind: 'truth',
    ours: (stack, value) => EventDefinition.named(stack, 'n').postToChat(value),
    generated: (stack, value) => new GeneratedEvent(stack, 'X', { name: 'n', postToChat: value }),
  },
  known('FlagSet.of(declared)', (stack, value) => FlagSet.of(stack, value)),
  known('FlagSet.of(declared): one', (stack, value) => FlagSet.of(stack, { k: value })),
  known('FlagSet.of(defaults)', (stack, value) => FlagSet.of(stack, { k: plain }, value)),
  known('new Flag(props)', (stack, value) => new Flag(stack, 'X', value)),
  known('new EventDefinition(props)', (stack, value) => new EventDefinition(stack, 'X', value)),
  known('new Plugin(props)', (stack, value) => new Plugin(stack, 'X', value)),
  ...(
    [
      ['new Flag', (scope, id) => new Flag(scope, id, plain)],
      ['new EventDefinition', (scope, id) => new EventDefinition(scope, id, { name: 'n' })],
      ['new Plugin', (scope, id) => new Plugin(scope, id, { name: 'n' })],
    ] satisfies (readonly [string, (scope: Given, id: Given) => unknown])[]
  ).flatMap(([name, make]) => [
    known(`${name}(scope)`, (_, value) => make(value, 'X')),
    known(`${name}(id)`, (stack, value) => make(stack, value)),
  ]),
  known('FlagSet.of(scope)', (_, value) => FlagSet.of(value, { k: plain })),
  known('EventDefinition.named(scope)', (_, value) => EventDefinition.named(value, 'n')),
]

const inPolicies: readonly Argument[] = [
  {
    name: 'Tags.add(tag)',
    kind: 'text',
    ours: (stack, value) => {
      new Flag(stack, 'X', plain)
      Tags.of(stack).add(value)
    },
    generated: (stack, value) => new FeatureFlag(stack, 'X', { ...plain, tags: [value] }),
  },
  known('Tags.of(scope)', (_, value) => Tags.of(value)),
  known('Tags.add(props)', (stack, value) => Tags.of(stack).add('a', value)),
  ...['except', 'excludeKinds', 'includeKinds'].map(name =>
    known(`Tags.add(props.${name})`, (stack, value) => Tags.of(stack).add('a', { [name]: value })),
  ),
  {
    name: 'new AddTags(tags)',
    kind: 'texts',
    ours: (stack, value) => {
      new Flag(stack, 'X', plain)
      enforce(stack, new AddTags(value, { except: ['other'] }))
    },
    generated: (stack, value) => new FeatureFlag(stack, 'X', { ...plain, tags: value }),
  },
  known('new GrantsOnlyTo(roles)', (_, value) => new GrantsOnlyTo(value)),
  known('new GrantsOnlyTo(roles): one', (_, value) => new GrantsOnlyTo(['support', value])),
  known('new GrantsOnlyTo(props.atMost)', (_, value) => new GrantsOnlyTo([], { atMost: value })),
  known('new MaxRollout(ceiling)', (_, value) => new MaxRollout(value)),
  known('new MaxRollout(ceiling): of a stack', (_, value) => new MaxRollout({ stack: value })),
  known('new MaxRollout(props.everyoneOnly)', (_, value) => new MaxRollout(5, { everyoneOnly: value })),
  known('new NamePattern(props.flags)', (_, value) => new NamePattern({ flags: value })),
  known('new NamePattern(props.events)', (_, value) => new NamePattern({ events: value })),
  known('new NamePattern(props.plugins)', (_, value) => new NamePattern({ plugins: value })),
  known('new RequireExpiry(props.within)', (_, value) => new RequireExpiry({ within: value })),
  known('new TwoPerson(above)', (_, value) => new TwoPerson(value)),
  known('new TwoPerson(props.tag)', (_, value) => new TwoPerson(5, { tag: value })),
  known('new TwoPerson(props.everyoneOnly)', (_, value) => new TwoPerson(5, { everyoneOnly: value })),
  known('new RequireOwnerTag(props.pattern)', (_, value) => new RequireOwnerTag({ pattern: value })),
  ...(
    [
      ['AddTags', props => new AddTags(['a'], props)],
      ['GrantsOnlyTo', props => new GrantsOnlyTo([], props)],
      ['MaxRollout', props => new MaxRollout(5, props)],
      ['NamePattern', props => new NamePattern(props)],
      ['NoPersonalEmail', props => new NoPersonalEmail(props)],
      ['NoReleaseToEveryone', props => new NoReleaseToEveryone(props)],
      ['ProtectActive', props => new ProtectActive(props)],
      ['RequireExpiry', props => new RequireExpiry(props)],
      ['RequireOwnerTag', props => new RequireOwnerTag(props)],
      ['TwoPerson', props => new TwoPerson(5, props)],
    ] satisfies (readonly [string, (props: Given) => unknown])[]
  ).flatMap(([name, make]) => [
    known(`new ${name}(props)`, (_, value) => make(value)),
    known(`new ${name}(props.except)`, (_, value) => make({ except: value })),
    known(`new ${name}(props.except): one`, (_, value) => make({ except: ['a', value] })),
    ...(name === 'AddTags' || name === 'ProtectActive'
      ? []
      : [
          known(`new ${name}(props.unknown)`, (_, value) => make({ unknown: value })),
          known(`new ${name}(props.level)`, (_, value) => make({ level: value })),
        ]),
  ]),
  known('enforce(scope)', (_, value) => enforce(value, new ProtectActive())),
  known('enforce(...policies)', (stack, value) => enforce(stack, value)),
]

export const everyArgument: readonly Argument[] = [...inProps, ...inConditions, ...inOthers, ...inPolicies]
