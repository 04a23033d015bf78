import fc from 'fast-check'
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../src/model/text/json.ts'
import type { Three } from '../../src/targeting/index.ts'
import { someFilters } from '../targeting/some-filters.ts'

const property = (key: string, value: Json) => ({ key, type: 'person', operator: 'exact', value })

/** What conditions ask for, no two of them for the same; some people meet several. */
const audiences: readonly (readonly JsonObject[])[] = [
  [],
  [property('country', ['DE'])],
  [property('plan', ['pro'])],
  [property('country', ['DE']), property('plan', ['pro'])],
  [property('age', ['18'])],
]

const share = fc.constantFrom<Json>(null, 0, 5, 20, 50, 80, 100)
const place = fc.nat({ max: 4 })

const split = (blue: number): JsonObject => ({
  variants: [
    { key: 'blue', rollout_percentage: blue },
    { key: 'red', rollout_percentage: 100 - blue },
  ],
})

interface Filters extends JsonObject {
  readonly groups: readonly JsonObject[]
}

const multivariate = fc.constantFrom<Json>(null, split(50), split(20))

const base: fc.Arbitrary<Filters> = fc
  .record({
    asked: fc.shuffledSubarray([...audiences], { minLength: 1, maxLength: 3 }),
    shares: fc.array(share, { minLength: 5, maxLength: 5 }),
    multivariate,
    early: fc.constantFrom(false, false, false, true),
    payloads: fc.constantFrom<JsonObject>({}, { true: '1' }, { blue: '1', red: '2' }),
  })
  .map(({ asked, shares, early, payloads, multivariate }) => ({
    groups: asked.map((properties, index) => ({ properties, rollout_percentage: shares[index] ?? null })),
    multivariate,
    payloads,
    ...(early ? { early_exit: true } : {}),
  }))

type Edit = (filters: Filters) => Filters

const member = (name: string, values: fc.Arbitrary<Json>): fc.Arbitrary<Edit> =>
  values.map(value => filters => ({ ...filters, [name]: value }))

const ofOne = (name: string, values: fc.Arbitrary<Json>): fc.Arbitrary<Edit> =>
  fc.tuple(place, values).map(([at, value]) => filters => ({
    ...filters,
    groups: filters.groups.map((each, index) => (index === at ? { ...each, [name]: value } : each)),
  }))

const added: fc.Arbitrary<Edit> = fc
  .tuple(fc.constantFrom(...audiences), share, place)
  .map(([properties, rollout_percentage, at]) => filters => ({
    ...filters,
    groups: filters.groups.toSpliced(at, 0, { properties, rollout_percentage }),
  }))

const removed: fc.Arbitrary<Edit> = place.map(at => filters => ({
  ...filters,
  groups: filters.groups.toSpliced(at, 1),
}))

const moved: fc.Arbitrary<Edit> = place.map(at => filters => ({
  ...filters,
  groups: [...filters.groups.slice(at), ...filters.groups.slice(0, at)],
}))

const ofPayload: fc.Arbitrary<Edit> = fc
  .tuple(fc.constantFrom('true', 'blue', 'red'), fc.constantFrom('1', '3', '{"a": 1}'))
  .map(([key, payload]) => filters => ({
    ...filters,
    payloads: { ...(isJsonObject(filters.payloads) ? filters.payloads : {}), [key]: payload },
  }))

const edit: fc.Arbitrary<Edit> = fc.oneof(
  { weight: 6, arbitrary: ofOne('rollout_percentage', share) },
  { weight: 4, arbitrary: added },
  { weight: 2, arbitrary: moved },
  { weight: 2, arbitrary: ofPayload },
  { weight: 1, arbitrary: removed },
  { weight: 1, arbitrary: ofOne('variant', fc.constantFrom<Json>('blue', 'red')) },
  { weight: 1, arbitrary: ofOne('properties', fc.constantFrom<Json>(...audiences)) },
  { weight: 1, arbitrary: ofOne('aggregation_group_type_index', fc.constantFrom<Json>(0, 1)) },
  { weight: 1, arbitrary: ofOne('description', fc.constantFrom<Json>('a note', 'another')) },
  { weight: 1, arbitrary: ofOne('unheard_of', fc.constantFrom<Json>(1, 2)) },
  { weight: 1, arbitrary: member('multivariate', multivariate) },
  { weight: 1, arbitrary: member('early_exit', fc.boolean()) },
  { weight: 1, arbitrary: member('aggregation_group_type_index', fc.constantFrom<Json>(0, 1)) },
  {
    weight: 1,
    arbitrary: member('holdout', fc.constantFrom<Json>(null, { id: 3, exclusion_percentage: 30 })),
  },
)

const edits = fc.array(edit, { minLength: 1, maxLength: 2 })

const applied = (filters: Filters, made: readonly Edit[]) =>
  made.reduce<Filters>((before, change) => change(before), filters)

/** Filters, and what two people have made of them, each for themselves; or any three filters. */
export const threeFilters: fc.Arbitrary<Three<Json>> = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.tuple(base, edits, edits).map(([was, ours, theirs]) => ({
      base: was,
      declared: applied(was, ours),
      live: applied(was, theirs),
    })),
  },
  { weight: 1, arbitrary: fc.record({ base: someFilters, declared: someFilters, live: someFilters }) },
)

/** The largest share that a condition gives, by what it asks for; `meaning` says what that is. */
export function sharesOf(filters: Json, meaning: (condition: Json) => string): ReadonlyMap<string, number> {
  const groups = isJsonObject(filters) && isJsonArray(filters.groups) ? filters.groups : []
  const shares = new Map<string, number>()
  for (const condition of groups) {
    const { rollout_percentage: percent = 100 } = isJsonObject(condition) ? condition : {}
    const key = meaning(condition)
    shares.set(key, Math.max(shares.get(key) ?? 0, typeof percent === 'number' ? percent : 100))
  }
  return shares
}
