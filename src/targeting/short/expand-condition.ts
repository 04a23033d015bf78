import { isJsonObject, type Json, type JsonObject } from '../../model/json/json.ts'
import { isGiven, pointerTo } from '../check/filter-problem.ts'
import { rowsOf } from '../codec/typed-form.ts'
import { expandAudience } from './expand-audience.ts'
import { type ExpandedProperties, type ExpandedProperty, expandProperties } from './expand-properties.ts'
import type { Expanding } from './expanding.ts'
import { groupTypeIn } from './group-type-names.ts'

export interface ConditionPlace {
  readonly pointer: string
  /** Where it stands in the filters. */
  readonly at: string
  readonly index: number
  /** The type of groups that the flag counts; null for persons. */
  readonly groupTypeOfFlag: Json
}

/** A condition as filters have it. */
export function expandCondition(written: JsonObject, place: ConditionPlace, expanding: Expanding): Json {
  const { pointer, at, index, groupTypeOfFlag } = place
  const { places, problems, names, context } = expanding
  const condition = withGroupType(written, pointer, expanding)
  const wire: Record<string, Json> = {}
  for (const [name, attribute] of rowsOf('condition')) {
    const [member] = attribute.at
    places?.set(pointerTo(at, member), pointerTo(pointer, name))
    const value = condition[name]
    if (value !== undefined) wire[member] = value
  }
  if (condition !== written)
    places?.set(pointerTo(at, 'aggregation_group_type_index'), pointerTo(pointer, 'group_type'))
  const { properties, audience } = condition
  if (!isGiven(properties) && audience === undefined) return wire
  const groupType = condition.group_type_index ?? groupTypeOfFlag
  const shared =
    audience === undefined
      ? undefined
      : expandAudience(audience, groupType, pointerTo(pointer, 'audience'), context)
  const own = isGiven(properties)
    ? expandProperties(properties, groupType, pointerTo(pointer, 'properties'), context.numberOf)
    : noProperties
  if (shared) {
    const { name, parts, isBroken } = shared
    const count = shared.properties.length
    expanding.audiences.push({ name, condition: index, properties: count, parts, isBroken })
    problems.push(...shared.problems)
  }
  problems.push(...own.problems)
  names.push(...own.names)
  const expanded = shared ? [...shared.properties, ...own.properties] : own.properties
  wire.properties = expanded.map(({ property }) => property)
  if (places) placeProperties(expanded, pointerTo(at, 'properties'), places)
  // As long as it is not known who is meant by a name, the condition is for nobody.
  const isKnown = !shared?.isBroken && own.names.every(({ number }) => number !== undefined)
  return isKnown ? wire : { ...wire, rollout_percentage: 0 }
}

const noProperties: ExpandedProperties = { properties: [], problems: [], names: [] }

export function withGroupType(
  condition: JsonObject,
  pointer: string,
  { problems, names, context }: Expanding,
): JsonObject {
  if (condition.group_type === undefined) return condition
  const said = groupTypeIn(condition, pointer, context.numberOf)
  problems.push(...said.problems)
  names.push(...said.names)
  return { ...said.others, group_type_index: said.index ?? null }
}

function placeProperties(
  properties: readonly ExpandedProperty[],
  at: string,
  places: Map<string, string>,
): void {
  properties.forEach(({ property, pointer, isFull }, index) => {
    const one = pointerTo(at, index)
    places.set(one, pointer)
    // What is said shortly is all said in one place.
    if (isFull || !isJsonObject(property)) return
    for (const name of Object.keys(property)) places.set(pointerTo(one, name), pointer)
  })
}
