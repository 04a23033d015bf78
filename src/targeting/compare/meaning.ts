import { once, oncePer } from '../../model/runtime.ts'
import {
  canonicalText,
  formMembers,
  isEmptyJson,
  isJsonArray,
  isJsonNumber,
  isJsonObject,
  isSameJson,
  type Json,
  type JsonObject,
  pickMembers,
} from '../../model/text/json.ts'
import type { EvaluationRules } from '../../services/engines.ts'
import { looseNumberOf, type Match, numberOf, textOf } from '../evaluate/compared-values.ts'
import {
  type Comparison,
  comparedTexts,
  comparisonBy,
  documentedRules,
  isExclusion,
  isTrue,
  isTruthText,
  isWorkedOut,
  matchProperty,
  operatorOf,
  searchedText,
} from '../operators.ts'

/**
 * When two properties are the same, in two senses. Everything that compares them uses this: a plan, an
 * exposure, or the description of either.
 *
 * | spelled differently                           | one canonical form | one meaning |
 * |-----------------------------------------------|--------------------|-------------|
 * | members without meaning, `exact` left out     | yes                | yes         |
 * | `in` of a cohort left out, `negation` for `not_in` | yes           | yes         |
 * | the order of a list's values, repeats in it   | yes                | yes         |
 * | one value, a list of one                      | yes                | yes         |
 * | a number, its text: where text is compared    | yes                | yes         |
 * | a number, its text: in `exact` and `is_not`   | no                 | yes         |
 * | upper case, lower case: in those and contains | no                 | yes         |
 *
 * Properties with one canonical form are not sent again. The rest is sent, since databases distinguish `100`
 * from `"100"` and `DE` from `de`. But it gives the flag to nobody who did not have it: flags are evaluated
 * without regard to either. [service-behaviour 12]
 */
export function canonicalProperty(property: Json): Json {
  return isJsonObject(property) ? canonicalOf(property) : property
}

/** Planning and making one change needs the canonical form of the same property about fifty times. */
const canonicalOf = oncePer(
  (property: JsonObject): Json =>
    formMembers(compactProperty(asMembership(property)), (member, name) => {
      if (name === 'negation' && member === false) return undefined
      return name === 'value' ? canonicalOperand(property, member) : member
    }),
)

/** Membership of a cohort, or its negation, in one spelling each. */
function asMembership(property: JsonObject): JsonObject {
  if (property.type !== 'cohort') return property
  if (!isExclusion(property))
    return property.operator === 'in' ? pickMembers(property, (_, name) => name !== 'operator') : property
  return { ...property, operator: 'not_in', negation: null }
}

/** A text that two properties share only if the same people match them, by the rules of the given engine. */
export function meaningOf(property: Json, rules: EvaluationRules = documentedRules): string {
  const canonical = canonicalProperty(property)
  if (!isJsonObject(canonical) || canonical.value === undefined) return canonicalText(canonical)
  return canonicalText({ ...canonical, value: comparedOperand(canonical, canonical.value, rules) })
}

/** Members that newer services add on reading; they carry no meaning for a declaration. */
const annotations = new Set(['cohort_name', 'group_key_names'])

/** A property without members that have no meaning, in its own spelling. */
export const compactProperty = oncePer(
  (property: JsonObject): JsonObject =>
    pickMembers(property, (member, name) => {
      if (annotations.has(name)) return false
      if (name === 'operator' && member === 'exact') return property.type === 'cohort'
      if (name === 'value') return member !== null && comparisonOf(property) !== 'nothing'
      return !isEmptyJson(member)
    }),
)

function comparisonOf(property: JsonObject): Comparison {
  // Cohorts and flags are identified by the value, whatever the operator is.
  if (property.type === 'cohort' || property.type === 'flag') return 'anything'
  return comparisonBy(operatorOf(property))
}

/** Whether the order and repetition of a property's values have no meaning. */
export function isOrderFree(property: JsonObject): boolean {
  const comparison = comparisonOf(property)
  return comparison === 'members' || comparison === 'parts'
}

function canonicalOperand(property: JsonObject, value: Json): Json {
  // For a flag, `true` and "true" differ; a cohort's id may be a number or text.
  if (property.type === 'flag') return value
  if (property.type === 'cohort') return isJsonNumber(value) ? String(value) : value
  switch (comparisonOf(property)) {
    case 'members':
    case 'parts':
      return sortedMembers(isJsonArray(value) ? value : [value])
    case 'text':
    case 'text without case':
      return isJsonNumber(value) ? canonicalText(value) : value
    default:
      return value
  }
}

function comparedOperand(property: JsonObject, value: Json, rules: EvaluationRules): Json {
  if (property.type === 'flag' || property.type === 'cohort') return value
  switch (comparisonOf(property)) {
    case 'members':
      return rules.truth_values === 'truth' && isTruthText(value)
        ? isTrue(value)
        : sortedMembers(comparedTexts(value))
    case 'parts':
      return sortedMembers((isJsonArray(value) ? value : [value]).map(part => searchedText(part, rules)))
    case 'text without case':
      return searchedText(value, rules)
    default:
      return value
  }
}

function sortedMembers(values: readonly Json[]): Json {
  if (values.every(value => typeof value === 'string')) return [...new Set(values)].sort()
  const byText = new Map(values.map(value => [canonicalText(value), value]))
  return [...byText.keys()].sort().map(text => byText.get(text) ?? null)
}

/** A property that compares one value, as far as it can be compared with others about the same value. */
interface Asked {
  /** Equal for properties about the same value. */
  readonly subject: string
  readonly operator: string
  readonly value: Json
  readonly property: JsonObject
  /** How the engine evaluates it. */
  readonly rules: EvaluationRules
}

/** Undefined for negated properties, for cohorts and flags, and for operators that are not evaluated here. */
function readAsked(property: Json, rules: EvaluationRules): Asked | undefined {
  if (!isJsonObject(property) || property.negation === true) return undefined
  if (property.type === 'cohort' || property.type === 'flag') return undefined
  const operator = operatorOf(property)
  if (typeof operator !== 'string' || !isWorkedOut(operator, rules)) return undefined
  const { value = null, operator: _, ...subject } = property
  return { subject: canonicalText(subject), operator, value, property, rules }
}

/**
 * Whether everybody who matches `inner` matches `outer`, both about the same value. Never wrong if true.
 *
 * | `inner`                     | `outer`               | implied if                                         |
 * |-----------------------------|-----------------------|----------------------------------------------------|
 * | `exact`                     | `exact`               | it has all values of `inner`                       |
 * | `is_not`                    | `is_not`              | `inner` has all of its values                      |
 * | `exact`                     | `is_not`              | they have no value in common                       |
 * | `gt`, `gte`, `lt`, `lte`    | one of the same side  | the bound of `inner` is as far or further          |
 * | any                         | `is_set`              | people without the property do not match `inner`   |
 * | `is_not_set`                | any                   | people without the property match `outer`          |
 *
 * Two patterns, parts of texts, dates or versions are not compared: a change from one to another may reach anybody.
 */
function isImplied(outer: Asked, inner: Asked): boolean {
  if (outer.operator === 'is_set') return answerWithout(inner) === false
  if (inner.operator === 'is_not_set') return answerWithout(outer) === true
  const [own, others] = [sizesOf(inner), sizesOf(outer)]
  if (own && others) return areBoth(own, others, isWithin)
  const [values, more] = [valuesOf(inner), valuesOf(outer)]
  if (!values || !more) return false
  if (outer.operator === 'exact') return inner.operator === 'exact' && areAmong(values, more)
  return inner.operator === 'exact' ? haveNoneInCommon(values, more) : areAmong(more, values)
}

/** Whether nobody matches both properties, which are about the same value. True only if certain. */
function isContradiction(left: Asked, right: Asked): boolean {
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

/** The result of a property for people who lack it. */
function answerWithout({ property, rules }: Asked): Match {
  return matchProperty(property, { properties: {}, isComplete: true, now: 0, rules })
}

/** The values of a list, as compared; undefined if more values would not mean more people. */
const valuesOf = oncePer(({ operator, value, rules }: Asked): ReadonlySet<string> | undefined => {
  if (operator !== 'exact' && operator !== 'is_not') return undefined
  return rules.truth_values === 'truth' && isTruthText(value) ? undefined : new Set(comparedTexts(value))
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

/** The bounds of a property: as a number, and as a text if texts are compared too. */
interface Sizes {
  readonly isUpTo: boolean
  readonly isIncluded: boolean
  readonly number: number | undefined
  readonly text: string | undefined
}

/** Undefined for other operators, and for values that never match. */
const sizesOf = oncePer(({ operator, value, rules }: Asked): Sizes | undefined => {
  if (!/^[gl]te?$/.test(operator) || (typeof value !== 'string' && !isJsonNumber(value))) return undefined
  const number = readNumber(value, rules)
  const text = rules.number_comparison === 'numbers' ? undefined : textOf(value)
  if (number === undefined && text === undefined) return undefined
  return { isUpTo: operator.startsWith('l'), isIncluded: operator.endsWith('e'), number, text }
})

/** The number that the engine reads from the value of a condition; undefined if it is a text. */
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

/** The relation must hold for numbers and for texts, because the type of the property is unknown. */
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

/** One property of a condition. Its meaning is computed on demand: often the key is enough. */
interface Aspect {
  readonly property: Json
  readonly key: string
  readonly canonical: () => Json
  /** Equal for properties that mean the same. */
  readonly text: () => string
  readonly asked: () => Asked | undefined
}

/** The people that a list of properties matches, prepared for comparison with many other lists. */
export interface People {
  readonly properties: readonly Aspect[]
  readonly byKey: ReadonlyMap<string, readonly Aspect[]>
  readonly texts: () => ReadonlySet<string>
  /** Properties that can be compared, by their subjects. */
  readonly asked: () => ReadonlyMap<string, readonly Asked[]>
}

export function readPeople(properties: readonly Json[], rules: EvaluationRules = documentedRules): People {
  const aspects = properties.map(property => readAspect(property, rules))
  return {
    properties: aspects,
    byKey: grouped(aspects, ({ key }) => key),
    texts: once(() => new Set(aspects.map(({ text }) => text()))),
    asked: once(() =>
      grouped(
        aspects.flatMap(({ asked }) => asked() ?? []),
        ({ subject }) => subject,
        mostCompared,
      ),
    ),
  }
}

function readAspect(property: Json, rules: EvaluationRules): Aspect {
  const canonical = once(() => canonicalProperty(property))
  return {
    property,
    key: keyOf(property),
    canonical,
    text: once(() => meaningOf(property, rules)),
    asked: once(() => readAsked(canonical(), rules)),
  }
}

/** The subject of a property. Properties with different keys are independent. */
export function keyOf(property: Json): string {
  return isJsonObject(property) && typeof property.key === 'string' ? property.key : ''
}

/** Whether two properties have the same subject, so that possibly nobody matches both. */
export function asksTwice(properties: readonly Json[]): boolean {
  return properties.length > 1 && new Set(properties.map(keyOf)).size < properties.length
}

/**
 * Whether all people in `inner` are certainly in `outer`. Never wrong if true. False if the decision needs
 * more than comparing properties in pairs.
 */
export function isNarrowedTo(outer: People, inner: People): boolean {
  if (!outer.properties.every(({ key }) => inner.byKey.has(key))) return false
  return outer.properties.every(aspect => isCertain(aspect, inner))
}

function isCertain({ property, key, canonical, text, asked }: Aspect, inner: People): boolean {
  const [first] = inner.byKey.get(key) ?? []
  if (first && (isSameJson(first.property, property) || isSameJson(first.canonical(), canonical())))
    return true
  if (inner.texts().has(text())) return true
  const one = asked()
  if (one === undefined) return false
  return (inner.asked().get(one.subject) ?? []).some(other => isImplied(one, other))
}

/** The first two properties that nobody can match together, by position. Never wrong if it finds some. */
export function contradictionIn({ properties, byKey }: People): readonly [number, number] | undefined {
  if (byKey.size === properties.length) return undefined
  const asked = properties.map(aspect => aspect.asked())
  const first = asked.slice(0, mostCompared)
  for (const [at, one] of asked.entries()) {
    const before = first.findIndex(
      (other, place) =>
        place < at && one && other && one.subject === other.subject && isContradiction(other, one),
    )
    if (before >= 0) return [before, at]
  }
  return undefined
}

/** Only so many properties are compared with all others: people write a few, programs any number. */
const mostCompared = 50

/** Groups values by name; keeps only the first ones of each, up to that number. */
function grouped<Value>(
  values: readonly Value[],
  nameOf: (value: Value) => string,
  most = Number.POSITIVE_INFINITY,
): ReadonlyMap<string, readonly Value[]> {
  const groups = new Map<string, Value[]>()
  for (const value of values) {
    const name = nameOf(value)
    const group = groups.get(name)
    if (!group) groups.set(name, [value])
    else if (group.length < most) group.push(value)
  }
  return groups
}
