import { canonicalText, isJsonArray, isJsonObject, type Json, pickMembers } from '../../model/json/json.ts'
import { canonicalProperty } from '../compare/meaning.ts'

/** The number of properties in a name. */
const mostParts = 2
/** The longest name, in characters. */
const longest = 40

/**
 * Names for conditions of filters, made from their properties: `country_de`, `plan_and_country`, `cohort_12`.
 * The last one without properties is the `rest`, a single one `everyone`. Percentages are not part of the
 * names, so a name stays the same while a release grows.
 */
export function conditionNames(conditions: readonly Json[]): string[] {
  const taken = new Set<string>()
  return conditions.map((condition, index) => {
    const name = nameOf(condition, index === conditions.length - 1 && index > 0)
    let free = name
    for (let number = 2; taken.has(free); number += 1) free = `${name}_${number}`
    taken.add(free)
    return free
  })
}

function nameOf(condition: Json, isLast: boolean): string {
  const properties = isJsonObject(condition) ? (condition.properties ?? null) : null
  const parts = isJsonArray(properties) ? properties.map(partOf) : []
  if (parts.length === 0) return isLast ? 'rest' : 'everyone'
  const [only] = parts
  const words =
    parts.length === 1 && only
      ? only.value === undefined
        ? only.key
        : `${only.key}_${only.value}`
      : parts
          .slice(0, mostParts)
          .map(({ key }) => key)
          .join('_and_')
  return asName(words)
}

interface Part {
  readonly key: string
  /** The value that it is compared with, if that is one short word. */
  readonly value?: string
}

function partOf(property: Json): Part {
  if (!isJsonObject(property)) return { key: '' }
  const { type, value = null, operator = 'exact' } = property
  const ofProperty = String(property.key ?? '')
  if (type === 'flag') return { key: `flag_${ofProperty}` }
  const key = type === 'cohort' ? 'cohort' : ofProperty
  const single = isJsonArray(value) && value.length === 1 ? (value[0] ?? null) : value
  const isWord =
    typeof single === 'number' ||
    (typeof single === 'string' && (type === 'cohort' ? single !== '' : /^[\w.-]{1,16}$/.test(single)))
  return isWord && (type === 'cohort' || operator === 'exact') ? { key, value: String(single) } : { key }
}

/** Small letters, digits and `_`, with a letter first. */
function asName(words: string): string {
  const name = words
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[^a-z]+/, '')
    .slice(0, longest)
    .replace(/_+$/, '')
  return name === '' ? 'condition' : name
}

export interface AlignOptions {
  /** Whether conditions with different properties may be the same one, by position. */
  readonly byPosition?: boolean
}

/**
 * Matches some conditions with others, in the order of both: the index of the same one, or undefined.
 *
 * | two conditions have                | similarity                          |
 * |------------------------------------|-------------------------------------|
 * | the same, with the same share      | most                                |
 * | the same properties, other share   | more                                |
 * | the same properties, other values  | less                                |
 * | other properties                   | none; or least, by position         |
 */
export function alignConditions(
  known: readonly Json[],
  others: readonly Json[],
  { byPosition = false }: AlignOptions = {},
): (number | undefined)[] {
  const [left, right] = [known.map(tracesOf), others.map(tracesOf)]
  const alike = (one: number, other: number) =>
    alikeness(left[one], right[other]) || (byPosition ? positionScore : 0)
  const best = scores(left.length, right.length, alike)
  const score = (one: number, other: number) => best[one]?.[other] ?? 0
  const aligned: (number | undefined)[] = []
  let one = 0
  for (let other = 0; other < right.length; ) {
    const both = one < left.length ? alike(one, other) : 0
    if (both > 0 && score(one, other) === score(one + 1, other + 1) + both) {
      aligned.push(one)
      one += 1
      other += 1
    } else if (one < left.length && score(one, other) === score(one + 1, other)) one += 1
    else {
      aligned.push(undefined)
      other += 1
    }
  }
  return aligned
}

/** The same, but conditions may change places: equal properties make it the same one, at any place. */
export function alignMoved(
  known: readonly Json[],
  others: readonly Json[],
  options: AlignOptions = {},
): (number | undefined)[] {
  const free = new Set(known.keys())
  const traces = known.map(tracesOf)
  const aligned: (number | undefined)[] = others.map(() => undefined)
  for (const level of [0, 1])
    for (const [at, other] of others.entries()) {
      if (aligned[at] !== undefined) continue
      const same = [...free].find(index => traces[index]?.[level] === tracesOf(other)[level])
      if (same !== undefined) free.delete(same)
      aligned[at] = same
    }
  const rest = [...free]
  const changed = [...others.keys()].filter(at => aligned[at] === undefined)
  const found = alignConditions(
    rest.map(index => known[index] ?? null),
    changed.map(at => others[at] ?? null),
    options,
  )
  for (const [index, at] of changed.entries()) aligned[at] = rest[found[index] ?? -1]
  return aligned
}

const positionScore = 1

/** Whether two conditions have the same properties, whatever their shares. */
export function asksTheSame(left: Json, right: Json): boolean {
  return tracesOf(left)[1] === tracesOf(right)[1]
}

/** For each pair of places, the best similarity of the conditions from there on, without reordering. */
function scores(known: number, others: number, alike: (one: number, other: number) => number): number[][] {
  const best = Array.from({ length: known + 1 }, () => new Array<number>(others + 1).fill(0))
  for (let one = known - 1; one >= 0; one -= 1)
    for (let other = others - 1; other >= 0; other -= 1) {
      const [row = [], next = []] = [best[one], best[one + 1]]
      const both = alike(one, other)
      const paired = both > 0 ? both + (next[other + 1] ?? 0) : 0
      row[other] = Math.max(paired, next[other] ?? 0, row[other + 1] ?? 0)
    }
  return best
}

/** The values that conditions are compared by, from all their content to the names of their properties. */
type Traces = readonly [whole: string, asked: string, keys: string]

function alikeness(left: Traces | undefined, right: Traces | undefined): number {
  const level = left?.findIndex((trace, index) => trace === right?.[index]) ?? -1
  // One pair that is similar counts more than pairs by position.
  return level < 0 ? 0 : 1000 - 100 * level
}

function tracesOf(condition: Json): Traces {
  if (!isJsonObject(condition)) return [canonicalText(condition), canonicalText(condition), '']
  const asked = pickMembers(condition, (_, name) => name !== 'rollout_percentage' && name !== 'description')
  const { properties = {}, ...others } = pickMembers(asked, (_, name) => name !== 'variant')
  return [
    canonicalText(condition),
    canonicalText({
      ...others,
      properties: isJsonArray(properties) ? properties.map(canonicalProperty) : properties,
    }),
    canonicalText({ ...others, properties: keysOf(properties) }),
  ]
}

function keysOf(properties: Json): string[] {
  if (!isJsonArray(properties)) return isJsonObject(properties) ? Object.keys(properties).sort() : []
  return properties
    .map(property => (isJsonObject(property) && typeof property.key === 'string' ? property.key : ''))
    .sort()
}
