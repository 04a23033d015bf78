import { sortedUnique } from '../../model/canonical.ts'
import {
  canonicalText,
  isJsonArray,
  isJsonObject,
  isSameJson,
  type Json,
  type JsonObject,
} from '../../model/text/json.ts'
import { keepSpelling, readJsonAsWritten, type Spelled, writeJson } from '../../model/text/json-text.ts'
import {
  canonicalFilters,
  canonicalPayload,
  canonicalPercent,
  isJsonText,
  payloadText,
  payloadValue,
  withGroupTypesAs,
} from '../canonical-filters.ts'
import { withConditions } from '../release.ts'
import { canonicalProperty, meaningOf } from './meaning.ts'

/** The corresponding elements of two lists, by index. */
export interface Alignment {
  readonly pairs: readonly Pair[]
  readonly removed: readonly number[]
  readonly added: readonly number[]
}

export interface Pair {
  readonly before: number
  readonly after: number
  /** True if the pair changed places with another pair. False if only additions or removals moved it. */
  readonly isMoved: boolean
}

/**
 * Pairs elements with the same key. Tries the first kind of key on all elements before the next kind. Equal
 * elements are paired in order. Remaining elements are paired by position. Keys are only computed where they
 * may decide: not for the common beginning of both lists, nor for a single element after that.
 */
export function align<Element extends Json>(
  before: readonly Element[],
  after: readonly Element[],
  keys: readonly ((element: Element) => string)[],
): Alignment {
  const same = beginningOf(before, after)
  const areLast = before.length === same + 1 && after.length === same + 1
  const partners = new Map<number, number>()
  const taken = new Set<number>()
  const pair = (left: number, right: number) => {
    partners.set(left, right)
    taken.add(right)
  }
  // The common beginnings are equal, so they are paired in order.
  for (let at = 0; at < same; at++) pair(at, at)
  for (const keyOf of areLast ? [undefined] : [...keys, undefined]) {
    if (partners.size === before.length || taken.size === after.length) break
    const free = new Map<string, number[]>()
    after.forEach((element, index) => {
      if (taken.has(index)) return
      const key = keyOf ? keyOf(element) : String(index)
      const places = free.get(key)
      if (places) places.push(index)
      else free.set(key, [index])
    })
    for (const places of free.values()) places.reverse()
    before.forEach((element, index) => {
      if (partners.has(index)) return
      const place = free.get(keyOf ? keyOf(element) : String(index))?.pop()
      if (place !== undefined) pair(index, place)
    })
  }
  const paired = [...partners].sort(([left], [right]) => left - right)
  const settled = longestRising(paired.map(([, place]) => place))
  return {
    pairs: paired
      .map(([left, right]) => ({ before: left, after: right, isMoved: !settled.has(right) }))
      .sort((left, right) => left.after - right.after),
    removed: before.map((_, index) => index).filter(index => !partners.has(index)),
    added: after.map((_, index) => index).filter(index => !taken.has(index)),
  }
}

/** The number of equal elements at the beginning of both lists. */
function beginningOf(before: readonly Json[], after: readonly Json[]): number {
  const most = Math.min(before.length, after.length)
  for (let at = 0; at < most; at++) if (!isSameJson(before[at] ?? null, after[at] ?? null)) return at
  return most
}

/** Maps the index of an element to the index of its partner in the other list. */
export function partnersOf<Element extends Json>(
  list: readonly Element[],
  models: readonly Element[],
  keys: readonly ((element: Element) => string)[],
): ReadonlyMap<number, number> {
  return new Map(align(list, models, keys).pairs.map(({ before, after }) => [before, after]))
}

/**
 * The longest increasing subsequence of the numbers: all other elements have moved. It is read from the end,
 * so that if two elements swap places, the second one counts as moved.
 */
function longestRising(numbers: readonly number[]): Set<number> {
  // The least in which a run of each length can end, and what came before each number in its run; all negated.
  const ends: number[] = []
  const previous = new Map<number, number | undefined>()
  for (const number of numbers.toReversed().map(value => -value)) {
    const length = firstNotBelow(ends, number)
    previous.set(number, ends[length - 1])
    ends[length] = number
  }
  const rising = new Set<number>()
  for (let number = ends.at(-1); number !== undefined; number = previous.get(number))
    rising.add(Math.abs(number))
  return rising
}

function firstNotBelow(sorted: readonly number[], number: number): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? 0) < number) low = middle + 1
    else high = middle
  }
  return low
}

/** Conditions of two filters side by side, by the people they mean: an inserted one moves no others. */
export function alignConditions(before: readonly Json[], after: readonly Json[]): Alignment {
  return align(before, after, [canonicalText, peopleAndVariant, peopleKey])
}

/** Variants of two filters by their keys: one of another key is another variant, even at the same place. */
export function alignVariants(before: readonly Json[], after: readonly Json[]): Alignment {
  const { pairs, removed, added } = align(before, after, [keyOf])
  const isKept = (pair: Pair) => keyOf(before[pair.before] ?? null) === keyOf(after[pair.after] ?? null)
  const replaced = pairs.filter(pair => !isKept(pair))
  const inOrder = (...places: number[]) => places.sort((one, other) => one - other)
  return {
    pairs: pairs.filter(isKept),
    removed: inOrder(...removed, ...replaced.map(pair => pair.before)),
    added: inOrder(...added, ...replaced.map(pair => pair.after)),
  }
}

/** The identity of a variant or a property: its key, or its content if it has no key. */
export function keyOf(part: Json): string {
  return canonicalText(isJsonObject(part) ? (part.key ?? null) : [part])
}

/** Equal for two conditions that match the same people, in any spelling. */
export function peopleKey(condition: Json): string {
  if (!isJsonObject(condition)) return canonicalText([condition])
  const { properties = null } = condition
  return canonicalText(isJsonArray(properties) ? properties.map(property => meaningOf(property)) : properties)
}

function peopleAndVariant(condition: Json): string {
  const { variant = null } = isJsonObject(condition) ? condition : {}
  return `${peopleKey(condition)} ${isJsonObject(condition) ? canonicalText(variant) : ''}`
}

/**
 * Filters spelled like `model` in all parts that mean the same: `exact` present or absent, a payload as value
 * or as text, null or absent, the order of members and of a property's values, `50.0` or `50`. So a reader
 * sees only real changes between the two. Numbers of the model may keep their written form.
 */
export function keepFilters(filters: Json, model: Json): Json {
  if (!isJsonObject(filters) || !isJsonObject(model)) return keepSpelling(filters, model, wholeFilters)
  const value = withConditions(filters)
  const partners = partnersIn(value, model)
  return keepSpelling(
    withGroupTypesAs(value, model, index => partners.get(index)),
    model,
    wholeFilters,
  )
}

const property: Spelled = {
  canonical: canonicalProperty,
  // The property decides whether the order matters.
  members: { value: { canonical: sortedUnique, isSet: true } },
}

const condition: Spelled = {
  canonical: alone => canonicalFilters({ groups: [alone] }),
  members: {
    properties: {
      canonical: list => (isJsonArray(list) ? list.map(canonicalProperty) : list),
      elements: { of: property, pair: pairedBy(each => canonicalText(canonicalProperty(each)), keyOf) },
    },
  },
}

const variant: Spelled = {
  canonical: alone => canonicalFilters({ multivariate: { variants: [alone] } }),
}

const payload: Spelled = { canonical: canonicalPayload, respell: respelledPayload }

const wholeFilters: Spelled = {
  canonical: canonicalFilters,
  members: {
    groups: {
      canonical: groups => canonicalFilters({ groups }),
      elements: { of: condition, pair: pairedBy(each => canonicalText(condition.canonical(each)), peopleOf) },
    },
    multivariate: {
      canonical: multivariate => canonicalFilters({ multivariate }),
      members: {
        variants: {
          canonical: variants => canonicalFilters({ multivariate: { variants } }),
          elements: { of: variant, pair: pairedBy(keyOf) },
        },
      },
    },
    payloads: { canonical: payloads => canonicalFilters({ payloads }), everyMember: payload },
  },
}

function pairedBy(...keys: readonly ((element: Json) => string)[]) {
  return (list: readonly Json[], models: readonly Json[]) => partnersOf(list, models, keys)
}

/** The payload, spelled like the other payload; as text if that is text. */
export function respelledPayload(value: Json, model: Json): Json {
  if (model === null) return value
  if (typeof model !== 'string') return keepSpelling(payloadValue(value), model)
  if (!isJsonText(model)) return value
  const kept = keepSpelling(readJsonAsWritten(payloadText(value)), readJsonAsWritten(model))
  return writeJson(kept)
}

/** The corresponding conditions of other filters, by position. */
function partnersIn(filters: JsonObject, model: JsonObject): ReadonlyMap<number, number> {
  const [groups, models] = [filters.groups, model.groups]
  return isJsonArray(groups) && isJsonArray(models) ? pairedBy(peopleOf)(groups, models) : new Map()
}

/**
 * Filters, spelled like other filters in all parts with the same canonical form, so that a description of
 * both shows only real differences. Both are compact.
 */
export function spelledAs(filters: Json, others: Json): Json {
  if (!isJsonObject(filters) || !isJsonObject(others)) return filters
  return mapShared(withGroupTypesAs(filters, others), others, {
    groups: conditions,
    multivariate: (one, other) =>
      isJsonObject(one) && isJsonObject(other) ? mapShared(one, other, { variants }) : one,
    payloads: (payloads, model) =>
      isJsonObject(payloads) && isJsonObject(model)
        ? mapShared(payloads, model, (one, other) => respelled(one, other, canonicalPayload))
        : payloads,
  })
}

type Respell = (value: Json, model: Json) => Json

function conditions(groups: Json, models: Json): Json {
  if (!isJsonArray(groups) || !isJsonArray(models)) return groups
  const keys = [canonicalText, peopleOf]
  return paired(groups, models, keys, (condition, model) =>
    isJsonObject(condition) && isJsonObject(model)
      ? mapShared(condition, model, { properties, rollout_percentage: percent })
      : condition,
  )
}

function variants(list: Json, models: Json): Json {
  if (!isJsonArray(list) || !isJsonArray(models)) return list
  return paired(list, models, [keyOf], (variant, model) =>
    isJsonObject(variant) && isJsonObject(model)
      ? mapShared(variant, model, { rollout_percentage: percent })
      : variant,
  )
}

function percent(value: Json, model: Json): Json {
  return respelled(value, model, canonicalPercent)
}

function properties(list: Json, models: Json): Json {
  if (!isJsonArray(list) || !isJsonArray(models)) return list
  const key = (property: Json) => canonicalText(canonicalProperty(property))
  return paired(list, models, [key], (property, model) => respelled(property, model, canonicalProperty))
}

function paired(
  list: readonly Json[],
  models: readonly Json[],
  keys: readonly ((element: Json) => string)[],
  respell: Respell,
): Json {
  const partners = partnersOf(list, models, keys)
  return list.map((element, at) => {
    const model = models[partners.get(at) ?? -1]
    return model === undefined ? element : respell(element, model)
  })
}

function mapShared(
  members: JsonObject,
  models: JsonObject,
  respell: Respell | Readonly<Record<string, Respell>>,
): JsonObject {
  const entries = Object.entries(members).map(([name, member]) => {
    const own =
      typeof respell === 'function' ? respell : Object.hasOwn(respell, name) ? respell[name] : undefined
    const model = Object.hasOwn(models, name) ? models[name] : undefined
    return [name, own && model !== undefined ? own(member, model) : member] as const
  })
  return Object.fromEntries(entries)
}

function respelled(value: Json, model: Json, canonical: (value: Json) => Json): Json {
  return isSameJson(value, model) || isSameJson(canonical(value), canonical(model)) ? model : value
}

/** The people that a condition matches, without the percentage. */
function peopleOf(condition: Json): string {
  const list = isJsonObject(condition) ? condition.properties : undefined
  return canonicalText([
    list !== undefined && isJsonArray(list) ? list.map(canonicalProperty) : (list ?? null),
  ])
}
