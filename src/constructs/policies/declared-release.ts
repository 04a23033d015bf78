import { isJsonObject, type Json } from '../../model/json/json.ts'
import { encodeFilters } from '../../targeting/codec/codec.ts'
import { typedAttributes } from '../../targeting/codec/typed-form.ts'
import { describeCondition } from '../../targeting/describe/describe.ts'
import { compactFilters } from '../../targeting/filters.ts'
import { hasMark, markedForm, markedNumber, replaceMarks, splitMarks } from '../engine/engine-marks.ts'
import { hasReference, isReference } from '../terraform-references.ts'

/** One condition of a flag, as far as a policy can see. */
export interface DeclaredCondition {
  /** `condition 1 (country is DE)` */
  readonly words: string
  /** Undefined when it is known only once a plan is made. */
  readonly percent: number | undefined
  /** Whether nobody is left out of it but by the percentage; undefined when that is known only once a plan is made. */
  readonly isForEveryone: boolean | undefined
}

/**
 * The conditions under which people get a flag, from its attributes, typed or JSON.
 * - `undeclared`: the configuration does not say.
 * - `unknown`: it says so in a way that is known only once a plan is made.
 */
export type DeclaredRelease = readonly DeclaredCondition[] | 'undeclared' | 'unknown'

export function releaseIn(attributes: { readonly [name: string]: unknown }): DeclaredRelease {
  const filters = filtersIn(attributes)
  if (filters === 'undeclared' || filters === 'unknown') return filters
  const compact = compactFilters(filters)
  const groups = isJsonObject(compact) ? compact.groups : undefined
  return Array.isArray(groups) ? groups.map(declaredCondition) : 'unknown'
}

function declaredCondition(condition: Json, index: number): DeclaredCondition {
  const place = `condition ${index + 1}`
  if (!isJsonObject(condition)) return { words: place, percent: undefined, isForEveryone: undefined }
  const { properties, rollout_percentage: percent = 100 } = condition
  const isKnown = properties === undefined || Array.isArray(properties)
  const people = describeCondition(hasReference(properties) ? shown(condition) : condition)
  return {
    words: isKnown ? `${place} (${people})` : place,
    percent: typeof percent === 'number' && !isReference(percent) ? percent : undefined,
    isForEveryone: isKnown ? properties === undefined : undefined,
  }
}

/** References as what they are, rather than as the marks that the engine keeps for them. */
function shown(condition: Json): Json {
  const text = JSON.stringify(condition, (_, member: unknown) =>
    typeof member === 'number' && isReference(member) ? '(reference)' : member,
  )
  // What was JSON still is.
  return JSON.parse(replaceMarks(text, '(reference)')) as Json
}

function filtersIn(attributes: { readonly [name: string]: unknown }): Json | 'undeclared' | 'unknown' {
  const { filters, release } = attributes
  if (typeof filters === 'string') return filtersInText(filters)
  if (isGiven(filters)) return 'unknown'
  if (isGiven(release)) return conditionsIn(release)
  // Filters without conditions are for everybody.
  return typedAttributes.some(name => isGiven(attributes[name])) ? {} : 'undeclared'
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null
}

function filtersInText(text: string): Json | 'unknown' {
  if (hasMark(text) && replaceMarks(text, '').trim() === '') return 'unknown'
  try {
    // A number that counts as a reference is JSON anywhere: as a value, and inside of a text.
    const pieces = splitMarks(text).map((piece, index) => (index % 2 === 1 ? String(markedNumber) : piece))
    return JSON.parse(pieces.join('')) as Json
  } catch {
    return 'unknown'
  }
}

function conditionsIn(declared: unknown): Json | 'unknown' {
  const conditions = elementsOf(declared)
  if (conditions === undefined) return 'unknown'
  const release = conditions.map(condition => {
    const properties = isGiven(condition.properties) ? elementsOf(condition.properties) : []
    return marked({ ...condition, properties: properties ?? markedNumber })
  })
  return encodeFilters({ release }, 'as on the wire')
}

/** A value as JSON; what is known only later is a number that counts as a reference. */
function marked(value: unknown): Json {
  if (markedForm(value) === 'any') return markedNumber
  if (Array.isArray(value)) return value.map(marked)
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, marked(member ?? null)]))
  }
  // What the generated construct takes beside lists, objects and references is a text, a number or a truth value.
  return value as Json
}

/** The elements of a list; an override of one of them makes an object of it, by places. */
function elementsOf(list: unknown): { readonly [name: string]: unknown }[] | undefined {
  if (typeof list !== 'object' || list === null || isReference(list)) return undefined
  const elements: unknown[] = Object.values(list)
  return elements.every(element => typeof element === 'object' && element !== null && !isReference(element))
    ? (elements as { readonly [name: string]: unknown }[])
    : undefined
}
