import { isJsonArray, isJsonObject, isSameJson, type Json, type JsonObject } from '../../model/json/json.ts'
import { getAt, pointerOf, segmentsOf } from '../../model/json/pointer.ts'
import { canonicalFilters } from '../filters.ts'
import type { FilterProblem } from './filter-problem.ts'

/**
 * What has to be live for a broken rule to be no problem.
 * - `filters`: the same filters, so that nothing is sent. The service refuses to be sent this once more.
 * - `part`: the same condition, property, variants or payload. The service takes it as often as it is sent.
 */
export type Tolerance = 'filters' | 'part'

/**
 * The rules that flags of a service break: it held them before it checked them, or never checks them. Declaring such a
 * flag as it is live must not be a problem, or nobody could take it over; declaring another one like it is.
 * [service-behaviour 2.5]
 *
 * | rule                                                 | the service, on a write       | tolerated where live   |
 * |------------------------------------------------------|-------------------------------|------------------------|
 * | type, group, value, date or cohort of a property     | refuses the filters           | are the same filters   |
 * | keys that are missing or no text                     | refuses the filters or fails  | are the same filters   |
 * | a variant or payload of no variant, broken payload   | refuses the filters           | are the same filters   |
 * | operators, comparisons and numbers of values         | keeps them, or newer ones do  | is the same part       |
 * | shares out of range, that add up to less, twice      | keeps them                    | is the same part       |
 * | anything of another shape; members that are misspelt | fails, or means something else| nowhere: a problem     |
 * | negations and operators that all services ignore or refuse | refuses, or includes them | nowhere: a problem   |
 */
const tolerances: Readonly<Record<string, Tolerance>> = {
  'property-type': 'filters',
  'group-type-index': 'filters',
  'missing-key': 'filters',
  'key-not-text': 'filters',
  'missing-value': 'filters',
  'missing-variants': 'filters',
  'value-not-text': 'filters',
  date: 'filters',
  'cohort-id': 'filters',
  'unknown-variant': 'filters',
  'payload-without-variant': 'filters',
  'payload-json': 'filters',
  'unknown-operator': 'part',
  'flag-operator': 'part',
  'operator-type': 'part',
  'flag-value': 'part',
  'value-type': 'part',
  range: 'part',
  'too-many-values': 'part',
  pattern: 'part',
  'percentage-type': 'part',
  'percentage-range': 'part',
  'variant-sum': 'part',
  'duplicate-variant': 'part',
}

/** Members of which the service keeps whatever it is sent. */
const keptMembers = new Set(['negation', 'operator'])

/** Undefined for a problem wherever it is made, and for what is none. */
export function toleranceOf({
  severity,
  code,
  pointer,
}: Pick<FilterProblem, 'severity' | 'code' | 'pointer'>): Tolerance | undefined {
  if (severity !== 'error') return undefined
  if (code === 'wrong-shape') return keptMembers.has(segmentsOf(pointer).at(-1) ?? '') ? 'part' : undefined
  return Object.hasOwn(tolerances, code) ? tolerances[code] : undefined
}

/** Whether live filters are like the declared ones where those break a rule. */
export function isHeld(declared: Json, live: Json, { tolerance, pointer }: HeldRule): boolean {
  const [ours, theirs] = [canonicalFilters(declared), canonicalFilters(live)]
  if (isSameJson(ours, theirs)) return true
  if (tolerance === 'filters') return false
  const part = partAround(pointer)
  const value = getAt(ours, part.pointer)
  return value !== undefined && candidates(theirs, part).some(one => isSameJson(one, value))
}

export interface HeldRule {
  readonly tolerance: Tolerance
  /** Where the rule is broken, inside the filters. */
  readonly pointer: string
}

interface Part {
  readonly is: 'property' | 'condition' | 'value'
  readonly pointer: string
}

/**
 * The smallest part that means something by itself. A property and a condition are what they are wherever they stand;
 * variants depend on each other, so all of them are one part.
 */
function partAround(pointer: string): Part {
  const [member = '', index = '', properties, place] = segmentsOf(pointer)
  switch (member) {
    case 'groups':
      return properties === 'properties' && place !== undefined
        ? { is: 'property', pointer: pointerOf(member, index, properties, place) }
        : { is: 'condition', pointer: pointerOf(member, index) }
    case 'payloads':
      return { is: 'value', pointer: pointerOf(member, index) }
    default:
      return { is: 'value', pointer: pointerOf(member) }
  }
}

/** Where in live filters a part may stand. */
function candidates(filters: Json, { is, pointer }: Part): readonly Json[] {
  if (is === 'value') return [getAt(filters, pointer) ?? null]
  const conditions = listOf(filters, 'groups')
  return is === 'condition' ? conditions : conditions.flatMap(condition => listOf(condition, 'properties'))
}

function listOf(value: Json, name: keyof JsonObject): readonly Json[] {
  const list = isJsonObject(value) ? value[name] : undefined
  return isJsonArray(list) ? list : []
}
