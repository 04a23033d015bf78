import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../../model/json/json.ts'
import type { BaseField, BaseObject, BaseOrigin, GrantList } from '../../live-edits/base.ts'
import type { LeftByRuns } from './left.ts'

/**
 * What runs left, for the file that saves reading them. Most objects are of the same few runs, so each run stands there
 * once, and objects and fields name it by its number.
 */
export function leftToJson({ base, grantLists, ...left }: LeftByRuns): JsonObject {
  const numbers = new Map<string, number>()
  const origins: BaseOrigin[] = []
  const numberOf = (origin: BaseOrigin): number => {
    const known = numbers.get(origin.run)
    if (known !== undefined) return known
    numbers.set(origin.run, origins.length)
    return origins.push(origin) - 1
  }
  const fieldJson = ({ origin, ...field }: BaseField) =>
    origin === undefined && Object.keys(field).length === 1
      ? field.digest
      : { ...field, ...(origin ? { origin: numberOf(origin) } : {}) }
  const objectJson = ({ fields, origin, ...object }: BaseObject) => ({
    ...object,
    fields: mapValues(fields, fieldJson),
    origin: numberOf(origin),
  })
  const objects = mapValues(base, objectJson)
  const lists = mapValues(grantLists, ({ origin, ...list }) => ({ ...list, origin: numberOf(origin) }))
  // Plain data of ours, with nothing in it that JSON does not hold.
  return { ...left, base: objects, grantLists: lists, origins } as unknown as JsonObject
}

/** Reads it back; undefined where it is something else. */
export function leftFromJson(json: JsonObject): LeftByRuns | undefined {
  const { base, grantLists, origins, outsideWrites, heldSince, notKept, pending, lost, isApplied } = json
  const { heads, latest } = json
  const tables = [outsideWrites, heldSince, notKept, pending, lost]
  if (!isJsonObject(base) || !isJsonObject(grantLists) || !tables.every(isJsonObject)) return undefined
  if (!isJsonArray(origins) || !isJsonArray(heads) || typeof isApplied !== 'boolean') return undefined
  // What `leftToJson` has written.
  const known = origins as unknown as readonly BaseOrigin[]
  const others = { outsideWrites, heldSince, notKept, pending, lost, isApplied, heads }
  // The same.
  const left = { ...others, ...(latest === undefined ? {} : { latest }) } as unknown as LeftByRuns
  try {
    return {
      ...left,
      base: mapValues(base, value => objectFrom(value, known)),
      grantLists: mapValues(grantLists, value => listFrom(value, known)),
    }
  } catch {
    return undefined
  }
}

function objectFrom(value: Json, origins: readonly BaseOrigin[]): BaseObject {
  if (!isJsonObject(value) || !isJsonObject(value.fields)) throw new TypeError('no object')
  const { fields, origin, ...object } = value
  return {
    // What `leftToJson` has written.
    ...(object as unknown as Omit<BaseObject, 'fields' | 'origin'>),
    fields: mapValues(fields, field => fieldFrom(field, origins)),
    origin: originAt(origins, origin),
  }
}

function listFrom(value: Json, origins: readonly BaseOrigin[]): GrantList {
  if (!isJsonObject(value)) throw new TypeError('no list')
  // What `leftToJson` has written.
  const { origin, ...list } = value as unknown as Omit<GrantList, 'origin'> & { readonly origin?: Json }
  return { ...list, origin: originAt(origins, origin) }
}

function fieldFrom(value: Json, origins: readonly BaseOrigin[]): BaseField {
  if (typeof value === 'string') return { digest: value }
  if (!isJsonObject(value)) throw new TypeError('no field')
  const { origin, ...field } = value
  // What `leftToJson` has written.
  const same = field as unknown as Omit<BaseField, 'origin'>
  return origin === undefined ? same : { ...same, origin: originAt(origins, origin) }
}

function originAt(origins: readonly BaseOrigin[], number: Json | undefined): BaseOrigin {
  const origin = typeof number === 'number' ? origins[number] : undefined
  if (origin === undefined) throw new TypeError('no run')
  return origin
}

function mapValues<From, To>(
  table: Readonly<Record<string, From | undefined>>,
  convert: (value: From) => To,
): Record<string, To> {
  return Object.fromEntries(
    Object.entries(table).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, convert(value)] as const],
    ),
  )
}
