import {
  canonicalText,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  pickMembers,
} from '../../model/json/json.ts'
import { align } from '../compare/align.ts'
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
 * Matches each of the others with a known condition: its index, or undefined. Conditions may change places. They
 * are the same by all their content, by their properties, or by the names of these; or else by position.
 */
export function alignConditions(
  known: readonly Json[],
  others: readonly Json[],
  { byPosition = false }: AlignOptions = {},
): (number | undefined)[] {
  const partners = new Map(align(known, others, traces).pairs.map(({ before, after }) => [after, before]))
  return others.map((other, at) => {
    const index = partners.get(at)
    const isSame = index !== undefined && traces.some(trace => trace(known[index] ?? null) === trace(other))
    return byPosition || isSame ? index : undefined
  })
}

/** Whether two conditions have the same properties, whatever their shares. */
export function asksTheSame(left: Json, right: Json): boolean {
  return askedText(left) === askedText(right)
}

/** The values that conditions are compared by, from all their content to the names of their properties. */
const traces = [canonicalText, askedText, keysText]

function askedText(condition: Json): string {
  if (!isJsonObject(condition)) return canonicalText(condition)
  const { properties = {}, ...others } = membersAsked(condition)
  const asked = isJsonArray(properties) ? properties.map(canonicalProperty) : properties
  return canonicalText({ ...others, properties: asked })
}

function keysText(condition: Json): string {
  if (!isJsonObject(condition)) return ''
  const { properties = {}, ...others } = membersAsked(condition)
  return canonicalText({ ...others, properties: keysOf(properties) })
}

function membersAsked(condition: JsonObject): JsonObject {
  return pickMembers(condition, (_, name) => !['rollout_percentage', 'description', 'variant'].includes(name))
}

function keysOf(properties: Json): string[] {
  if (!isJsonArray(properties)) return isJsonObject(properties) ? Object.keys(properties).sort() : []
  return properties
    .map(property => (isJsonObject(property) && typeof property.key === 'string' ? property.key : ''))
    .sort()
}
