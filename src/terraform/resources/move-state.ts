import { numberText } from '../../hcl/json.ts'
import { mapMembers, memberOf, type ObjectValue, type Value } from '../../hcl/values.ts'
import { canonicalText, isJsonArray, isJsonNumber, isJsonObject, type Json } from '../../model/json/json.ts'
import { type DeclarableKind, targetingField } from '../../model/kind.ts'
import { givenTyped } from '../../schema/terraform/targeting-attributes.ts'
import type { TerraformAttribute } from '../../schema/terraform/terraform-attribute.ts'
import { typesElsewhere } from '../../schema/terraform/terraform-names.ts'
import { resourceBlock } from '../../schema/terraform/terraform-schema.ts'
import type { ImportAnswer, MoveSource } from '../provider.ts'
import { nothingRemembered, remember } from './apply/remembered.ts'

/**
 * Another provider's state of the same object as one of ours: it keeps its id, so nothing is created again. Undefined
 * for types that are about something else.
 */
export function moveState(kind: DeclarableKind, { type, state }: MoveSource): ImportAnswer | undefined {
  if (!typesElsewhere(kind.name).includes(type) || !isJsonObject(state)) return undefined
  const moved = saidOnce(kind, stateFrom(kind, state))
  if (typeof memberOf(moved, 'id') !== 'string') return undefined
  return { state: moved, private: remember({ ...nothingRemembered, isNew: true }) }
}

/** Who gets a flag is in another provider's `filters` whole, and what it has beside them is no attribute of ours. */
function saidOnce(kind: DeclarableKind, state: ObjectValue): ObjectValue {
  const field = targetingField(kind)
  if (field === undefined || memberOf(state, field) === null) return state
  return { ...state, ...Object.fromEntries(givenTyped(state).map(name => [name, null])) }
}

/** The attributes of a state that have our names, each in the type that ours has. */
function stateFrom(kind: DeclarableKind, state: { readonly [name: string]: Json }): ObjectValue {
  return mapMembers<TerraformAttribute, Value>(resourceBlock(kind).attributes, (attribute, name) =>
    Object.hasOwn(state, name) ? valueFrom(attribute, state[name] ?? null) : null,
  )
}

function valueFrom(attribute: TerraformAttribute, json: Json): Value {
  if (json === null) return null
  if ('list' in attribute)
    return isJsonArray(json) ? json.map(element => elementFrom(attribute.list, element)) : null
  const { type } = attribute
  if (typeof type !== 'string') return collectionFrom(type[0], json)
  switch (type) {
    case 'bool':
      return typeof json === 'boolean' ? json : null
    case 'number':
      return isJsonNumber(json) ? json : null
    default:
      return textFrom(json)
  }
}

function elementFrom(attributes: { readonly [name: string]: TerraformAttribute }, json: Json): Value {
  const members = isJsonObject(json) ? json : {}
  return mapMembers<TerraformAttribute, Value>(attributes, (attribute, name) =>
    Object.hasOwn(members, name) ? valueFrom(attribute, members[name] ?? null) : null,
  )
}

function collectionFrom(collection: string, json: Json): Value {
  if (collection === 'map') return isJsonObject(json) ? mapMembers<Json, Value>(json, textFrom) : null
  return isJsonArray(json) ? json.flatMap(element => (typeof element === 'string' ? [element] : [])) : null
}

function textFrom(json: Json): Value {
  if (json === null || typeof json === 'string') return json
  return isJsonNumber(json) ? numberText(json) : canonicalText(json)
}
