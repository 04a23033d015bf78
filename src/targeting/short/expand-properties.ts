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
  const all = Object.entries(written).map(([key, value]) =>
    expandProperty(key, value, ofWhat(groupType), pointerTo(pointer, key)),
  )
  return {
    properties: all.flatMap(({ properties }) => properties),
    problems: all.flatMap(({ problems }) => problems),
  }
}

function ofWhat(groupType: Json): JsonObject {
  return groupType === null ? { type: 'person' } : { type: 'group', group_type_index: groupType }
}

function expandProperty(key: string, written: Json, of: JsonObject, pointer: string): ExpandedProperties {
  if (!isJsonObject(written)) {
    const property = { key, ...of, operator: 'exact', value: written }
    return { properties: [{ property, pointer, isFull: false }], problems: [] }
  }
  const entries = Object.entries(written)
  if (entries.length === 0) {
    const hint = 'write a value, or an operator: { icontains: ... }'
    return {
      properties: [],
      problems: [
        filterError(pointer, 'empty-value', `${JSON.stringify(key)} is compared with nothing`, hint),
      ],
    }
  }
  const all = entries.map(([operator, value]) =>
    compared(key, operator, value, of, pointerTo(pointer, operator)),
  )
  return {
    properties: all.flatMap(({ properties }) => properties),
    problems: all.flatMap(({ problems }) => problems),
  }
}

function compared(
  key: string,
  operator: string,
  value: Json,
  of: JsonObject,
  pointer: string,
): ExpandedProperties {
  const said = (property: Json) => ({ properties: [{ property, pointer, isFull: false }], problems: [] })
  if (!takesNothing(operator)) return said({ key, ...of, operator, value })
  if (value === true) return said({ key, ...of, operator })
  const message = `${JSON.stringify(operator)} takes no value`
  return { properties: [], problems: [filterError(pointer, 'no-value', message, `write ${operator}: true`)] }
}

function takesNothing(operator: string): boolean {
  return isOperatorName(operator) && operators[operator].value === 'none'
}
