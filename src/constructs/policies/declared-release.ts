import type { Json } from '../../model/json/json.ts'
import { type DeclaredRelease, type References, releaseIn } from '../../policies/policy.ts'
import { encodeFilters } from '../../targeting/codec.ts'
import { typedAttributes } from '../../targeting/typed-form.ts'
import { hasMark, markedForm, markedNumber, replaceMarks, splitMarks } from '../engine/engine-marks.ts'
import type { Attributes } from '../synthesized/attributes-of.ts'
import { hasReference, isReference } from '../synthesized/terraform-references.ts'

/**
 * The conditions under which people get a flag, from its attributes, typed or JSON. Undeclared parts, and
 * those that are known only at plan time, are marked.
 */
export function declaredRelease(attributes: Attributes): DeclaredRelease {
  const filters = filtersIn(attributes)
  return filters === 'undeclared' || filters === 'unknown' ? filters : releaseIn(filters, references)
}

const references: References = {
  isReference,
  shown: condition => (hasReference(condition) ? shown(condition) : condition),
}

/** Replaces the engine's marks by the word reference. */
function shown(condition: Json): Json {
  const text = JSON.stringify(condition, (_, member: unknown) =>
    typeof member === 'number' && isReference(member) ? '(reference)' : member,
  )
  // Valid JSON stays valid.
  return JSON.parse(replaceMarks(text, '(reference)')) as Json
}

function filtersIn(attributes: Attributes): Json | 'undeclared' | 'unknown' {
  const { filters, release, rollout_percentage: share } = attributes
  if (typeof filters === 'string') return filtersInText(filters)
  if (isGiven(filters)) return 'unknown'
  if (isGiven(release)) return conditionsIn(release)
  if (isGiven(share))
    return encodeFilters({ release: [{ rollout_percentage: marked(share) }] }, 'as on the wire')
  // Filters without conditions are for everybody.
  return typedAttributes.some(name => isGiven(attributes[name])) ? {} : 'undeclared'
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null
}

function filtersInText(text: string): Json | 'unknown' {
  if (hasMark(text) && replaceMarks(text, '').trim() === '') return 'unknown'
  try {
    // The number that counts as a mark is valid JSON anywhere: as a value, and inside a text.
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

/** A value as JSON; a value that is known later becomes the number that counts as a mark. */
function marked(value: unknown): Json {
  if (markedForm(value) === 'any') return markedNumber
  if (Array.isArray(value)) return value.map(marked)
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, marked(member ?? null)]))
  }
  // Besides lists, objects and references, the generated construct accepts only texts, numbers and booleans.
  return value as Json
}

/** The elements of a list; an override of one element turns the list into an object with indexes. */
function elementsOf(list: unknown): { readonly [name: string]: unknown }[] | undefined {
  if (typeof list !== 'object' || list === null || isReference(list)) return undefined
  const elements: unknown[] = Object.values(list)
  return elements.every(element => typeof element === 'object' && element !== null && !isReference(element))
    ? (elements as { readonly [name: string]: unknown }[])
    : undefined
}
