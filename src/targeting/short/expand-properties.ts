import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../model/json/json.ts'
import { type FilterProblem, filterError, pointerTo } from '../check/filter-problem.ts'
import { isOperatorName, operators } from '../operator-table.ts'

/** A property as filters have it, and the place in the short form that says it. */
export interface ExpandedProperty {
  readonly property: Json
  readonly pointer: string
  /** Whether it stands there in full, so that its members have places of their own. */
  readonly isFull: boolean
}

export interface ExpandedProperties {
  readonly properties: readonly ExpandedProperty[]
  readonly problems: readonly FilterProblem[]
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
 * | a list                     | properties as `filters` have them: cohorts and other flags, too |
 *
 * They are those of persons, or of groups where the condition counts groups of `groupType`.
 */
export function expandProperties(written: Json, groupType: Json, pointer: string): ExpandedProperties {
  if (isJsonArray(written)) {
    const properties = written.map((property, index) => ({
      property,
      pointer: pointerTo(pointer, index),
      isFull: true,
    }))
    return { properties, problems: [] }
  }
  if (!isJsonObject(written)) {
    const message = 'properties must be a map from a property to its value, or a list'
    return { properties: [], problems: [filterError(pointer, 'wrong-shape', message)] }
  }
  // Filled in turn: a repository has tens of thousands of properties, most of them with one value.
  const expanded: Expanding = { properties: [], problems: [] }
  const of = ofWhat(groupType)
  for (const [key, value] of Object.entries(written))
    expandProperty({ key, of, pointer: pointerTo(pointer, key) }, value, expanded)
  return expanded
}

interface Expanding {
  readonly properties: ExpandedProperty[]
  readonly problems: FilterProblem[]
}

interface Compared {
  readonly key: string
  /** Whose property it is. */
  readonly of: JsonObject
  readonly pointer: string
}

function ofWhat(groupType: Json): JsonObject {
  return groupType === null ? { type: 'person' } : { type: 'group', group_type_index: groupType }
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
  for (const [operator, value] of entries)
    compare({ key, of, pointer: pointerTo(pointer, operator) }, operator, value, expanded)
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
