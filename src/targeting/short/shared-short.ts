import {
  canonicalText,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
} from '../../model/json/json.ts'
import { mostCommon } from '../../model/most-common.ts'
import { canonicalFilters, compactFilters } from '../canonical-filters.ts'
import { type AlignOptions, alignConditions, conditionNames } from './condition-names.ts'
import { mergeShort, overrideFor } from './merge-short.ts'
import { type Naming, namedFilters } from './naming.ts'
import type { ShortForm } from './short-form.ts'
import { conditionsOf, isMeant, shareOf, shortOf } from './write-short.ts'

/** The common part of several filters, and the differences of each; empty if there are none. */
export interface SharedShort {
  readonly shared: ShortForm
  readonly overrides: readonly ShortForm[]
}

/**
 * Several filters as one short form and an override for each. The most frequent filters become the shared form;
 * if several are equally frequent, those for which the fewest overrides replace a whole release, and then the
 * last ones. Similar conditions have one name in all of them, so that overrides merge by name. If the order of
 * conditions or of variants prevents that, an override lists all of them. Cohorts and group types with names
 * are compared by name, even if their numbers differ. Undefined if one of the filters has no short form.
 */
export function sharedShort(
  all: readonly Json[],
  namings: readonly (Naming | undefined)[] = [],
): SharedShort | undefined {
  const places = all.map((filters, index) => placeOf(filters, namings[index]))
  if (places.some(({ filters, ...options }) => shortOf(filters, options) === undefined)) return undefined
  const conditions = places.map(({ filters, naming }) => conditionsOf(filters, naming))
  const areShares = conditions.every(each => shareOf(each) !== undefined)
  let best: (SharedShort & { readonly replaced: number }) | undefined
  for (const index of mostCommon(places.map(comparedBy)))
    for (const byPosition of [false, true]) {
      const found = sharedWith(places, conditions, index, { byPosition, areShares })
      if (found && (!best || found.replaced < best.replaced)) best = found
      if (best?.replaced === 0) return best
    }
  return best
}

function sharedWith(
  places: readonly Place[],
  conditions: readonly (readonly Json[])[],
  index: number,
  { areShares, ...options }: AlignOptions & { readonly areShares: boolean },
): (SharedShort & { readonly replaced: number }) | undefined {
  const known = conditions[index] ?? []
  const aligned = conditions.map(others => alignConditions(known, others, options))
  const names = conditionNames(
    known.map((condition, position) =>
      commonCondition(
        condition,
        conditions.map((others, which) => others[aligned[which]?.indexOf(position) ?? -1]),
      ),
    ),
  )
  const write = ({ filters, ...options }: Place, called: readonly string[]) =>
    shortOf(filters, areShares ? options : { ...options, names: called })
  const base = places[index]
  const shared = base && write(base, names)
  if (!shared) return undefined
  let replaced = 0
  const overrides: ShortForm[] = []
  for (const [which, place] of places.entries()) {
    const own = namesWithin(conditions[which] ?? [], aligned[which] ?? [], names)
    const wanted = write(place, own) ?? {}
    const override = overrideFor(shared, wanted)
    if (!override) replaced += 1
    const each = override ?? overrideFor(shared, inLists(wanted))
    if (!each || !isMeant(mergeShort([shared, each]).value, place.filters, place.naming)) return undefined
    overrides.push(each)
  }
  return { shared, overrides, replaced }
}

/** Filters, with the names of cohorts and group types in their environment. */
interface Place {
  readonly filters: Json
  readonly naming?: Naming
}

function placeOf(filters: Json, naming: Naming | undefined): Place {
  return naming ? { filters, naming } : { filters }
}

/** Equal if the filters are equal, using names if there are any. */
function comparedBy({ filters, naming }: Place): string {
  // The canonical form has texts in place of numbers.
  const named = naming ? namedFilters(compactFilters(filters), naming.nameOf) : filters
  return canonicalText(canonicalFilters(named))
}

/** The names of conditions: the known name for one that equals a known one, otherwise a free name. */
function namesWithin(
  conditions: readonly Json[],
  aligned: readonly (number | undefined)[],
  known: readonly string[],
): string[] {
  const taken = new Set(known)
  return conditionNames(conditions).map((name, position) => {
    const same = known[aligned[position] ?? -1]
    if (same !== undefined) return same
    let free = name
    for (let number = 2; taken.has(free); number += 1) free = `${name}_${number}`
    taken.add(free)
    return free
  })
}

/** A condition to make a name from: the common part of conditions that share one name. */
function commonCondition(condition: Json, others: readonly (Json | undefined)[]): Json {
  const asked = [condition, ...others.filter(other => other !== undefined)].map(propertiesOf)
  const [first = [], ...rest] = asked
  if (rest.every(properties => canonicalText(properties) === canonicalText(first))) return condition
  const isAlike = rest.every(properties => keysOf(properties) === keysOf(first))
  // All that these have in common is that each is a condition.
  if (!isAlike) return { properties: [{ key: 'condition' }] }
  const properties = first.map(property => (isJsonObject(property) ? { ...property, value: [] } : property))
  return { properties }
}

function propertiesOf(condition: Json): readonly Json[] {
  const properties = isJsonObject(condition) ? condition.properties : undefined
  return properties !== undefined && isJsonArray(properties) ? properties : []
}

function keysOf(properties: readonly Json[]): string {
  return canonicalText(properties.map(property => (isJsonObject(property) ? (property.key ?? null) : null)))
}

/** Lists replace lower lists, in their own order. */
export function inLists(short: ShortForm): ShortForm {
  const { release = null, variants } = short
  return {
    ...short,
    ...(isJsonObject(release) ? { release: Object.values(release) } : {}),
    ...(variants !== undefined && isJsonObject(variants)
      ? { variants: Object.entries(variants).map(([key, variant]) => listedVariant(key, variant)) }
      : {}),
  }
}

function listedVariant(key: string, variant: Json): JsonObject {
  return { key, ...(isJsonObject(variant) ? variant : { rollout_percentage: variant }) }
}

/** A short form that has to express other filters. */
export interface Rewriting {
  readonly written: ShortForm
  /** Its current meaning. */
  readonly before: Json
  readonly naming?: Naming | undefined
}

/**
 * The short form of filters that replaces a written one: a condition with the properties of a written one
 * keeps its name. Undefined if there is none.
 */
export function rewriteShort(
  filters: Json,
  { written: { release }, before, naming }: Rewriting,
): ShortForm | undefined {
  const options = naming ? { naming } : {}
  if (release === undefined) return shortOf(filters, options)
  const [known, conditions] = [before, filters].map(each => conditionsOf(each, naming))
  if (!known || !conditions) return undefined
  const written = isJsonObject(release) ? Object.keys(release) : []
  const called = written.length === known.length ? written : conditionNames(known)
  const names = namesWithin(conditions, alignConditions(known, conditions), called)
  return shortOf(filters, { ...options, names })
}
