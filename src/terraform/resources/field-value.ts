import { canonicalField, canonicalIdentity, compactField } from '../../core/live.ts'
import { readStrictJson } from '../../hcl/strict-json.ts'
import {
  givenElements,
  isListValue,
  isNumberValue,
  isWhollyKnown,
  mapMembers,
  memberOf,
  nearestNumber,
  type ObjectValue,
  type Value,
} from '../../hcl/values.ts'
import { type DeclarableKind, identityField, isSentIdentity, isTargeting } from '../../model/kind.ts'
import { canonicalText, isJsonArray, isSameJson, type Json, type JsonObject } from '../../model/text/json.ts'
import { keepSpelling, readJsonAsWritten, readJsonIfAny, writeJson } from '../../model/text/json-text.ts'
import { givenTyped, targetingText } from '../../schema/terraform/terraform-attribute.ts'
import {
  type IdentityAttribute as Attribute,
  identityAttributes,
  identityVersion,
} from '../../schema/terraform/terraform-identity.ts'
import type { IdentityAttribute, ResourceIdentity } from '../provider.ts'
import type { Session } from '../session.ts'
import { ownerAttribute, withoutManagedElsewhere } from './resource-context.ts'

/** A known attribute of a managed field, in the service's form. */
export function declaredJson(kind: DeclarableKind, name: string, value: Value): Json {
  if (value === null) return null
  if (typeof value === 'string') return kind.fields[name]?.type === 'json' ? readStrictJson(value) : value
  if (typeof value === 'boolean') return value
  if (isNumberValue(value)) return nearestNumber(value)
  if (isListValue(value)) return givenElements(value).map(element => declaredJson(kind, '', element))
  throw new RangeError(`${kind.name}.${name} has a value that no field takes`)
}

/**
 * A record's field in the form of an attribute, if the configuration does not set it or sets another value.
 * Parts that equal the state keep the state's spelling.
 */
export function shownValue(
  kind: DeclarableKind,
  name: string,
  record: JsonObject,
  state: Value = null,
): Value {
  const value = record[name] ?? null
  switch (kind.fields[name]?.type) {
    case 'json': {
      const compact = compactField(
        kind,
        name,
        withoutManagedElsewhere(kind, name, value, jsonOf(kind, name, state)),
      )
      if (compact === null) return null
      return typeof state === 'string' ? spelledAs(kind, name, compact, state) : canonicalText(compact)
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

/** JSON text of a value. Parts that equal parts of another text keep that text's spelling. */
export function spelledAs(kind: DeclarableKind, name: string, value: Json, text: string): string {
  const keep = kind.fields[name]?.keepSpelling ?? keepSpelling
  if (readJsonIfAny(text) === undefined) return canonicalText(value)
  return writeJson(keep(value, readJsonAsWritten(text)))
}

/** Whether a known attribute equals the live value. An unreadable text does not. */
export function saysTheSame(
  kind: DeclarableKind,
  name: string,
  value: Value,
  live: Json | undefined,
): boolean {
  const declared = jsonOf(kind, name, value)
  return declared !== undefined && isSaying(kind, name, declared, live ?? null)
}

/** Whether a known attribute means the same as its value in the state, in any spelling. */
export function isSameMeaning(kind: DeclarableKind, name: string, given: Value, state: Value): boolean {
  const [declared, held] = [jsonOf(kind, name, given), jsonOf(kind, name, state)]
  return declared !== undefined && held !== undefined && isSaying(kind, name, declared, held)
}

/** Whether the declared value would not change the live value. */
function isSaying(kind: DeclarableKind, name: string, declared: Json, held: Json): boolean {
  const compared = withoutManagedElsewhere(kind, name, held, declared)
  return isSameJson(canonicalOf(kind, name, declared), canonicalOf(kind, name, compared))
}

/** The canonical form of a field's value, for comparisons. */
export function canonicalOf(kind: DeclarableKind, name: string, value: Json): Json {
  // A grant is found by its role's id, in upper or lower case.
  if (isSentIdentity(kind, name) && typeof value === 'string') return canonicalIdentity(kind, value)
  return canonicalField(kind, name, value)
}

/** An attribute in the service's form; undefined if it is unknown or unreadable. */
export function jsonOf(kind: DeclarableKind, name: string, value: Value): Json | undefined {
  if (!isWhollyKnown(value)) return undefined
  try {
    return declaredJson(kind, name, value)
  } catch {
    return undefined
  }
}

function asTexts(value: Json): Value {
  return isJsonArray(value) ? value.map(String) : []
}

/** Parses JSON text. Returns null for invalid text, which validation reports. */
export function jsonIn(text: Value): Json {
  if (typeof text !== 'string') return null
  try {
    return readStrictJson(text)
  } catch {
    return null
  }
}

/**
 * The configured value of a managed field in a plan or a state; undefined if it is not configured. `filters`
 * and typed attributes appear together only if the configuration ignores their changes. The configuration in
 * an apply does not include ignored changes, so only the values show them.
 */
export function configuredValue(
  kind: DeclarableKind,
  name: string,
  values: ObjectValue,
  config: ObjectValue,
): Value | undefined {
  const isGiven = memberOf(config, name) !== null
  if (!isTargeting(kind, name) || givenTyped(config).length === 0)
    return isGiven ? memberOf(values, name) : undefined
  return isGiven || isIgnored(name, values) ? undefined : targetingText(name, values)
}

/** If changes of the values are ignored, they are the live values, not those of the typed attributes. */
function isIgnored(field: string, values: ObjectValue): boolean {
  return givenTyped(values).length === 0 || typeof memberOf(values, field) === 'string'
}

export function kindIdentity(kind: DeclarableKind, session: Session): ResourceIdentity {
  const attributes = identityAttributes(kind)
  const [owner, field] = [ownerAttribute(kind), identityField(kind)]
  return {
    version: identityVersion,
    attributes: mapMembers<Attribute, IdentityAttribute>(attributes, ({ description, required }) => ({
      type: 'string',
      description,
      ...(required ? { required } : {}),
    })),
    of(values) {
      const identity = mapMembers<Attribute, Value>(attributes, ({ onlyForImport }, name) => {
        if (onlyForImport) return null
        // The state of another provider may lack the object's owner. Then this provider's owner is used.
        const value = memberOf(values, name)
        if (name === owner) return value ?? session.defaultOwner(kind.scope)
        return name === field && typeof value === 'string' ? canonicalIdentity(kind, value) : value
      })
      return isComplete(identity, attributes) ? identity : undefined
    },
  }
}

function isComplete(identity: ObjectValue, attributes: Readonly<Record<string, Attribute>>): boolean {
  return Object.entries(attributes).every(
    ([name, { onlyForImport }]) => onlyForImport || memberOf(identity, name) !== null,
  )
}
