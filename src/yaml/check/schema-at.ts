import { isJsonObject, type JsonObject } from '../../model/json/json.ts'
import { segmentsOf } from '../../model/json/pointer.ts'

/** The part of a schema that speaks about the value at a pointer; undefined where it says nothing. */
export function schemaAt(schema: JsonObject, pointer: string): JsonObject | undefined {
  return segmentsOf(pointer).reduce<JsonObject | undefined>(
    (at, segment) => at && schemaOf(at, segment),
    schema,
  )
}

/** The members that a schema names. */
export function memberNames(schema: JsonObject | undefined): string[] {
  return isJsonObject(schema?.properties) ? Object.keys(schema.properties) : []
}

function schemaOf(
  { properties, additionalProperties, items }: JsonObject,
  segment: string,
): JsonObject | undefined {
  const named =
    isJsonObject(properties) && Object.hasOwn(properties, segment) ? properties[segment] : undefined
  return [named, additionalProperties, items].find(isJsonObject)
}
