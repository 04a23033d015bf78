import { type DeclarableKind, targetingField } from '../model/kind.ts'
import type { JsonObject } from '../model/text/json.ts'
import { type FilterMember, type FilterPartName, filterParts, type Takes } from '../targeting/filter-parts.ts'
import { knownOperators } from '../targeting/operators.ts'
import { audienceMembers, membersOfShort, namedMembers, shortMembers } from '../targeting/short/short-form.ts'
import { attributeOf, attributesOf, type TypedPartName, wireMember } from '../targeting/typed-form.ts'

/** Definitions of the parts of filters, by name. They allow additional members of the service. */
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

export function partReference(part: FilterPartName): JsonObject {
  return { $ref: `#/$defs/${part}` }
}

function memberSchema({ takes, doc, required }: FilterMember): JsonObject {
  return { description: doc, ...valueSchema(takes, required === true) }
}

/** Null means the same as an absent member. A required member may not be null. */
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

/** Descriptions of the members of the short form, for the reference and for editors. */
const docs: Readonly<Record<string, string>> = {
  release:
    'Who gets the flag, in the short form of `filters`: a list of conditions, or a map with names of your choice. The service does not store these names and keeps the order of the file. An override is merged.',
  variants:
    'The variants, in the short form of `filters`: a map from key to percentage, or to percentage and name; or a list. An override is merged.',
  payloads:
    'The payloads, in the short form of `filters`: any JSON by variant key, or by `"true"` for a flag without variants. An override is merged.',
}

const shareDoc =
  'Releases the flag to this percentage of everybody. Short for a `release` with one condition without properties; do not combine it with `release`. An override may set another percentage.'

/** Schemas of the short form's members in a declaration of a flag; empty for other kinds. */
export function shortFieldSchemas(kind: DeclarableKind): JsonObject {
  if (targetingField(kind) === undefined) return {}
  return Object.fromEntries(shortMembers.map(name => [name, fieldSchema(name)]))
}

/** Definitions of the short form's members, for editors. */
export function shortDefinitions(): JsonObject {
  return {
    'short-release': {
      anyOf: [
        { type: 'object', additionalProperties: orRemoved(definition('short-condition')) },
        { type: 'array', items: definition('short-condition') },
      ],
    },
    'short-variants': {
      anyOf: [
        {
          type: 'object',
          additionalProperties: {
            anyOf: [{ ...percentage, type: ['number', 'null'] }, definition('short-variant')],
          },
        },
        { type: 'array', items: definition('short-variant') },
      ],
    },
    'short-condition': partSchema('condition'),
    'short-properties': propertiesSchema,
    'short-variant': partSchema('variant'),
    'short-payloads': { type: 'object', additionalProperties: true },
  }
}

function fieldSchema(name: string): JsonObject {
  const description = docs[name]
  const type = name === 'payloads' ? ['object', 'null'] : ['object', 'array', 'null']
  if (description !== undefined) return { description, type }
  const named = namedMembers.filters[name]
  if (named !== undefined) return nameSchema(named)
  const attribute = attributeOf('filters', name)
  const percentage = filterParts.condition.members[name]
  if (attribute?.shortFor && percentage) return memberSchema({ takes: percentage.takes, doc: shareDoc })
  const member = attribute && wireMember('filters', attribute)
  return member ? memberSchema(member) : {}
}

/** Schemas of the members that audiences share with conditions or flags. */
export function audienceFieldSchemas(): JsonObject {
  const schemas: JsonObject = { ...members('condition'), properties: { description: propertiesWords } }
  return Object.fromEntries(audienceMembers.map(name => [name, schemas[name] ?? {}]))
}

/** A reference to the definition of a short form's member, for editors. */
export function shortReference(name: string): JsonObject {
  return name in docs || name === 'properties' ? definition(`short-${name}`) : {}
}

function partSchema(part: Exclude<TypedPartName, 'filters' | 'property'>): JsonObject {
  return { type: 'object', additionalProperties: false, properties: members(part) }
}

function members(part: Exclude<TypedPartName, 'filters' | 'property'>): JsonObject {
  const entries = membersOfShort(part).map(name => {
    const named = namedMembers[part][name]
    if (named !== undefined) return [name, nameSchema(named)] as const
    if (name === 'properties') return [name, definition('short-properties')] as const
    const attribute = attributesOf(part)[name]
    const member = attribute && wireMember(part, attribute)
    // In an override, null removes a shared value.
    return [name, member ? memberSchema({ takes: member.takes, doc: member.doc }) : {}] as const
  })
  return Object.fromEntries(entries)
}

const values: JsonObject = { type: ['string', 'number', 'boolean', 'array', 'null'] }

function nameSchema(description: string): JsonObject {
  return { description, type: ['string', 'null'], minLength: 1 }
}

const propertiesWords =
  'What must be true of a person or a group. All entries must match. A map from property to value, to values, or to operators with their values; or a list as in `filters`.'

const propertiesSchema: JsonObject = {
  description: propertiesWords,
  anyOf: [
    {
      type: 'object',
      additionalProperties: {
        anyOf: [
          values,
          {
            type: 'object',
            minProperties: 1,
            properties: Object.fromEntries(
              Object.entries(knownOperators).map(([operator, words]) => [
                operator,
                { ...values, description: words },
              ]),
            ),
          },
        ],
      },
    },
    { type: 'array', items: partReference('property') },
  ],
}

const percentage: JsonObject = { minimum: 0, maximum: 100 }

function orRemoved(schema: JsonObject): JsonObject {
  return { anyOf: [schema, { type: 'null' }] }
}

function definition(name: string): JsonObject {
  return { $ref: `#/$defs/${name}` }
}
