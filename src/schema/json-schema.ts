import type { Endpoint } from '../model/endpoint.ts'
import type { Field } from '../model/field.ts'
import { fieldOf, type Kind, writableFields } from '../model/kind.ts'
import type { Json, JsonObject } from '../model/text/json.ts'

/** The JSON Schema dialect of all schemas in Vexil. */
export const dialect = 'https://json-schema.org/draft/2020-12/schema'

/** The address of the published schemas. Each `$id` starts with it. */
export const schemaBase = 'https://unpkg.com/vexil/schemas'

/** The schema of a field's value in declarations and requests. */
export function fieldSchema(field: Field): JsonObject {
  return { ...valueSchema(field), description: field.doc }
}

/** The schema of the body that an endpoint accepts, or undefined if it accepts none. */
export function bodySchema(kind: Kind, endpoint: Endpoint): JsonObject | undefined {
  if (endpoint.body === undefined) return undefined
  if (endpoint.body === 'unstated') return { type: 'object' }
  const names = endpoint.body === 'writable' ? writableFields(kind) : endpoint.body
  const properties = names.map(name => [name, requestFieldSchema(fieldOf(kind, name))])
  // The service ignores members that the document does not name, so they are allowed.
  return { type: 'object', properties: Object.fromEntries(properties) }
}

/** The schema of a record in an answer. Every field may be missing or null. */
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

export function orNull(schema: JsonObject): JsonObject {
  const { type, enum: values, ...rest } = schema
  const types = Array.isArray(type) ? type : [type]
  return { ...rest, type: [...types, 'null'], ...(Array.isArray(values) ? { enum: [...values, null] } : {}) }
}

declare const typed: unique symbol

/** A schema together with the type of the values that it describes. */
export type Schema<T = unknown> = JsonObject & { readonly [typed]?: () => T }

export type ValueOf<S> = S extends { readonly [typed]?: () => infer T } ? T : unknown

/** The members of an object by name. A name that ends in `?` is optional, as in a TypeScript interface. */
export type Members = Readonly<Record<string, JsonObject>>

export type ObjectOf<M extends Members> = {
  readonly [N in keyof M as N extends `${string}?` ? never : N]: ValueOf<M[N]>
} & { readonly [N in keyof M as N extends `${infer Name}?` ? Name : never]?: ValueOf<M[N]> }

export const text: Schema<string> = { type: 'string' }
/** A text with at least one character. */
export const name: Schema<string> = { type: 'string', minLength: 1 }
export const uuid: Schema<string> = { type: 'string', format: 'uuid' }
export const texts: Schema<readonly string[]> = { type: 'array', items: text }
export const textOrNull = nullable(text)
/** A time in the format of RFC 3339. */
export const time: Schema<string> = { type: 'string', format: 'date-time' }
export const timeOrNull = nullable(time)
export const truth: Schema<boolean> = { type: 'boolean' }
/** A member that is true or absent. */
export const yes: Schema<true> = { const: true }
export const flagValue: Schema<boolean | string> = { type: ['boolean', 'string'] }
export const anything: Schema<Json> = {}
export const integer: Schema<number> = { type: 'integer' }
export const count: Schema<number> = { type: 'integer', minimum: 0 }
/** A line, a column or the number of a condition. They count from 1. */
export const ordinal: Schema<number> = { type: 'integer', minimum: 1 }
export const decimal: Schema<number> = { type: 'number' }
/** An object whose members have no schema. */
export const anyObject: Schema<JsonObject> = { type: 'object' }

/** A schema whose type is written by hand. */
export function typedAs<T>(schema: JsonObject): Schema<T> {
  return schema
}

/** Also accepts null, for "nothing". */
export function nullable<S extends JsonObject>(schema: S): Schema<ValueOf<S> | null> {
  return orNull(schema)
}

/** Adds a description, or other keywords, to a schema. */
export function described<S extends JsonObject>(schema: S, more: string | JsonObject): S {
  return { ...schema, ...(typeof more === 'string' ? { description: more } : more) }
}

export function oneOf<const T extends string>(values: readonly T[], description?: string): Schema<T> {
  return withDescription({ enum: values }, description)
}

/** Like `oneOf`, but for values that people write: a value of another type is reported as such. */
export function word<const T extends string>(values: readonly T[], description?: string): Schema<T> {
  return { type: 'string', ...oneOf(values, description) }
}

export function list<S extends JsonObject>(items: S, description?: string): Schema<readonly ValueOf<S>[]> {
  return withDescription({ type: 'array', items }, description)
}

/** An object with any member names, whose values share one schema. */
export function mapOf<S extends JsonObject>(
  additionalProperties: S,
  description?: string,
): Schema<Readonly<Record<string, ValueOf<S>>>> {
  return withDescription({ type: 'object', additionalProperties }, description)
}

/** A reference to a definition in the same document. */
export function reference<T>(name: string): Schema<T> {
  return { $ref: `#/$defs/${name}` }
}

/** The schema of an object with these members. Others are allowed. */
export function object<const M extends Members>(
  members: M,
  more: string | JsonObject = {},
): Schema<ObjectOf<M>> {
  const required = Object.keys(members).filter(name => !name.endsWith('?'))
  const properties = Object.entries(members).map(([name, schema]) => [name.replace(/\?$/, ''), schema])
  return {
    type: 'object',
    ...(typeof more === 'string' ? { description: more } : more),
    ...(required.length > 0 ? { required } : {}),
    properties: Object.fromEntries(properties),
  }
}

/** The schema of an object that allows no other members, as in files that people write. */
export function closed(
  properties: JsonObject,
  more: string | JsonObject = {},
  required: readonly string[] = [],
): JsonObject {
  const about = typeof more === 'string' ? { description: more } : more
  const schema = { type: 'object', additionalProperties: false, ...about, properties }
  return required.length > 0 ? { ...schema, required } : schema
}

type Optional<M extends Members> = {
  readonly [N in keyof M as N extends `${string}?` ? N : `${N & string}?`]: M[N]
}

export function optional<M extends Members>(members: M): Optional<M> {
  const entries = Object.entries(members).map(([name, schema]) => [name.replace(/\??$/, '?'), schema])
  return Object.fromEntries(entries)
}

function withDescription(schema: JsonObject, description: string | undefined): JsonObject {
  return description === undefined ? schema : { ...schema, description }
}
