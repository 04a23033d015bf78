import { describe, expect, it } from 'vitest'
import { canonicalText, isSameJson, type Json, type JsonObject } from '../../../src/model/text/json.ts'
import { decodeFilters, encodeFilters } from '../../../src/targeting/codec.ts'
import { propertyTypes } from '../../../src/targeting/filter-parts.ts'
import {
  canonicalFilters,
  checkFilters,
  type EvaluatedFlag,
  evaluateFlag,
  KnownFlags,
  type Subject,
} from '../../../src/targeting/index.ts'
import { knownOperators } from '../../../src/targeting/operators.ts'

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
