import fc from 'fast-check'
import { numberFrom } from '../../src/hcl/json.ts'
import type { Json, JsonObject } from '../../src/model/text/json.ts'

/** One thing written in two ways. */
export type Respelling<Value = Json> = readonly [Value, Value]

const words = ['DE', 'fr', 'pro', '18', '2.5', '-7', '']
const numeric = /^-?\d+(\.\d+)?$/

interface Meant {
  readonly key: string
  readonly operator: string
  readonly texts: readonly string[]
  readonly negation: boolean
}

const meant: fc.Arbitrary<Meant> = fc.record({
  key: fc.constantFrom('country', 'plan', 'age'),
  operator: fc.constantFrom(
    ...['exact', 'is_not', 'icontains', 'not_icontains', 'gt', 'gte', 'lt', 'lte', 'regex', 'not_regex'],
    ...['is_set', 'is_not_set', 'icontains_multi'],
  ),
  texts: fc.uniqueArray(fc.constantFrom(...words), { minLength: 1, maxLength: 3 }),
  negation: fc.boolean(),
})

/** The choices of somebody who writes a property down. */
const choices = fc.infiniteStream(fc.nat(1000))

/**
 * Ways to write the same property. `isLoose`: letters of another case and numbers for their texts are among them where
 * the service evaluates both alike, though its database does not hold the same.
 */
function spell({ key, operator, texts, negation }: Meant, next: () => number, isLoose: boolean): JsonObject {
  const pick = <Value>(...ways: readonly Value[]): Value => ways[next() % ways.length] as Value
  const cased = (text: string) => pick(text, text.toLowerCase(), text.toUpperCase())
  const asNumber = (text: string): Json => (numeric.test(text) ? pick<Json>(text, Number(text)) : text)
  const value = (): Json => {
    switch (operator) {
      case 'exact':
      case 'is_not': {
        const listed = texts.map(text => (isLoose ? asNumber(cased(text)) : text))
        if (listed.length === 1 && pick(true, false)) return listed[0] ?? null
        const repeated = [...listed, ...listed.filter(() => pick(true, false))]
        return repeated
          .map(each => [next(), each] as const)
          .sort(([a], [b]) => a - b)
          .map(([, each]) => each)
      }
      case 'icontains_multi':
        return pick([...texts], texts.toReversed(), [...texts, ...texts])
      case 'icontains':
      case 'not_icontains':
        return asNumber(isLoose ? cased(texts[0] ?? '') : (texts[0] ?? ''))
      case 'is_set':
      case 'is_not_set':
        return pick<Json>(null, operator, [], 'x')
      default:
        return asNumber(texts[0] ?? '')
    }
  }
  return {
    ...pick<JsonObject>({}, { group_type_index: null }, { cohort_name: 'x' }),
    key,
    type: 'person',
    ...(operator === 'exact' ? pick<JsonObject>({}, { operator }, { operator: null }) : { operator }),
    value: value(),
    ...(negation ? { negation } : pick<JsonObject>({}, { negation: false }, { negation: null })),
  }
}

function twice(one: Meant, stream: Iterator<number>, isLoose: boolean): Respelling {
  const next = () => Number(stream.next().value)
  return [spell(one, next, isLoose), spell(one, next, isLoose)]
}

const payloads = fc.constantFrom<Respelling>(
  ['1.10', '1.1'],
  ['{"a": 1, "b": [2.0]}', '{"b":[2],"a":1}'],
  [{ a: 1 }, '{ "a": 1 }'],
  ['12345678901234567890', ' 12345678901234567890 '],
  ['hello', '"hello"'],
)

/** A third is written with as many digits as its writer has. */
const third: Respelling = [33.333333333333336, numberFrom('33.333333333333333333')]
const percents = fc.constantFrom<Respelling>([5, 5], [50, 50], [100, 100], third, swapped(third))
const weights = fc.constantFrom<Respelling>([50, 50], third, swapped(third))

function variantsOf(weight: Json): Json {
  return [
    { key: 'blue', rollout_percentage: weight },
    { key: 'red', rollout_percentage: 50 },
  ]
}

function swapped([one, other]: Respelling): Respelling {
  return [other, one]
}

/** Filters of a few conditions, written in two ways. */
export function respelledFilters(isLoose: boolean): fc.Arbitrary<Respelling<JsonObject>> {
  const condition = fc.record({
    all: fc.array(meant, { maxLength: 3 }),
    percent: percents,
  })
  return fc
    .tuple(
      fc.array(condition, { minLength: 1, maxLength: 3 }),
      fc.option(payloads),
      fc.option(weights),
      choices,
    )
    .map(([conditions, payload, weight, stream]) => {
      const both = conditions.map(({ all, percent }) => {
        const pairs = all.map(one => twice(one, stream, isLoose))
        const side = (at: 0 | 1): JsonObject => ({
          properties: pairs.map(pair => pair[at]),
          rollout_percentage: percent[at],
        })
        return [side(0), side(1)] as const
      })
      const side = (at: 0 | 1): JsonObject => ({
        groups: both.map(pair => pair[at]),
        ...(payload ? { payloads: { true: payload[at] } } : {}),
        ...(weight ? { multivariate: { variants: variantsOf(weight[at]) } } : {}),
      })
      return [side(0), side(1)] as const
    })
}
