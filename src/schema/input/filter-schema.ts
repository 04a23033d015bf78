import type { JsonObject } from '../../model/json/json.ts'
import {
  type FilterMember,
  type FilterPartName,
  filterParts,
  type Takes,
} from '../../targeting/filter-parts.ts'

/** Definitions of the parts of filters, by their names. Open for members that the service may have besides. */
export function filterDefinitions(): JsonObject {
  return Object.fromEntries(
    Object.entries(filterParts).map(([name, { doc, members }]) => {
      const required = Object.keys(members).filter(member => members[member]?.required)
      return [
        name,
        {
          type: 'object',
          description: doc,
          properties: Object.fromEntries(
            Object.entries(members).map(([member, description]) => [member, memberSchema(description)]),
          ),
          ...(required.length > 0 ? { required } : {}),
          additionalProperties: true,
        },
      ]
    }),
  )
}

/** Where a schema finds the definition of a part. */
export function partReference(part: FilterPartName): JsonObject {
  return { $ref: `#/$defs/${part}` }
}

/** The schema of one member of a part. */
export function memberSchema({ takes, doc, required }: FilterMember): JsonObject {
  return { description: doc, ...valueSchema(takes, required === true) }
}

/** Null says nothing, as leaving the member out does; where something must be said it is refused. */
function valueSchema(takes: Takes, isRequired: boolean): JsonObject {
  const typed = (type: string) => ({ type: isRequired ? type : [type, 'null'] })
  switch (takes.is) {
    case 'anything':
      return {}
    case 'text':
      return { ...typed('string'), minLength: 1 }
    case 'truth':
      return typed('boolean')
    case 'number':
    case 'integer':
      return { ...typed(takes.is), minimum: takes.from, maximum: takes.to }
    case 'word': {
      const words = Object.entries(takes.of).map(([word, says]) => ({ const: word, description: says }))
      return { anyOf: isRequired ? words : [...words, { type: 'null' }] }
    }
    case 'part':
      return isRequired ? partReference(takes.of) : { anyOf: [partReference(takes.of), { type: 'null' }] }
    case 'parts':
      return { ...typed('array'), items: partReference(takes.of) }
    case 'payloads':
      return { ...typed('object'), additionalProperties: true }
    default:
      return takes satisfies never
  }
}
