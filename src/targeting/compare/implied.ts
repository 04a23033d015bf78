import {
  canonicalText,
  isJsonNumber,
  isJsonObject,
  type Json,
  type JsonObject,
} from '../../model/json/json.ts'
import { oncePer } from '../../model/runtime/once-per.ts'
import type { EvaluationRules } from '../../services/engines.ts'
import type { Match } from '../evaluate/match.ts'
import { looseNumberOf, numberOf } from '../evaluate/operators/numbers.ts'
import { textOf } from '../evaluate/operators/texts.ts'
import { comparedTexts, isWorkedOut, matchProperty, operatorOf, saysTruth } from '../operators.ts'

/** A property that asks one thing of one value, as far as it can be held against others about the same value. */
export interface Asked {
  /** The same for properties about the same value. */
  readonly subject: string
  readonly operator: string
  readonly value: Json
  readonly property: JsonObject
  /** How whoever evaluates works it out. */
  readonly rules: EvaluationRules
}

/** Undefined of what is looked up elsewhere or turned round, and of operators that are not worked out. */
export function readAsked(property: Json, rules: EvaluationRules): Asked | undefined {
  if (!isJsonObject(property) || property.negation === true) return undefined
  if (property.type === 'cohort' || property.type === 'flag') return undefined
  const operator = operatorOf(property)
  if (typeof operator !== 'string' || !isWorkedOut(operator, rules)) return undefined
  const { value = null, operator: _, ...subject } = property
  return { subject: canonicalText(subject), operator, value, property, rules }
}

/**
 * Whether everybody who meets `inner` meets `outer`, both about the same value. Never wrong when it says yes.
 *
 * | `inner`                     | `outer`               | implied where                                      |
 * |-----------------------------|-----------------------|----------------------------------------------------|
 * | `exact`                     | `exact`               | it has all values of `inner`                       |
 * | `is_not`                    | `is_not`              | `inner` has all of its values                      |
 * | `exact`                     | `is_not`              | they have no value in common                       |
 * | `gt`, `gte`, `lt`, `lte`    | one of the same side  | the bound of `inner` is as far or further          |
 * | any                         | `is_set`              | who does not have the property does not meet it    |
 * | `is_not_set`                | any                   | who does not have the property meets it            |
 *
 * Two patterns, parts of texts, dates or versions are not compared: a change from one to another may reach anybody.
 */
export function isImplied(outer: Asked, inner: Asked): boolean {
  if (outer.operator === 'is_set') return answerWithout(inner) === false
  if (inner.operator === 'is_not_set') return answerWithout(outer) === true
  const [own, others] = [sizesOf(inner), sizesOf(outer)]
  if (own && others) return areBoth(own, others, isWithin)
  const [values, more] = [valuesOf(inner), valuesOf(outer)]
  if (!values || !more) return false
  if (outer.operator === 'exact') return inner.operator === 'exact' && areAmong(values, more)
  return inner.operator === 'exact' ? haveNoneInCommon(values, more) : areAmong(more, values)
}

/** Whether nobody meets both, which are about the same value. Never wrong when it says yes. */
export function isContradiction(left: Asked, right: Asked): boolean {
  if (left.operator === 'is_not_set') return answerWithout(right) === false
  if (right.operator === 'is_not_set') return answerWithout(left) === false
  const [one, other] = [sizesOf(left), sizesOf(right)]
  if (one && other) return areBoth(one, other, areApart)
  const [values, others] = [valuesOf(left), valuesOf(right)]
  if (!values || !others) return false
  if (left.operator === 'exact' && right.operator === 'exact') return haveNoneInCommon(values, others)
  if (left.operator === 'exact') return areAmong(values, others)
  return right.operator === 'exact' && areAmong(others, values)
}

/** What comes of a property for who does not have it. */
function answerWithout({ property, rules }: Asked): Match {
  return matchProperty(property, { properties: {}, isComplete: true, now: 0, rules })
}

/** The values of a list, as they are compared; undefined of other operators, and where a longer list does not mean more people. */
const valuesOf = oncePer(({ operator, value, rules }: Asked): ReadonlySet<string> | undefined => {
  if (operator !== 'exact' && operator !== 'is_not') return undefined
  return rules.truth_values === 'truth' && saysTruth(value) ? undefined : new Set(comparedTexts(value))
})

function areAmong(values: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  if (values.size > others.size) return false
  for (const value of values) if (!others.has(value)) return false
  return true
}

function haveNoneInCommon(values: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  for (const value of values) if (others.has(value)) return false
  return true
}

/** What a property may be by its size: as a number, and where texts are compared too, as a text. */
interface Sizes {
  readonly isUpTo: boolean
  readonly isIncluded: boolean
  readonly number: number | undefined
  readonly text: string | undefined
}

/** Undefined of other operators, and of values that are never met. */
const sizesOf = oncePer(({ operator, value, rules }: Asked): Sizes | undefined => {
  if (!/^[gl]te?$/.test(operator) || (typeof value !== 'string' && !isJsonNumber(value))) return undefined
  const number = readNumber(value, rules)
  const text = rules.number_comparison === 'numbers' ? undefined : textOf(value)
  if (number === undefined && text === undefined) return undefined
  return { isUpTo: operator.startsWith('l'), isIncluded: operator.endsWith('e'), number, text }
})

/** The number that the value of a condition is to whoever evaluates; undefined where it is a text. */
function readNumber(value: Json, { number_comparison }: EvaluationRules): number | undefined {
  const number =
    number_comparison === 'numbers'
      ? numberOf(value)
      : number_comparison === 'parsed'
        ? Number.parseFloat(textOf(value))
        : looseNumberOf(value)
  return Number.isFinite(number) ? number : undefined
}

type Bound = number | string
type Relation = (one: Sizes, at: Bound, other: Sizes, bound: Bound) => boolean

/** Of texts beside numbers both have to be so: nobody knows which of the two a property is. */
function areBoth(one: Sizes, other: Sizes, relation: Relation): boolean {
  if ((one.number === undefined) !== (other.number === undefined)) return false
  const holds = (at: Bound | undefined, bound: Bound | undefined) =>
    at === undefined || bound === undefined || relation(one, at, other, bound)
  return holds(one.number, other.number) && holds(one.text, other.text)
}

function isWithin(inner: Sizes, at: Bound, outer: Sizes, bound: Bound): boolean {
  if (inner.isUpTo !== outer.isUpTo) return false
  if (at === bound) return outer.isIncluded || !inner.isIncluded
  return inner.isUpTo ? at < bound : at > bound
}

function areApart(one: Sizes, at: Bound, other: Sizes, bound: Bound): boolean {
  if (one.isUpTo === other.isUpTo) return false
  if (at === bound) return !one.isIncluded || !other.isIncluded
  return one.isUpTo ? at < bound : at > bound
}
