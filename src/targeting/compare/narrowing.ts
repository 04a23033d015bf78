import { isJsonObject, isSameJson, type Json } from '../../model/json/json.ts'
import { once } from '../../model/runtime/once.ts'
import type { EvaluationRules } from '../../services/engines.ts'
import { documentedRules } from '../operators.ts'
import { type Asked, isContradiction, isImplied, readAsked } from './implied.ts'
import { canonicalProperty, meaningOf } from './meaning.ts'

/** One property of a condition. What it means is worked out where something asks for it: mostly its key tells enough. */
interface Aspect {
  readonly property: Json
  readonly key: string
  readonly canonical: () => Json
  /** The same for properties that mean the same. */
  readonly text: () => string
  readonly asked: () => Asked | undefined
}

/** The people that a list of properties means, read once so that many lists can be compared with each other. */
export interface People {
  readonly properties: readonly Aspect[]
  /** The properties by what they ask about. */
  readonly byKey: ReadonlyMap<string, readonly Aspect[]>
  readonly texts: () => ReadonlySet<string>
  /** Properties that can be compared, by what they are about. */
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

/** What a property asks about; properties with different keys say nothing of each other. */
function keyOf(property: Json): string {
  return isJsonObject(property) && typeof property.key === 'string' ? property.key : ''
}

/** Whether two properties ask about the same, so that nobody may meet both. */
export function asksTwice(properties: readonly Json[]): boolean {
  return properties.length > 1 && new Set(properties.map(keyOf)).size < properties.length
}

/**
 * True when everybody among the `inner` people is certainly among the `outer` ones. Never wrong when it says yes; it
 * says no whenever that takes more than comparing the properties two by two.
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

/** The first two properties of which nobody meets both, by their places. Never wrong when it finds some. */
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

/** So many properties of a condition are compared with all others: people write some, programs any number. */
const mostCompared = 50

/** The first so many of each name. */
function grouped<Value>(
  values: readonly Value[],
  nameOf: (value: Value) => string,
  most = Number.POSITIVE_INFINITY,
): ReadonlyMap<string, readonly Value[]> {
  const groups = new Map<string, Value[]>()
  for (const value of values) {
    const name = nameOf(value)
    const alike = groups.get(name)
    if (!alike) groups.set(name, [value])
    else if (alike.length < most) alike.push(value)
  }
  return groups
}
