import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { declarableKinds } from '../../src/kinds/index.ts'
import type { Field } from '../../src/model/field.ts'
import {
  type DeclarableKind,
  identityField,
  managedFields,
  switchField,
  targetingField,
} from '../../src/model/kind.ts'
import type { Json, JsonObject } from '../../src/model/text/json.ts'
import type { RuleName } from '../../src/rules/check-field.ts'
import { type Service, startService } from '../support/service.ts'
import { playTerraform } from '../terraform/resources/play.ts'
import { type Tell, type Told, tellConstructs, tellStack, tellTerraform, tellYaml } from './front-ends.ts'

/** An object that breaks one rule. */
interface Broken {
  readonly kind: DeclarableKind
  readonly rule: RuleName
  readonly field: string
  readonly value: Json
  /** Where in the value. */
  readonly inside?: readonly (string | number)[]
}

const wrongTypes: Readonly<Record<Field['type'], Json>> = {
  string: { a: 1 },
  integer: { a: 1 },
  boolean: { a: 1 },
  json: 5,
  list: { a: 1 },
  set: { a: 1 },
  structure: 5,
}

/** Filters that are wrong in one place each, which the words of constructs name. */
const brokenFilters: readonly { value: JsonObject; inside: (string | number)[] }[] = [
  { value: { groups: [{ rollout_percentage: 101 }] }, inside: ['groups', 0, 'rollout_percentage'] },
  { value: { groups: [{}, { variant: 'x' }] }, inside: ['groups', 1, 'variant'] },
  {
    value: { groups: [{ properties: [{ key: 'a', type: 'person', value: 5, operator: 'gte' }] }] },
    inside: ['groups', 0, 'properties', 0, 'value'],
  },
  {
    value: { groups: [], multivariate: { variants: [{ key: 'a', rollout_percentage: 90 }] } },
    inside: ['multivariate', 'variants'],
  },
  { value: { groups: [], payloads: { nobody: 1 } }, inside: ['payloads', 'nobody'] },
]

function brokenIn(kind: DeclarableKind, field: string): Broken[] {
  const described = kind.fields[field]
  if (!described) throw new Error(`${kind.name} has no field ${field}`)
  const { type, maxLength, required } = described
  const broken = (rule: RuleName, value: Json, inside: Broken['inside'] = []) => [
    { kind, rule, field, value, inside },
  ]
  const long = 'x'.repeat((maxLength ?? 0) + 1)
  // In YAML the name of an object is a key, and a key is text.
  const isName = kind.identity.by === 'field' && kind.identity.field === field
  return [
    ...(isName ? [] : broken('type', wrongTypes[type])),
    ...(type === 'string' && required ? broken('empty', ' ') : []),
    ...(type === 'string' && maxLength !== undefined ? broken('length', long) : []),
    ...(type === 'string' && described.oneOf ? broken('choice', 'another') : []),
    ...(type === 'string' && described.format === 'uuid' ? broken('uuid', 'support') : []),
    ...(type === 'string' && described.characters ? broken('characters', 'a b') : []),
    ...(type === 'set' ? broken('empty', ['a', ' '], [1]) : []),
    ...('maxElements' in described && described.maxElements !== undefined
      ? broken(
          'count',
          Array.from({ length: described.maxElements + 1 }, (_, index) => `text ${index}`),
        )
      : []),
    ...(type === 'set' && maxLength !== undefined ? broken('length', ['a', long], [1]) : []),
    ...(type === 'json' && described.targeting
      ? brokenFilters.flatMap(({ value, inside }) => broken('targeting', value, inside))
      : []),
  ]
}

const allBroken = declarableKinds.flatMap(kind => managedFields(kind).flatMap(field => brokenIn(kind, field)))

/** The rules that not everybody tells of, which recorded runs hold to. */
const notToldBy: Readonly<Partial<Record<RuleName, readonly string[]>>> = {
  characters: ['stack', 'terraform', 'constructs'],
}

/** An object of a kind that breaks no rule, with one field that is given. */
function declaredWith(kind: DeclarableKind, field: string, value: Json): JsonObject {
  const targeting = targetingField(kind)
  const turnsOff = switchField(kind)
  return {
    [identityField(kind)]: kind.lifecycle.parent ? '01900000-0000-0000-0000-0000000000aa' : 'one',
    ...(turnsOff === undefined ? {} : { [turnsOff]: true }),
    ...(targeting === undefined ? {} : { [targeting]: { groups: [] } }),
    [field]: value,
  }
}

let service: Service
const tellers: Record<string, Tell> = {
  yaml: tellYaml,
  stack: tellStack,
  constructs: tellConstructs,
}

beforeAll(async () => {
  // A plan warns of an event that was never seen.
  service = await startService({
    seed: {
      organizations: [
        { name: 'Own', projects: [{ id: 1, name: 'Own', event_definitions: [{ name: 'one' }] }] },
      ],
    },
  })
  const terraform = tellTerraform(await playTerraform(service))
  tellers.terraform = async declared => {
    try {
      return await terraform(declared)
    } catch (error) {
      // Terraform itself refuses what is of another type.
      const [, place = '', text] =
        /^([\w.]+)(?:\[\d+\])?: (.*)/.exec(String(error instanceof Error ? error.message : error)) ?? []
      return [{ place, severity: 'error', text: String(text) }]
    }
  }
})
afterAll(() => service.close())

/** Whether what is told is about the place. */
function isAt(frontEnd: string, { place, text }: Told, { field, inside = [], kind }: Broken): boolean {
  const steps = inside.map(step => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('')
  switch (frontEnd) {
    case 'yaml':
    case 'terraform':
      return place === field
    case 'stack':
      return place === `${field}${steps}` || (kind.fields[field]?.type === 'set' && place === field)
    default:
      return constructWords(field, inside).some(words => text.includes(words))
  }
}

/** What the words of a construct name: the property, a part of who gets a flag, or what a grant is called. */
function constructWords(field: string, inside: readonly (string | number)[]): string[] {
  const property = field.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
  const [part, index] = inside
  if (part === 'groups') return [`condition ${Number(index) + 1}`]
  if (part === 'multivariate') return ['the variants']
  if (part === 'payloads') return ['payload']
  return [
    `"${property}"`,
    `the ${property}`,
    `${property}[`,
    `not a ${property}`,
    'role "one"',
    'the id of a role',
  ]
}

describe('a declared object that breaks a rule', () => {
  it('is looked for in every kind, field and rule', () => {
    expect(new Set(allBroken.map(({ kind }) => kind))).toEqual(new Set(declarableKinds))
    const fields = declarableKinds.flatMap(kind => managedFields(kind).map(field => `${kind.name}.${field}`))
    const names = declarableKinds.flatMap(kind =>
      kind.identity.by === 'field' ? [`${kind.name}.${kind.identity.field}`] : [],
    )
    const looked = new Set(allBroken.map(({ kind, field }) => `${kind.name}.${field}`))
    expect(fields.filter(field => !looked.has(field) && !names.includes(field))).toEqual([])
    const rules: Record<
      Exclude<RuleName, 'open' | 'manifest' | 'manifest-text' | 'together' | 'engines'>,
      true
    > = {
      ...{ type: true, empty: true, length: true, choice: true },
      ...{ uuid: true, characters: true, targeting: true, count: true },
    }
    expect(new Set(allBroken.map(({ rule }) => rule))).toEqual(new Set(Object.keys(rules)))
  })

  it.each(
    allBroken.map(
      broken => [broken.kind.name, broken.field, broken.rule, String(broken.inside), broken] as const,
    ),
  )('is told by all front ends at its place: %s, %s, %s %s', async (_kind, _field, rule, _inside, broken) => {
    const { kind, field, value } = broken
    const silent = Object.fromEntries(
      await Promise.all(
        Object.entries(tellers).map(async ([frontEnd, tell]) => {
          const told = await tell({ kind, fields: declaredWith(kind, field, value) })
          return [frontEnd, told.some(each => isAt(frontEnd, each, broken)) ? 'told' : told] as const
        }),
      ),
    )
    const expected = Object.keys(tellers).map(
      frontEnd => [frontEnd, notToldBy[rule]?.includes(frontEnd) ? [] : 'told'] as const,
    )
    expect(silent).toEqual(Object.fromEntries(expected))
  })

  it.each(declarableKinds)('is none where none is broken: $name', async kind => {
    for (const [frontEnd, tell] of Object.entries(tellers)) {
      const field = identityField(kind)
      const right = declaredWith(
        kind,
        field,
        kind.lifecycle.parent ? '01900000-0000-0000-0000-0000000000aa' : 'one',
      )
      expect(await tell({ kind, fields: right }), frontEnd).toEqual([])
    }
  })
})

describe('an object whose values contradict each other', () => {
  const contradicting = declarableKinds.flatMap(kind =>
    (kind.contradictions ?? []).map(({ fields, doc }) => ({ kind, fields, doc })),
  )

  it.each(contradicting)('is told by all front ends: $fields', async ({ kind, fields, doc }) => {
    const [first = ''] = Object.keys(fields)
    const declared = { ...declaredWith(kind, identityField(kind), 'one'), ...fields }
    for (const [frontEnd, tell] of Object.entries(tellers)) {
      const told = (await tell({ kind, fields: declared })).filter(({ severity }) => severity === 'error')
      expect(told, frontEnd).toHaveLength(1)
      expect(told[0]?.text, frontEnd).toContain(doc)
      if (frontEnd !== 'constructs') expect(told[0]?.place, frontEnd).toBe(first)
    }
  })

  it('is looked for', () => expect(contradicting.length).toBeGreaterThan(2))
})

describe('a new object that nothing limits', () => {
  const open = declarableKinds.filter(kind => targetingField(kind) !== undefined)

  it.each(open)('is told by all front ends: $name', async kind => {
    for (const [frontEnd, tell] of Object.entries(tellers)) {
      const told = await tell({ kind, fields: { [identityField(kind)]: 'one' } })
      expect(
        told.map(({ severity }) => severity),
        frontEnd,
      ).toEqual(['warning'])
    }
  })

  it('is looked for', () => expect(open).not.toEqual([]))
})

describe('an object that its own file describes otherwise', () => {
  const described = declarableKinds.flatMap(kind => {
    const { manifest } = kind.lifecycle.files ?? {}
    return Object.entries(manifest?.members ?? {}).map(([field, member]) => ({
      kind,
      field,
      source: {
        [manifest?.file ?? '']: JSON.stringify({ [member]: member === field ? 'other' : [{ key: 'b' }] }),
      },
    }))
  })

  // Nothing is live, so the plan of Terraform knows that it is a problem.
  it.each(described)('is told by YAML, stacks and Terraform: $field', async ({ kind, field, source }) => {
    const fields = {
      ...declaredWith(kind, identityField(kind), 'one'),
      config_schema: [{ key: 'a' }],
      source,
    }
    for (const frontEnd of ['yaml', 'stack', 'terraform']) {
      const told = await tellers[frontEnd]!({ kind, fields })
      expect(
        told.map(({ severity }) => severity),
        frontEnd,
      ).toEqual(frontEnd === 'terraform' ? ['warning', 'error'] : ['warning'])
      expect(told[0]?.text, frontEnd).toContain('plugin.json')
      if (frontEnd !== 'yaml') expect(told[0]?.place).toBe(field)
    }
  })

  it('is looked for', () => expect(described.length).toBeGreaterThan(1))
})
