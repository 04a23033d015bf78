import { canonicalText, isJsonObject, type Json } from '../../model/json/json.ts'
import type { EvaluationRules } from '../../services/engines.ts'
import { comparedTexts, documentedRules, operatorOf, saysTruth } from '../operators.ts'
import { type Asked, isContradiction, isImplied, readAsked } from './implied.ts'
import { canonicalProperty, meaningOf } from './meaning.ts'

/** The people that a list of properties means, so that many lists can be compared with each other. */
export interface People {
  /** How many properties there are; nobody is left out by none. */
  readonly count: number
  /** What the properties ask about; properties with different keys say nothing of each other. */
  readonly keys: ReadonlySet<string>
  readonly rules: EvaluationRules
  /** What the properties mean, worked out at the first question that their keys leave open. */
  readonly meant: () => Meant
}

interface Meant {
  readonly properties: readonly Aspect[]
  readonly texts: ReadonlySet<string>
  /** Properties whose lists of values can be compared, by everything but those values. */
  readonly lists: ReadonlyMap<string, readonly ReadonlySet<string>[]>
  /** The other properties that can be compared, by what they are about. */
  readonly asked: ReadonlyMap<string, readonly Asked[]>
}

interface Aspect {
  readonly text: string
  readonly list?: ValueList
  readonly asked?: Asked
}

interface ValueList {
  readonly rest: string
  readonly values: ReadonlySet<string>
  /** Whether more values mean more people: so with `exact`, and the other way round with `is_not`. */
  readonly grows: boolean
}

export function readPeople(properties: readonly Json[], rules: EvaluationRules = documentedRules): People {
  let meant: Meant | undefined
  return {
    count: properties.length,
    keys: new Set(properties.map(keyOf)),
    rules,
    meant: () => {
      meant ??= readMeant(properties, rules)
      return meant
    },
  }
}

function readMeant(properties: readonly Json[], rules: EvaluationRules): Meant {
  const aspects = properties.map(property => ({
    text: meaningOf(property, rules),
    list: valueList(canonicalProperty(property), rules),
    asked: readAsked(canonicalProperty(property)),
  }))
  const lists = new Map<string, ReadonlySet<string>[]>()
  for (const { list } of aspects) {
    if (!list) continue
    const alike = lists.get(list.rest)
    if (alike) alike.push(list.values)
    else lists.set(list.rest, [list.values])
  }
  const asked = new Map<string, Asked[]>()
  for (const { asked: one } of aspects) {
    if (!one) continue
    const alike = asked.get(one.subject)
    if (!alike) asked.set(one.subject, [one])
    else if (alike.length < mostCompared) alike.push(one)
  }
  return { properties: aspects, texts: new Set(aspects.map(({ text }) => text)), lists, asked }
}

function keyOf(property: Json): string {
  return isJsonObject(property) && typeof property.key === 'string' ? property.key : ''
}

/**
 * True when everybody among the `inner` people is certainly among the `outer` ones. Never wrong when it says yes; it
 * says no whenever that takes more than comparing the properties two by two.
 */
export function isNarrowedTo(outer: People, inner: People): boolean {
  if (!isSubset(outer.keys, inner.keys)) return false
  if (outer.count === 0) return true
  const { texts, lists, asked: others } = inner.meant()
  return outer.meant().properties.every(({ text, list, asked }) => {
    if (texts.has(text)) return true
    if (list !== undefined && (lists.get(list.rest) ?? []).some(values => implies(values, list))) return true
    if (asked === undefined) return false
    return (others.get(asked.subject) ?? []).some(other => isImplied(asked, other, outer.rules))
  })
}

/** The first two properties of which nobody meets both, by their places. Never wrong when it finds some. */
export function contradictionIn({
  count,
  keys,
  meant,
  rules,
}: People): readonly [number, number] | undefined {
  if (keys.size === count) return undefined
  const { properties } = meant()
  const first = properties.slice(0, mostCompared)
  for (const [at, { asked: one }] of properties.entries()) {
    const before = first.findIndex(
      ({ asked: other }, place) =>
        place < at && one && other && one.subject === other.subject && isContradiction(other, one, rules),
    )
    if (before >= 0) return [before, at]
  }
  return undefined
}

/** So many properties of a condition are compared with all others: people write some, programs any number. */
const mostCompared = 50

/** `country is DE` implies `country is DE or FR`; `plan is none of a, b` implies `plan is not a`. */
function implies(inner: ReadonlySet<string>, { values, grows }: ValueList): boolean {
  return grows ? isSubset(inner, values) : isSubset(values, inner)
}

function valueList(property: Json, { truth_values }: EvaluationRules): ValueList | undefined {
  if (!isJsonObject(property) || property.negation === true) return undefined
  if (property.type === 'cohort' || property.type === 'flag') return undefined
  const operator = operatorOf(property)
  if (operator !== 'exact' && operator !== 'is_not') return undefined
  const { value, ...rest } = property
  // Of such lists the longer one does not mean more people.
  if (truth_values === 'truth' && saysTruth(value ?? null)) return undefined
  return { rest: canonicalText(rest), values: new Set(comparedTexts(value)), grows: operator === 'exact' }
}

function isSubset(inner: ReadonlySet<string>, outer: ReadonlySet<string>): boolean {
  if (inner.size > outer.size) return false
  for (const text of inner) if (!outer.has(text)) return false
  return true
}
