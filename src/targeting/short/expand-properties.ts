import { isJsonArray, isJsonNumber, isJsonObject, type Json, type JsonObject } from '../../model/text/json.ts'
import { type FilterProblem, filterError, pointerTo } from '../check/filter-problem.ts'
import { isNumberText } from '../describe.ts'
import { isOperatorName, operators } from '../operators.ts'
import { type NumberOf, nothingShared, type UsedName, withTypeNumber } from './short-form.ts'

/** A property as in filters, and its place in the short form. */
export interface ExpandedProperty {
  readonly property: Json
  readonly pointer: string
  /** Whether it is written in full there, so that its members have places of their own. */
  readonly isFull: boolean
}

export interface ExpandedProperties {
  readonly properties: readonly ExpandedProperty[]
  readonly problems: readonly FilterProblem[]
  /** The names of cohorts and group types among them. */
  readonly names: readonly UsedName[]
}

/**
 * The properties of a condition.
 *
 * | written                    | is                                                              |
 * |----------------------------|-----------------------------------------------------------------|
 * | `country: DE`              | `exact`                                                         |
 * | `country: [DE, AT]`        | `exact`, one of them                                            |
 * | `version: { gte: "2.10" }` | one property for each operator                                  |
 * | `plan: { is_set: true }`   | an operator that takes no value                                 |
 * | `cohort: { in: 42 }`       | membership of a cohort, by its number or its name; also `not_in` |
 * | a list                     | properties as `filters` have them: cohorts and other flags, too |
 *
 * They are those of persons, or of groups if the condition counts groups of `groupType`.
 */
export function expandProperties(
  written: Json,
  groupType: Json,
  pointer: string,
  numberOf: NumberOf = nothingShared.numberOf,
): ExpandedProperties {
  // Filled in a loop: a repository has tens of thousands of properties, most of them with one value.
  const expanded: Expanding = { properties: [], problems: [], names: [], numberOf }
  if (isJsonArray(written)) {
    for (const [index, property] of written.entries())
      expandFull(property, pointerTo(pointer, index), expanded)
    return expanded
  }
  if (!isJsonObject(written)) {
    const message = 'properties must be a map from a property to its value, or a list'
    expanded.problems.push(filterError(pointer, 'wrong-shape', message))
    return expanded
  }
  const of = ofWhat(groupType)
  for (const [key, value] of Object.entries(written))
    expandProperty({ key, of, pointer: pointerTo(pointer, key) }, value, expanded)
  return expanded
}

interface Expanding {
  readonly properties: ExpandedProperty[]
  readonly problems: FilterProblem[]
  readonly names: UsedName[]
  readonly numberOf: NumberOf
}

interface Compared {
  readonly key: string
  /** The owner of its properties. */
  readonly of: JsonObject
  readonly pointer: string
}

function ofWhat(groupType: Json): JsonObject {
  return groupType === null ? { type: 'person' } : { type: 'group', group_type_index: groupType }
}

/** A property as in filters, with numbers in place of names. */
function expandFull(written: Json, pointer: string, expanded: Expanding): void {
  const { properties } = expanded
  if (!isJsonObject(written)) {
    properties.push({ property: written, pointer, isFull: true })
    return
  }
  let property = written
  if (written.type === 'cohort' && isName(written.value)) {
    const value = numberAt('cohort', written.value, pointerTo(pointer, 'value'), expanded)
    property = { ...property, value }
  }
  properties.push({ property: withTypeNumber(property, pointer, expanded), pointer, isFull: true })
}

function expandProperty({ key, of, pointer }: Compared, written: Json, expanded: Expanding): void {
  if (!isJsonObject(written)) {
    expanded.properties.push({
      property: { key, ...of, operator: 'exact', value: written },
      pointer,
      isFull: false,
    })
    return
  }
  const entries = Object.entries(written)
  if (entries.length === 0) {
    const hint = 'write a value, or an operator: { icontains: ... }'
    const message = `${JSON.stringify(key)} is compared with nothing`
    expanded.problems.push(filterError(pointer, 'empty-value', message, hint))
  }
  for (const [operator, value] of entries) {
    const at = pointerTo(pointer, operator)
    if (isMembership(key, operator)) expandMembership(operator, value, at, expanded)
    else compare({ key, of, pointer: at }, operator, value, expanded)
  }
}

/** Whether it is about membership of a cohort; properties of persons have no such operators. */
function isMembership(key: string, operator: string): boolean {
  return key === 'cohort' && memberships.has(operator)
}

const memberships = new Set(['in', 'not_in'])

function expandMembership(operator: string, written: Json, pointer: string, expanded: Expanding): void {
  if (!isJsonNumber(written) && typeof written !== 'string') {
    const hint = 'for several of them, write a list of properties, or conditions'
    const message = 'a cohort is its name or its number'
    expanded.problems.push(filterError(pointer, 'wrong-shape', message, hint))
    return
  }
  const value = isName(written) ? numberAt('cohort', written, pointer, expanded) : written
  const property = { key: 'id', type: 'cohort', operator, value }
  expanded.properties.push({ property, pointer, isFull: false })
}

function isName(value: Json | undefined): value is string {
  return typeof value === 'string' && !isNumberText(value)
}

/** The number of a name, or the name if the number is not known. */
function numberAt(
  thing: UsedName['thing'],
  name: string,
  pointer: string,
  { names, numberOf }: Expanding,
): Json {
  const number = numberOf(thing, name)
  names.push({ thing, name, number, pointer })
  return number ?? name
}

function compare({ key, of, pointer }: Compared, operator: string, value: Json, expanded: Expanding): void {
  const isAlone = takesNothing(operator)
  if (isAlone && value !== true) {
    const message = `${JSON.stringify(operator)} takes no value`
    expanded.problems.push(filterError(pointer, 'no-value', message, `write ${operator}: true`))
    return
  }
  const property = isAlone ? { key, ...of, operator } : { key, ...of, operator, value }
  expanded.properties.push({ property, pointer, isFull: false })
}

function takesNothing(operator: string): boolean {
  return isOperatorName(operator) && operators[operator].value === 'none'
}
