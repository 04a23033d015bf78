import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  canonicalText,
  isJsonObject,
  isSameJson,
  type Json,
  type JsonObject,
} from '../../../src/model/json/json.ts'
import { decodeFilters, encodeFilters } from '../../../src/targeting/codec/codec.ts'
import { propertyTypes } from '../../../src/targeting/filter-parts.ts'
import {
  canonicalFilters,
  checkFilters,
  type EvaluatedFlag,
  evaluateFlag,
  KnownFlags,
  type Subject,
} from '../../../src/targeting/index.ts'
import { knownOperators } from '../../../src/targeting/operator-table.ts'
import { someFilters } from '../some-filters.ts'
import { someTyped } from './some-typed.ts'

type PropertyType = keyof typeof propertyTypes
// The table has these keys and no others.
const types = Object.keys(propertyTypes) as readonly PropertyType[]
const operators = [undefined, ...Object.keys(knownOperators)]

const singles: readonly Json[] = [
  'DE',
  '5',
  '05',
  'true',
  'false',
  'blue',
  '',
  ' x',
  '2024-01-31',
  '-7d',
  '(',
  5,
  2.5,
  true,
  false,
]
const lists: readonly Json[] = [
  [],
  ['DE'],
  ['5', 'blue'],
  ['true'],
  [5],
  [true, 'DE'],
  [2.5, false],
  [null],
  [['DE']],
]
const values: readonly (Json | undefined)[] = [undefined, null, {}, { a: 1 }, ...singles, ...lists]

/** The keys that a property of a type may have here. */
const keys: Readonly<Record<PropertyType, readonly string[]>> = {
  person: ['p'],
  group: ['p'],
  cohort: ['id'],
  flag: ['on', 'off', 'colour', 'inactive', 'nowhere'],
}

const others: readonly EvaluatedFlag[] = [
  { id: 1, key: 'on' },
  { id: 2, key: 'off', filters: { groups: [] } },
  {
    id: 3,
    key: 'colour',
    filters: {
      groups: [{}],
      multivariate: {
        variants: [
          { key: 'blue', rollout_percentage: 30 },
          { key: 'true', rollout_percentage: 40 },
          { key: '5', rollout_percentage: 30 },
        ],
      },
    },
  },
  { id: 4, key: 'inactive', active: false },
]
const cohorts: JsonObject = {
  5: { type: 'AND', values: [{ key: 'p', value: 'DE', type: 'person' }] },
}
const known: readonly (Json | undefined)[] = [
  undefined,
  null,
  ...singles,
  ...lists,
  { a: 1 },
  'de',
  '2024-02-01',
  6,
  'xtruex',
]
const subjects: readonly Subject[] = known.map((value, index) => {
  const properties: JsonObject = value === undefined ? {} : { p: value }
  return {
    distinctId: `person-${index}`,
    properties,
    groups: { company: `company-${index}` },
    groupProperties: { company: properties },
  }
})

/** What everybody gets, and what is undecided. */
function outcomes(filters: JsonObject): string {
  const context = {
    now: Date.parse('2024-06-01'),
    isComplete: true,
    flags: new KnownFlags(others),
    cohorts,
    groupTypes: { 0: 'company' },
  }
  return JSON.stringify(subjects.map(subject => evaluateFlag({ key: 'asking', filters }, subject, context)))
}

function filtersWith(type: PropertyType, property: JsonObject): JsonObject {
  const isGroup = type === 'group'
  return {
    groups: [
      {
        properties: [{ type, ...property, ...(isGroup ? { group_type_index: 0 } : {}) }],
        rollout_percentage: 60,
      },
    ],
    ...(isGroup ? { aggregation_group_type_index: 0 } : {}),
  }
}

interface Case {
  readonly name: string
  readonly filters: JsonObject
}

/** Every operator with every shape of value, for every type of property, turned around and not. */
const everyFilter: readonly Case[] = types.flatMap(type =>
  keys[type].flatMap(key =>
    operators.flatMap(operator =>
      values.flatMap(value =>
        [undefined, true].map(negation => {
          const property = Object.fromEntries(
            Object.entries({ key, operator, value, negation }).filter(([, member]) => member !== undefined),
          ) as JsonObject
          return { name: `${type} ${JSON.stringify(property)}`, filters: filtersWith(type, property) }
        }),
      ),
    ),
  ),
)

const isDeclarable = (filters: JsonObject) =>
  checkFilters(filters).every(({ severity }) => severity !== 'error')
const isSame = (one: JsonObject, other: JsonObject) =>
  isSameJson(canonicalFilters(one), canonicalFilters(other))
const throughAttributes = (filters: JsonObject) => encodeFilters(decodeFilters(filters))

describe('every filter that the evaluator knows', () => {
  const declarable = everyFilter.filter(({ filters }) => isDeclarable(filters))

  it('is tried in more than a few shapes', () => {
    expect(declarable.length).toBeGreaterThan(1_000)
    expect(new Set(declarable.map(({ filters }) => JSON.stringify(filters))).size).toBe(declarable.length)
  })

  it('can be said in typed attributes, or is one of the few that are said with `filters = jsonencode(...)`', () => {
    const lost = declarable.filter(({ filters }) => {
      const said = throughAttributes(filters)
      return !isSame(said, filters) && outcomes(said) !== outcomes(filters)
    })
    // A variant that is called "true" or "false", and a list inside of a list.
    const inJsonOnly = [/^flag .*"value":"(?:true|false)"/, /"value":\[\[/]
    expect(inJsonOnly.map(pattern => lost.some(({ name }) => pattern.test(name)))).toEqual([true, true])
    const others = lost.filter(({ name }) => !inJsonOnly.some(pattern => pattern.test(name)))
    expect(others.map(({ name }) => name)).toEqual([])
  })

  it('is either the same when it comes back, or told apart from what comes back', () => {
    const wrong = everyFilter.filter(({ filters }) => {
      const said = throughAttributes(filters)
      const isToTheLetter = canonicalText(said) === canonicalText(filters)
      return !isToTheLetter && isSame(said, filters) && outcomes(said) !== outcomes(filters)
    })
    expect(wrong.map(({ name }) => name)).toEqual([])
  })
})

/** What a configuration can hold in a property: texts, whatever they say. */
const texts = singles.map(String)
const everyTyped = types.flatMap(type =>
  keys[type].flatMap(key =>
    operators.flatMap(operator =>
      [
        ...[null, ...texts].map(value => ({ value })),
        ...[[], ['DE'], texts].map(list => ({ values: list })),
      ].map(compared => ({
        key,
        type,
        operator: operator ?? null,
        group_type_index: type === 'group' ? 0 : null,
        ...compared,
      })),
    ),
  ),
)

describe('every property that typed attributes can hold', () => {
  it('matches whom the filter matches that people would write as JSON, or is refused', () => {
    const wrong = everyTyped.flatMap(property => {
      const { key, type, operator, group_type_index: groupType } = property
      const typed = encodeFilters({
        release: [{ properties: [property], rollout_percentage: 60 }],
        group_type_index: groupType,
      })
      if (!isDeclarable(typed)) return []
      const value = 'values' in property ? property.values : wireValue(type, property.value)
      const direct = filtersWith(type, {
        key,
        ...(operator === null ? {} : { operator }),
        ...(value === null ? {} : { value }),
      })
      return isSame(typed, direct) && outcomes(typed) === outcomes(direct) ? [] : [JSON.stringify(property)]
    })
    expect(wrong).toEqual([])
  })

  function wireValue(type: PropertyType, value: string | null): Json {
    if (value === null) return null
    if (type === 'flag' && (value === 'true' || value === 'false')) return value === 'true'
    return type === 'cohort' && /^[1-9]\d*$/.test(value) ? Number(value) : value
  }
})

describe('typed attributes', () => {
  it('ask whether another flag is on with true, and off with false', () => {
    const asking = (value: string) => ({ key: 'on', type: 'flag', operator: 'flag_evaluates_to', value })
    const { groups } = encodeFilters({
      release: [{ properties: [asking('true'), asking('false'), asking('blue')] }],
    })
    expect(groups).toEqual([
      {
        properties: [true, false, 'blue'].map(value => ({ ...asking(''), value })),
      },
    ])
  })

  it.each([
    ['a condition that is null', { release: [null] }, { groups: [null] }],
    [
      'a percentage that is text',
      { release: [{ rollout_percentage: '5' }] },
      { groups: [{ rollout_percentage: '5' }] },
    ],
    ['a property that is null', { release: [{ properties: [null] }] }, { groups: [{ properties: [null] }] }],
    [
      'a value of a list that is null',
      { release: [{ properties: [{ key: 'p', values: ['a', null] }] }] },
      {
        groups: [{ properties: [{ key: 'p', type: 'person', value: ['a', null] }] }],
      },
    ],
    [
      'a variant without a share',
      { release: [], variants: [{ key: 'a' }] },
      { groups: [], multivariate: { variants: [{ key: 'a' }] } },
    ],
    [
      'a group type that is text',
      { release: [], group_type_index: '1' },
      { groups: [], aggregation_group_type_index: '1' },
    ],
    [
      'a variant that is null',
      { release: [], variants: [null] },
      { groups: [], multivariate: { variants: [null] } },
    ],
  ])('drop nothing that a check would find: %s', (_, config, filters) => {
    expect(encodeFilters(config)).toEqual(filters)
  })

  it.each([
    ['a condition that is null', { release: [null] }],
    ['a percentage that is text', { release: [{ rollout_percentage: '5' }] }],
    ['a property that is null', { release: [{ properties: [null] }] }],
    ['a variant without a share', { release: [], variants: [{ key: 'a' }] }],
    ['a group type that is text', { release: [], group_type_index: '1' }],
    ['a variant that is null', { release: [], variants: [null] }],
  ])('are refused where they release to everybody by mistake: %s', (_, config) => {
    expect(isDeclarable(encodeFilters(config))).toBe(false)
  })

  it('come back from the filters that they amount to, each as it was', () => {
    fc.assert(
      fc.property(someTyped, typed => {
        const filters = encodeFilters(typed)
        const back = decodeFilters(filters)
        expect(back).toEqual(withoutDefaults(typed))
        expect(canonicalText(encodeFilters(back))).toBe(canonicalText(filters))
      }),
    )
  })

  it('are as on the wire already where somebody says so, and then no text is read as another value', () => {
    const property = (type: string, value: Json) => ({ key: 'x', type, value })
    const properties = [property('flag', 'true'), property('flag', true), property('cohort', '5')]
    expect(encodeFilters({ release: [{ properties }] }, 'as on the wire')).toEqual({
      groups: [{ properties }],
    })
  })

  it('come back from any filters, or are told apart from them', () => {
    fc.assert(
      fc.property(someFilters, filters => {
        fc.pre(isJsonObject(filters))
        const said = throughAttributes(filters)
        // What comes back is what a configuration can hold, so it comes back once more.
        expect(isSame(throughAttributes(said), said)).toBe(true)
      }),
    )
  })
})

/** A property is one of a person where nothing else is said, and says so nowhere. */
function withoutDefaults(typed: JsonObject): Json {
  return JSON.parse(JSON.stringify(typed), (name, value) =>
    name === 'type' && value === 'person' ? null : value,
  )
}
