import { type RedactedPart, standIn } from '../../model/field.ts'
import {
  isEmptyJson,
  isJsonArray,
  isJsonNumber,
  isJsonObject,
  type Json,
  type JsonObject,
} from '../../model/text/json.ts'
import { didYouMean } from '../../model/text/names.ts'
import { pointerInto as pointerTo } from '../../model/text/pointer.ts'
import { canonicalPayload } from '../canonical-filters.ts'
import { canonicalProperty } from '../compare/meaning.ts'
import { type FilterPartName, filterParts, memberNames } from '../filter-parts.ts'

/** A problem in filters. The pointer is inside them: `/groups/0/rollout_percentage`. */
export interface FilterProblem {
  readonly pointer: string
  /** A stable name, such as `percentage-range`. */
  readonly code: string
  readonly severity: 'error' | 'warning'
  /** One line, lower case, values quoted. */
  readonly message: string
  readonly hint?: string
  /** The message without values of conditions, if it contains any outside its quotes. */
  readonly hidden?: string
}

export function filterError(pointer: string, code: string, message: string, hint?: string): FilterProblem {
  return { pointer, code, severity: 'error', message, ...(hint !== undefined && { hint }) }
}

export function filterWarning(pointer: string, code: string, message: string, hint?: string): FilterProblem {
  return { pointer, code, severity: 'warning', message, ...(hint !== undefined && { hint }) }
}

/** The source text of the scalar at a pointer into filters; undefined if it is unknown. */
export type Written = (pointer: string) => string | undefined

/** A property with a placeholder instead of its value. */
export function withoutValue(property: Json): Json {
  return redactFilters(property, () => standIn())
}

export { pointerTo }

/** The key of a property or variant, which `is` names; a number is distinguished from a missing key. */
export function keyProblems(
  key: Json | undefined,
  part: 'a property' | 'a variant',
  is: string,
  pointer: string,
  written: Written,
): FilterProblem[] {
  if (typeof key === 'string' && key !== '') return []
  const at = pointerTo(pointer, 'key')
  if (!isJsonNumber(key) && typeof key !== 'boolean')
    return [filterError(at, 'missing-key', `${part} needs a "key": ${is}`)]
  const text = JSON.stringify(written(at) ?? String(key))
  return [filterError(at, 'key-not-text', `the key of ${part} must be text`, `write it in quotes: ${text}`)]
}

export function shapeProblem(
  pointer: string,
  name: string,
  shape: 'a list' | 'an object' | 'text' | 'true or false',
): FilterProblem {
  return filterError(pointer, 'wrong-shape', `${name} must be ${shape}`)
}

/** Null, `{}` and `[]` count as absent, as in the canonical form. */
export function isGiven(value: Json | undefined): value is Json {
  return !isEmptyJson(value)
}

/**
 * Unknown members. The service keeps every member without an error, so a slip would silently release to more
 * people than meant: the percentage of a condition would be 100%, its people everybody.
 *
 * | the member is                             | result    |
 * |-------------------------------------------|-----------|
 * | near one that is known here               | an error  |
 * | one that decides, or near it, elsewhere   | an error  |
 * | anything else, such as a newer service's  | a warning |
 */
export function checkMembers(value: JsonObject, part: FilterPartName, pointer: string): FilterProblem[] {
  const { members } = filterParts[part]
  return Object.keys(value).flatMap(name =>
    Object.hasOwn(members, name) ? [] : [strayMember(name, part, pointerTo(pointer, name))],
  )
}

function strayMember(name: string, part: FilterPartName, pointer: string): FilterProblem {
  const says = `${JSON.stringify(name)} is not a member that the service knows`
  const slip = nearest(name, memberNames(part), decidingNames(part))
  if (slip !== undefined) return filterError(pointer, 'misspelt-member', says, `did you mean "${slip}"?`)
  const { title } = filterParts[part]
  const others = partNames.filter(other => other !== part)
  const elsewhere = others.flatMap(decidingNames)
  const meant = elsewhere.includes(name)
    ? name
    : nearest(name, elsewhere.filter(isLong), elsewhere.filter(isLong))
  if (meant !== undefined) {
    const places = others.filter(other => decidingNames(other).includes(meant)).map(placeLine)
    const hint = `write "${meant}" in ${places.join(' or ')}`
    return filterError(pointer, 'misplaced-member', `${JSON.stringify(name)} has no effect in ${title}`, hint)
  }
  const hint = 'check the spelling; the member is sent unchanged'
  return filterWarning(
    pointer,
    'unknown-member',
    `${JSON.stringify(name)} is not a known member of ${title}`,
    hint,
  )
}

// The table has these keys and no others.
const partNames = Object.keys(filterParts) as readonly FilterPartName[]

function decidingNames(part: FilterPartName): string[] {
  const { members } = filterParts[part]
  return Object.keys(members).filter(name => members[name]?.decides)
}

function placeLine(part: FilterPartName): string {
  return filterParts[part].title
}

/** Short names, such as `key`, are similar to too many others to be searched in all parts. */
function isLong(name: string): boolean {
  return name.length >= 6
}

/** The name that was probably intended. `percentage` counts as a misspelt `rollout_percentage`. */
function nearest(name: string, names: readonly string[], deciding: readonly string[]): string | undefined {
  const slip = didYouMean(name, names)
  if (slip !== undefined || name.length < 5) return slip
  return deciding.find(candidate => candidate.includes(name.toLowerCase()))
}

/** One value inside filters that may have to be hidden. */
export interface HiddenValue {
  readonly part: RedactedPart
  readonly value: Json
  /** The form for comparisons: the value is unchanged while this is equal. */
  readonly compared: Json
  /** For a payload: the variant that it belongs to. */
  readonly variant?: string
}

/**
 * Filters in which `hide` replaces each payload, each description and each value that a condition compares
 * with. Members without meaning stay.
 *
 * | a property is of    | its value                                                        |
 * |---------------------|------------------------------------------------------------------|
 * | a cohort, or a flag | stays: it names another object                                   |
 * | anything else       | is one value; each element of a list is replaced, so that elements stay different |
 *
 * Members that only other parts of the product write also contain conditions, so all of them are searched.
 */
export function redactFilters(filters: Json, hide: (hidden: HiddenValue) => Json): Json {
  if (isJsonArray(filters)) return filters.map(each => redactFilters(each, hide))
  if (!isJsonObject(filters)) return filters
  return mapMembers(filters, (value, name) => redactMember(filters, name, value, hide))
}

type Hide = Parameters<typeof redactFilters>[1]

function redactMember(around: JsonObject, name: string, value: Json, hide: Hide): Json {
  const part = Object.hasOwn(redactedMembers, name) ? redactedMembers[name] : undefined
  if (part === undefined) return redactFilters(value, hide)
  if (part === 'payloads') {
    if (!isJsonObject(value)) return value
    return mapMembers(value, (payload, variant) =>
      payload === null
        ? payload
        : hide({ part, value: payload, compared: canonicalPayload(payload), variant }),
    )
  }
  if (name === 'value' && (around.type === 'cohort' || around.type === 'flag')) return value
  const hideOne = (one: Json, compared: Json) =>
    one === null || one === '' ? one : hide({ part, value: one, compared })
  if (isJsonArray(value)) return value.map(each => hideOne(each, each))
  return hideOne(value, name === 'value' ? comparedValue(around) : value)
}

/** The value of a property for comparisons: some operators compare a number as its text. */
function comparedValue(property: JsonObject): Json {
  const canonical = canonicalProperty(property)
  const value = isJsonObject(canonical) ? (canonical.value ?? null) : null
  return isJsonArray(value) && value.length === 1 ? (value[0] ?? null) : value
}

function mapMembers(members: JsonObject, form: (value: Json, name: string) => Json): JsonObject {
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [name, form(value, name)]))
}

/** The part of `redact` for each member, by its name, in any part of the filters. */
const redactedMembers: Readonly<Record<string, RedactedPart>> = Object.fromEntries(
  Object.values(filterParts).flatMap(({ members }) =>
    Object.entries(members).flatMap(([name, { redactedAs }]) => (redactedAs ? [[name, redactedAs]] : [])),
  ),
)
