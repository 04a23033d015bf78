import { isJsonObject, type Json, type JsonObject, pickMembers } from '../../model/json/json.ts'
import { type DeclarableKind, identityField, managedFields } from '../../model/kind.ts'
import { bodySchema, fieldSchema } from '../json-schema.ts'

/**
 * The schema of the fields that a declaration of a kind may set: the managed ones as a request takes them, without
 * the identity, which is the declaration's name.
 */
export function declaredFieldSchemas(kind: DeclarableKind): JsonObject {
  const endpoint = kind.endpoints[kind.lifecycle.create ?? kind.lifecycle.update ?? '']
  const body = endpoint && bodySchema(kind, endpoint)?.properties
  const identity = identityField(kind)
  const managed = new Set(managedFields(kind).filter(name => name !== identity))
  // What the document does not have is in no body of its; newer services take it in a way of their own.
  const newer = Object.entries(kind.fields).flatMap(([name, field]) =>
    field.newer ? [[name, fieldSchema(field)] as const] : [],
  )
  const documented = isJsonObject(body) ? body : {}
  const fields = pickMembers({ ...documented, ...Object.fromEntries(newer) }, (_, name) => managed.has(name))
  return Object.fromEntries(
    Object.entries(fields).map(([name, schema]) => [
      name,
      kind.fields[name]?.type === 'set' ? setSchema(schema) : schema,
    ]),
  )
}

/** A set is compared as text, so its elements are text unless the kind says otherwise; it is owned whole. */
function setSchema(schema: Json): Json {
  if (!isJsonObject(schema)) return schema
  const description = `${schema.description} All of them: those that are not in the list are taken off.`
  return { items: { type: 'string', minLength: 1 }, ...schema, description }
}
