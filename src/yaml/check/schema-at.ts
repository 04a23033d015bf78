import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../model/json/json.ts'
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

/** The texts that a schema lets through, where it does not let through all; of one that also takes a map, those beside it. */
export function allowedTexts(schema: JsonObject | undefined): string[] {
  const { enum: own, then } = schema ?? {}
  const choices = own ?? (isJsonObject(then) ? then.enum : undefined)
  return choices !== undefined && isJsonArray(choices)
    ? choices.filter(choice => typeof choice === 'string')
    : []
}

/** What texts of a pattern are, in words, with some of them. */
export interface Example {
  /** As in `a time`. */
  readonly title: string
  readonly texts: readonly string[]
}

/** What a schema tells people of the texts that its pattern lets through. */
export function exampleOf(schema: JsonObject | undefined): Example | undefined {
  const { pattern, title, examples } = schema ?? {}
  if (pattern === undefined || typeof title !== 'string' || !isJsonArray(examples ?? null)) return undefined
  return { title, texts: (examples as readonly Json[]).filter(text => typeof text === 'string') }
}

function schemaOf(
  { properties, additionalProperties, items }: JsonObject,
  segment: string,
): JsonObject | undefined {
  const named =
    isJsonObject(properties) && Object.hasOwn(properties, segment) ? properties[segment] : undefined
  const others = [additionalProperties, items]
  // What is a list or a map by the form that somebody chose: nobody names a member by a number.
  return [named, ...(/^\d+$/.test(segment) ? others.reverse() : others)].find(isJsonObject)
}
