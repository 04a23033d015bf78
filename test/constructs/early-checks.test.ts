import type { TerraformStack } from 'cdktf'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { EventDefinition, Flag, Plugin, Role, When } from '../../src/constructs/own-constructs.ts'
import type { RuleName } from '../../src/rules/check-field.ts'
import { checkFilters } from '../../src/targeting/check/check-filters.ts'
import { rounds } from '../support/rounds.ts'
import { annotationsOf, aStack, saidOf } from './a-stack.ts'

type Make = (stack: TerraformStack) => unknown
interface Early {
  readonly make: Make
  readonly says: string
}
/** Told when the stack is synthesized, on the construct. */
interface Synthesized extends Early {
  readonly isAnnotation: true
}
/** Told by nobody while a stack is made, and why. */
interface Later {
  readonly later: string
}

const off = { active: false } as const
const long = 'x'.repeat(401)
const flag =
  (props: object): Make =>
  stack =>
    new Flag(stack, 'X', { key: 'x', ...off, ...props })
const plugin =
  (props: object): Make =>
  stack =>
    new Plugin(stack, 'X', { name: 'geo', ...props })

/** Every rule of what is declared, each with what breaks it in a construct. The compiler finds a rule without a row. */
const rules: Readonly<Record<RuleName, readonly (Early | Synthesized)[] | Later>> = {
  empty: [
    { make: flag({ key: ' ' }), says: 'flag " " at "flags/X": the key is empty' },
    {
      make: flag({ tags: ['a', ' '] }),
      says: 'flag "x" at "flags/X": element 2 of "tags" must not be empty',
    },
    {
      make: stack => new EventDefinition(stack, 'X', { name: '' }),
      says: 'event "" at "flags/X": the name is empty',
    },
  ],
  uuid: [{ make: () => Role.fromId('9', 'support'), says: 'role "support": "9" is not a UUID' }],
  length: [
    { make: flag({ key: long }), says: 'at "flags/X": the key has 401 characters' },
    { make: flag({ tags: ['a', long] }), says: 'at "flags/X": tags[1]: this tag has 401 characters' },
    {
      make: stack => new EventDefinition(stack, 'X', { name: long }),
      says: 'at "flags/X": the name has 401 characters',
    },
  ],
  count: [
    {
      make: flag({ evaluationContexts: Array.from({ length: 51 }, (_, index) => `c${index}`) }),
      says: 'at "flags/X": "evaluationContexts" has 51 elements',
    },
  ],
  together: [
    {
      make: flag({ archived: true, active: true }),
      says: 'flag "x" at "flags/X": "archived" cannot be combined with "active": an archived flag cannot be on (declare `active: false` too, or remove `archived`)',
    },
  ],
  choice: [
    { make: plugin({ pluginType: 'magic' }), says: 'plugin "geo" at "flags/X": "magic" is not a pluginType' },
  ],
  type: [
    { make: flag({ active: 'yes' }), says: 'at "flags/X": "active" is "yes", not true or false' },
    { make: flag({ tags: 'a' }), says: 'at "flags/X": "tags" is "a", not a list' },
  ],
  open: [
    {
      make: stack => new Flag(stack, 'X', { key: 'x', active: true }),
      says: '[flags/X] warn: "release" is not declared',
      isAnnotation: true,
    },
  ],
  'manifest-text': [
    {
      make: plugin({ source: { 'plugin.json': '{' } }),
      says: 'plugin "geo" at "flags/X": "source["plugin.json"]": plugin.json cannot be read: ',
    },
    {
      make: plugin({ source: { 'plugin.json': '[]' } }),
      says: '"source["plugin.json"]": plugin.json cannot be read: it is not an object',
    },
  ],
  manifest: [
    {
      make: plugin({ source: { 'plugin.json': '{"name":"geoip"}' } }),
      says: '"name": its name differs from the "name" of plugin.json, "geoip" (the service uses the value in the file: write the same value in both)',
    },
    {
      make: plugin({ configSchema: [], source: { 'plugin.json': '{"config":[{"key":"a"}]}' } }),
      says: '"configSchema": its configSchema differs from the "config" of plugin.json, [{"key":"a"}]',
    },
  ],
  targeting: [
    {
      make: flag({ release: [When.everyone().at(250)] }),
      says: 'flag "x" at "flags/X": condition 1: 250 is not a percentage',
    },
  ],
  engines: { later: 'which SDKs a team uses is known where the stack is read' },
  characters: { later: 'services before 2026 take such keys; YAML is warned' },
}

/** What is checked of properties that are no fields of a kind. */
const others: readonly Early[] = [
  {
    make: plugin({ source: { 'src/index.ts': '' } }),
    says: 'plugin "geo" at "flags/X": "source": "src/index.ts" is not a valid file name for a plugin (write only the name of the file: the service supports neither folders nor files outside the plugin)',
  },
  { make: plugin({ source: { '': '' } }), says: '"source": a file in `source` has no name' },
  {
    make: plugin({ organizationId: '7' }),
    says: '"organizationId": "7" is not an id of an organization (the id must be a UUID)',
  },
  {
    make: flag({ projectId: 'a b' }),
    says: '"projectId": "a b" is not an id of a project (the id must be a number)',
  },
  {
    make: stack => Flag.fromKey(stack, 'X', 'x', { projectId: 'a/b' }),
    says: '"projectId": "a/b" is not an id of a project',
  },
  {
    make: stack => new EventDefinition(stack, 'X', { name: 'paid', projectId: '#1' }),
    says: '"projectId": "#1" is not an id of a project',
  },
]

const broken = Object.entries(rules).flatMap(([rule, rows]) =>
  'later' in rows ? [] : rows.map(row => ({ rule, ...row })),
)

describe('a rule of what is declared is told when a construct is made', () => {
  it.each([...broken, ...others.map(row => ({ rule: 'other', ...row }))])('$rule: $says', row => {
    const stack = aStack()
    if ('isAnnotation' in row) {
      row.make(stack)
      expect([...saidOf(stack), ...annotationsOf(stack)].join('\n')).toContain(row.says)
    } else expect(() => row.make(stack)).toThrow(row.says)
  })

  it('with the line that made it as the first of the stack', () => {
    const told = () => new Flag(aStack(), 'X', { key: 'x', release: [When.everyone().at(250)] })
    let stack: string | undefined
    try {
      told()
    } catch (error) {
      stack = error instanceof Error ? error.stack : undefined
    }
    const [message, first] = stack?.split('\n') ?? []
    expect(message).toMatch(/^Error: flag "x" at "flags\/X": condition 1: 250 is not a percentage/)
    expect(first).toMatch(/^ {4}at told .*early-checks\.test\.ts:\d+:\d+/)
  })

  it('or, with its reason, later', () => {
    const later = Object.entries(rules).flatMap(([rule, rows]) => ('later' in rows ? [rule] : []))
    expect(later).toEqual(['engines', 'characters'])
  })
})

const scalar = fc.constantFrom<unknown>(-1, 5, 100, 250, '5', 'a', '', true, null, 'true')
const property = fc.record(
  {
    key: fc.constantFrom<unknown>('email', 'id', '', 4),
    type: fc.constantFrom('person', 'group', 'cohort', 'flag', 'animal'),
    operator: fc.constantFrom(
      'exact',
      'icontains',
      'regex',
      'is_set',
      'contain',
      'is_date_before',
      'flag_evaluates_to',
    ),
    value: fc.oneof(scalar, fc.constantFrom<unknown>('(', '2024-02-30', ['a'], [])),
  },
  { requiredKeys: [] },
)
const condition = fc.record(
  {
    properties: fc.oneof(fc.array(property, { maxLength: 2 }), fc.constant('none')),
    rollout_percentage: scalar,
    variant: fc.constantFrom('a', 'b', null),
  },
  { requiredKeys: [] },
)
const variant = fc.record(
  { key: fc.constantFrom<unknown>('a', 'b', '', 1), rollout_percentage: scalar },
  { requiredKeys: [] },
)
const filters = fc.record(
  {
    groups: fc.array(condition, { maxLength: 2 }),
    multivariate: fc.record({ variants: fc.array(variant, { maxLength: 2 }) }),
    payloads: fc.dictionary(fc.constantFrom('true', 'a', 'b'), scalar),
    aggregation_group_type_index: fc.constantFrom<unknown>(0, 4, 5, '0'),
  },
  { requiredKeys: ['groups'] },
)

describe('filters', () => {
  it('are refused where they break a rule, and with all of them, and taken where they break none', () => {
    fc.assert(
      fc.property(filters, given => {
        // They are JSON, whatever they say.
        const errors = checkFilters(given as never).filter(({ severity }) => severity === 'error')
        const make = () => flag({ filters: given })(aStack())
        if (errors.length === 0) expect(make).not.toThrow()
        else
          for (const { message } of errors)
            expect(make).toThrow(message.replaceAll('aggregation_group_type_index', 'groupTypeIndex'))
      }),
      { numRuns: rounds(5) },
    )
  })
})
