import { canonicalField, canonicalIdentity } from '../../core/live.ts'
import { isJsonArray, isSameJson, type Json, type JsonObject } from '../../model/json.ts'
import type { DeclarableKind } from '../../model/kind.ts'
import { readStrictJson } from '../../model/strict-json.ts'
import { numberText } from '../values/big-num.ts'
import { isListValue, isNumberValue, isWhollyKnown, type Value } from '../values/value.ts'
import { writeJson } from './json-text.ts'

/** A known attribute of a managed field as the service takes it. */
export function declaredJson(kind: DeclarableKind, name: string, value: Value): Json {
  if (value === null) return null
  if (typeof value === 'string') return kind.fields[name]?.type === 'json' ? readStrictJson(value) : value
  if (typeof value === 'boolean') return value
  if (isNumberValue(value)) return Number(numberText(value))
  if (isListValue(value)) return value.map(element => declaredJson(kind, '', element))
  throw new RangeError(`${kind.name}.${name} has a value that no field takes`)
}

/** A field of a record as an attribute shows it where the configuration says nothing. */
export function shownValue(kind: DeclarableKind, name: string, record: JsonObject): Value {
  const value = record[name] ?? null
  switch (kind.fields[name]?.type) {
    case 'json': {
      const canonical = canonicalField(kind, name, value)
      return canonical === null ? null : writeJson(canonical)
    }
    case 'set':
      return asTexts(canonicalField(kind, name, value))
    case 'string':
      return typeof value === 'string' ? value : null
    case 'boolean':
      return typeof value === 'boolean' ? value : null
    default:
      return typeof value === 'number' ? value : null
  }
}

/** Whether a known attribute says what the service holds; text that cannot be read says nothing. */
export function saysTheSame(
  kind: DeclarableKind,
  name: string,
  value: Value,
  live: Json | undefined,
): boolean {
  const declared = canonicalOf(kind, name, value)
  return declared !== undefined && isSameJson(declared, canonicalField(kind, name, live))
}

/** Whether two known attributes of a field mean the same, however they are written. */
export function isSameMeaning(kind: DeclarableKind, name: string, left: Value, right: Value): boolean {
  const [one, other] = [canonicalOf(kind, name, left), canonicalOf(kind, name, right)]
  return one !== undefined && other !== undefined && isSameJson(one, other)
}

function canonicalOf(kind: DeclarableKind, name: string, value: Value): Json | undefined {
  if (!isWhollyKnown(value)) return undefined
  try {
    const declared = declaredJson(kind, name, value)
    // A grant is found by its role's id, in whichever case it is written.
    if (isIdentity(kind, name) && typeof declared === 'string') return canonicalIdentity(kind, declared)
    return canonicalField(kind, name, declared)
  } catch {
    return undefined
  }
}

function isIdentity({ identity }: DeclarableKind, name: string): boolean {
  return identity.by === 'parent' && name === identity.sentAs
}

function asTexts(value: Json): Value {
  return isJsonArray(value) ? value.map(String) : []
}
