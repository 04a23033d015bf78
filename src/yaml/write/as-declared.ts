import type { Desired } from '../../core/desired.ts'
import { diffFields } from '../../core/diff.ts'
import { toLive } from '../../core/live.ts'
import { deepest } from '../../hcl/json.ts'
import { declarableKind } from '../../kinds/index.ts'
import { membersElsewhere } from '../../model/field.ts'
import { canonicalValue } from '../../model/json/canonical.ts'
import {
  isJsonArray,
  isJsonObject,
  isSameJson,
  type Json,
  type JsonObject,
  pickMembers,
} from '../../model/json/json.ts'
import { pointerOf, segmentsOf, setAt } from '../../model/json/pointer.ts'
import {
  type DeclarableKind,
  identityField,
  isTargeting,
  managedFields,
  objectAddress,
  targetingField,
} from '../../model/kind.ts'
import { checkField } from '../../rules/check-field.ts'
import type { RuleName } from '../../rules/object-problem.ts'
import { checkFilters } from '../../targeting/check/check-filters.ts'
import { toleranceOf } from '../../targeting/check/check-services.ts'
import { hasConditions, withConditions } from '../../targeting/release.ts'
import { specialNames } from '../parse/inspect-scalar.ts'
import { quote } from '../parse/quote.ts'
import type { ExportedObject } from './exported-object.ts'
import { tidyFilters } from './tidy-filters.ts'

/** What a declaration says of a live object, or why none can. */
export type AsDeclared =
  | { readonly fields: JsonObject; readonly ignore: readonly string[] }
  | { readonly reason: string }

/**
 * The declaration of a live object that plans nothing.
 *
 * | the object holds                                         | so the declaration                          |
 * |----------------------------------------------------------|---------------------------------------------|
 * | a value at its default                                   | does not name the field                     |
 * | a value that no declaration takes (a type, a word)       | does not name the field either              |
 * | members of filters that are slips; names that are special| leaves these places to the service          |
 * | a rule that is broken                                    | says it as it is: a plan takes what is live |
 * | filters of another shape; anything nested too deep       | is not written, and that is told            |
 * | filters without conditions, and slips in their place     | is not written, and that is told            |
 */
export function asDeclared({ kind: kindName, identity, id, fields }: ExportedObject): AsDeclared {
  const kind = declarableKind(kindName)
  if (identity === '' || specialNames.has(identity))
    return { reason: `${quote(identity)} cannot be a name in a declaration` }
  if (!isShallow(fields, deepest - nestedBelow))
    return { reason: `its values are nested more than ${deepest - nestedBelow} levels deep` }
  const special = specialPlaces(fields)
  const said = fittingFields(kind, saidFields(kind, without(fields, special)))
  // A flag without filters would be for everybody where it has to be made again.
  const targeting = targetingField(kind)
  if (targeting !== undefined && fields[targeting] !== undefined && said[targeting] === undefined)
    return { reason: 'its filters are no object' }
  const targetingIn = (from: JsonObject) => (targeting === undefined ? null : (from[targeting] ?? null))
  const slips = slipsIn(targetingIn(said))
  const uncertain = decidingAlone(targetingIn(fields), slipsIn(targetingIn(fields)))
  if (uncertain !== undefined)
    return {
      reason: `its filters have no "groups", and ${quote(uncertain)} may be what decides who gets it; correct it in the product first`,
    }
  const written = without(said, slips)
  const wrong = checkFilters(targetingIn(written)).find(
    problem => problem.severity === 'error' && toleranceOf(problem) === undefined,
  )
  if (wrong) return { reason: wrong.message }
  const ignore = [...special, ...slips]
  const desired: Desired = {
    address: objectAddress(kind.name, identity),
    kind: kind.name,
    identity,
    ensure: 'present',
    fields: written,
    ignore,
  }
  const live = toLive(kind, { ...fields, id, [identityField(kind)]: identity })
  const isSame = live !== undefined && diffFields(kind, desired, live).length === 0
  return isSame ? { fields: written, ignore } : { reason: 'no declaration of it would plan nothing' }
}

/** A field of an object stands this deep in a file: below its section and its name. */
const nestedBelow = 4

/** Names that decide who gets a flag are always written; other values only where they are not at their default. */
function saidFields(kind: DeclarableKind, fields: JsonObject): JsonObject {
  const identity = identityField(kind)
  const names = managedFields(kind).filter(name => name !== identity && fields[name] !== undefined)
  const entries = names.flatMap(name => {
    const written = writtenValue(kind, name, fields[name] ?? null)
    return written === undefined ? [] : [[name, written] as const]
  })
  return Object.fromEntries(entries)
}

/**
 * The fields of a live object that are at their default, with values that a declaration takes: where another environment
 * has something else, they can be said.
 */
export function namedDefaults(kind: DeclarableKind, fields: JsonObject): JsonObject {
  const identity = identityField(kind)
  const entries = managedFields(kind).flatMap(name => {
    const field = kind.fields[name]
    const live = fields[name]
    if (!field || live === undefined || name === identity || isTargeting(kind, name)) return []
    const usual = canonicalValue(field, null)
    const isUsual = isSameJson(canonicalValue(field, live), usual)
    return isUsual && checkField(kind, name, usual).length === 0 ? [[name, usual] as const] : []
  })
  return Object.fromEntries(entries)
}

function writtenValue(kind: DeclarableKind, name: string, value: Json): Json | undefined {
  const field = kind.fields[name]
  if (!field) return undefined
  if (isTargeting(kind, name)) return tidyFilters(value, membersElsewhere(field, value))
  const canonical = canonicalValue(field, value)
  return isSameJson(canonical, canonicalValue(field, null)) ? undefined : canonical
}

/** What no declaration takes; what the service takes no more may be live. */
const unfitRules: ReadonlySet<RuleName> = new Set(['type', 'choice', 'empty'])

function fittingFields(kind: DeclarableKind, fields: JsonObject): JsonObject {
  return pickMembers(fields, (value, name) =>
    checkField(kind, name, value).every(({ rule }) => !unfitRules.has(rule)),
  )
}

/** Members of filters that are a problem wherever they are written, and mean nothing to the service. */
function slipsIn(filters: Json): string[] {
  return checkFilters(filters)
    .filter(({ code }) => code === 'misspelt-member' || code === 'misplaced-member')
    .map(({ pointer }) => `/filters${pointer}`)
}

/** Without conditions, a slip beside them may be all that keeps a flag from everybody: who knows what reads it. */
function decidingAlone(filters: Json, slips: readonly string[]): string | undefined {
  if (isJsonObject(filters) && hasConditions(withConditions(filters))) return undefined
  const [, name] = slips.map(segmentsOf).find(segments => segments.length === 2) ?? []
  return name
}

/** Members that no file may name, since every JavaScript object answers to them. */
function specialPlaces(value: Json, place: readonly string[] = []): string[] {
  if (isJsonArray(value))
    return value.flatMap((element, index) => specialPlaces(element, [...place, String(index)]))
  if (!isJsonObject(value)) return []
  return Object.entries(value).flatMap(([name, member]) =>
    specialNames.has(name) ? [pointerOf(...place, name)] : specialPlaces(member, [...place, name]),
  )
}

function without(fields: JsonObject, pointers: readonly string[]): JsonObject {
  // What is taken out of an object leaves an object.
  return pointers.reduce<Json>((value, pointer) => setAt(value, pointer, undefined), fields) as JsonObject
}

function isShallow(value: Json, levels: number): boolean {
  if (!isJsonArray(value) && !isJsonObject(value)) return true
  return levels > 0 && Object.values(value).every(member => isShallow(member, levels - 1))
}
