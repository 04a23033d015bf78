import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { declarableKind } from '../../src/kinds/index.ts'
import type { Json, JsonObject } from '../../src/model/text/json.ts'
import { canonicalFilters } from '../../src/targeting/canonical-filters.ts'
import { declarationOverride } from '../../src/yaml/write/edit-declarations.ts'
import { writeYaml } from '../../src/yaml/write/split-files.ts'
import { rounds } from '../support/rounds.ts'
import { load, settings } from './a-repository.ts'

const flag = declarableKind('feature_flag')

describe('declarationOverride', () => {
  const shared: JsonObject = {
    name: 'Checkout',
    active: true,
    tags: ['b', 'a'],
    release: { rest: { rollout_percentage: 5 } },
    role_access: ['support'],
    protect: true,
  }
  it.each<[name: string, wanted: JsonObject, override: JsonObject | undefined]>([
    ['the same, spelled otherwise', { ...shared, tags: ['a', 'b', 'a'], ensure: 'present' }, {}],
    [
      'other values',
      { ...shared, name: 'New', active: false, role_access: [] },
      { name: 'New', active: false, role_access: [] },
    ],
    ['a value that is taken back', { ...shared, name: null }, { name: null }],
    [
      'another percentage',
      { ...shared, release: { rest: { rollout_percentage: 50 } } },
      { release: { rest: { rollout_percentage: 50 } } },
    ],
    ['no protection', without(shared, 'protect'), { protect: false }],
    ['here to stay', { ...shared, permanent: true }, { permanent: true }],
    ['something to ignore', { ...shared, ignore: ['/tags'] }, { ignore: ['/tags'] }],
    ['a field that is not ours', without(shared, 'name'), undefined],
    ['grants that are not ours', without(shared, 'role_access'), undefined],
    [
      'filters beside a release',
      { ...without(shared, 'release'), filters: { groups: [{ rollout_percentage: 5 }] } },
      undefined,
    ],
  ])('makes of a declaration %s', (_, wanted, override) => {
    expect(declarationOverride({ kind: flag }, shared, wanted)).toEqual(override)
  })

  it('declares in its environment what is wanted there, and nothing else anywhere', async () => {
    let said = 0
    await fc.assert(
      fc.asyncProperty(pairs, async ([left, right]) => {
        const override = declarationOverride({ kind: flag }, left, right)
        if (!override) return
        said += 1
        const [merged, alone] = await Promise.all([
          declaredIn({ ...left, environments: { staging: override } }, 'staging'),
          declaredIn(right, 'staging'),
        ])
        expect(merged).toEqual(alone)
        if (Object.keys(override).length === 0) expect(await declaredIn(left, 'staging')).toEqual(alone)
        expect(declarationOverride({ kind: flag }, left, left)).toEqual({})
        expect(await declaredIn({ ...left, environments: { staging: override } }, 'production')).toEqual(
          await declaredIn(left, 'production'),
        )
      }),
      { numRuns: rounds(5) },
    )
    expect(said).toBeGreaterThan(rounds(5) / 15)
  })
})

function without(members: JsonObject, gone: string): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([name]) => name !== gone))
}

const condition = fc.record(
  {
    properties: fc.constantFrom<Json>({ country: 'DE' }, { plan: ['a', 'b'] }),
    rollout_percentage: fc.constantFrom(0, 5, 50),
  },
  { requiredKeys: ['rollout_percentage'] },
)
const targeting: fc.Arbitrary<JsonObject> = fc.oneof(
  fc.record({
    release: fc.dictionary(fc.constantFrom('a', 'b', 'c'), condition, { maxKeys: 3, noNullPrototype: true }),
  }),
  fc.record({
    filters: fc.record({ groups: fc.array(fc.record({ rollout_percentage: fc.constantFrom(0, 5) })) }),
  }),
)
const others: fc.Arbitrary<JsonObject> = fc.record(
  {
    name: fc.constantFrom('One', 'Two'),
    active: fc.boolean(),
    tags: fc.uniqueArray(fc.constantFrom('a', 'b'), { maxLength: 2 }),
    role_access: fc.subarray(['support', 'growth']),
    ensure: fc.constantFrom('present', 'absent'),
    protect: fc.boolean(),
    ignore: fc.subarray(['/tags', '/name']),
  },
  { requiredKeys: [] },
)
const declarations: fc.Arbitrary<JsonObject> = fc
  .tuple(targeting, others)
  .map(([first, second]) => ({ ...second, ...first }))

/** Two declarations; mostly the second one names all that the first one does. */
const pairs = fc
  .tuple(declarations, declarations, fc.integer({ max: 3, min: 0 }))
  .map(
    ([left, right, share]) =>
      [left, share > 0 && isShort(left) === isShort(right) ? { ...left, ...right } : right] as const,
  )

function isShort(members: JsonObject): boolean {
  return members.release !== undefined
}

/** What a plan compares of all that is declared in an environment. */
async function declaredIn(members: JsonObject, environment: string): Promise<Json> {
  const text = writeYaml({ feature_flags: { checkout: members } }, 'schema.json')
  const {
    declarations: { desired, ownedGrants },
    problems,
  } = await load({ 'vexil.yaml': settings, 'flags.yaml': text }, { environment })
  expect(problems.filter(({ severity }) => severity === 'error')).toEqual([])
  const objects = desired.map(({ source: _, fields, protect = false, ignore = [], ...rest }) => ({
    ...rest,
    protect,
    ignore,
    fields: {
      ...fields,
      ...(fields.filters === undefined ? {} : { filters: canonicalFilters(fields.filters) }),
      ...(Array.isArray(fields.tags) ? { tags: [...fields.tags].sort() } : {}),
      ...(fields.name === undefined ? {} : { name: fields.name }),
    },
  }))
  const sorted = objects.sort((one, other) => one.address.localeCompare(other.address))
  return JSON.parse(JSON.stringify([sorted, ownedGrants.length]))
}
