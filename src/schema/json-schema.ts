import type { Endpoint } from '../model/endpoint.ts'
import type { Field } from '../model/field.ts'
import type { JsonObject } from '../model/json/json.ts'
import { fieldOf, type Kind, writableFields } from '../model/kind.ts'

/** The dialect of every schema in Vexil. */
export const dialect = 'https://json-schema.org/draft/2020-12/schema'

/** The address of the published schemas; the base of their `$id`s. */
export const schemaBase = 'https://unpkg.com/vexil/schemas'

/** The schema of one field's value, as people and requests write it. */
export function fieldSchema(field: Field): JsonObject {
  return { ...valueSchema(field), description: field.doc }
}

/** The schema of the body that an endpoint accepts, or undefined if it accepts none. */
export function bodySchema(kind: Kind, endpoint: Endpoint): JsonObject | undefined {
  if (endpoint.body === undefined) return undefined
  if (endpoint.body === 'unstated') return { type: 'object' }
  const names = endpoint.body === 'writable' ? writableFields(kind) : endpoint.body
  const properties = names.map(name => [name, requestFieldSchema(fieldOf(kind, name))])
  // The service ignores members that the document does not name, so they are no violation.
  return { type: 'object', properties: Object.fromEntries(properties) }
}

/** The schema of a record in an answer of the service: every field may be missing or null. */
export function recordSchema(kind: Kind): JsonObject {
  const properties = Object.entries(kind.fields).map(([name, field]) => [name, answerFieldSchema(field)])
  return {
    $schema: dialect,
    $id: `${schemaBase}/${kind.name}.schema.json`,
    title: kind.name,
    description: kind.doc,
    type: 'object',
    properties: Object.fromEntries(properties),
  }
}

function requestFieldSchema(field: Field): JsonObject {
  const schema = fieldSchema(field)
  return field.nullable ? orNull(schema) : schema
}

function answerFieldSchema(field: Field): JsonObject {
  const { format: _format, ...schema } = fieldSchema(field)
  const marked = field.access === 'read' ? { ...schema, readOnly: true } : schema
  return orNull(marked)
}

function valueSchema(field: Field): JsonObject {
  switch (field.type) {
    case 'string': {
      const format: JsonObject = field.format ? { format: field.format === 'url' ? 'uri' : field.format } : {}
      return { type: 'string', ...format, ...(field.oneOf ? { enum: field.oneOf } : {}) }
    }
    case 'integer':
    case 'boolean':
      return { type: field.type }
    case 'json':
      return { type: field.orArray ? ['object', 'array'] : 'object' }
    case 'list':
    case 'set':
      return { type: 'array', ...(field.of ? { items: { type: field.of } } : {}) }
    case 'structure': {
      const fields = Object.entries(field.of.fields)
      return {
        type: 'object',
        properties: Object.fromEntries(fields.map(([name, of]) => [name, answerFieldSchema(of)])),
      }
    }
  }
}

/** The same schema with null for "nothing". */
export function orNull(schema: JsonObject): JsonObject {
  const { type, enum: values, ...rest } = schema
  const types = Array.isArray(type) ? type : [type]
  return { ...rest, type: [...types, 'null'], ...(Array.isArray(values) ? { enum: [...values, null] } : {}) }
}
