import { isJsonObject, type Json } from '../model/json/json.ts'
import { getAt, pointerOf, segmentsOf, setAt } from '../model/json/pointer.ts'
import { type DeclarableKind, isTargeting } from '../model/kind.ts'
import { compareTexts } from '../model/text/compare-texts.ts'
import { type FoundPlace, findPlaces, placedFilters, variantKeys } from '../targeting/index.ts'
import type { Desired } from './desired.ts'

/** What is declared, and which places of it are left to the service. */
export interface Ignoring {
  readonly ignore?: Desired['ignore'] | undefined
  readonly fields: Desired['fields']
}

/** A place in a field that is left to the service, and where it is in a live value of the field; both inside of the field. */
export interface IgnoredPlace {
  readonly pointer: string
  readonly found: FoundPlace
}

/** The places in a field that its declaration leaves to the service, in a fixed order. */
export function ignoredIn({ ignore = [] }: Omit<Ignoring, 'fields'>, field: string): string[] {
  const inside = ignore.filter(pointer => pointer.split('/')[1] === field)
  const isWithin = (pointer: string) => inside.some(other => pointer.startsWith(`${other}/`))
  return [...new Set(inside)].filter(pointer => !isWithin(pointer)).sort(compareTexts)
}

/** The same, each with where it is in a live value. */
export function ignoredPlaces(
  kind: DeclarableKind,
  desired: Ignoring,
  field: string,
  live: Json,
): readonly IgnoredPlace[] {
  const ignored = ignoredIn(desired, field).map(pointer => pointer.slice(pointerOf(field).length))
  if (ignored.length === 0) return []
  const areFilters = isTargeting(kind, field)
  const found = findPlaces({ declared: desired.fields[field] ?? null, live, ignored, areFilters })
  return found.map((place, index) => ({ pointer: ignored[index] ?? '', found: place }))
}

/** A declared field with what is live at the places that are left to the service. */
export function keepIgnored(
  kind: DeclarableKind,
  desired: Ignoring,
  field: string,
  { declared, live }: { readonly declared: Json; readonly live: Json },
): Json {
  const shown = placedIn(kind, field, live)
  return ignoredPlaces(kind, desired, field, live).reduce(
    // A part that is live nowhere is as it is declared: without a percentage it would give the flag to everybody.
    (kept, { pointer, found }) =>
      found.is === 'there' ? setAt(kept, pointer, getAt(shown, found.pointer)) : kept,
    declared,
  )
}

/** A value with null at the places that are left to the service, so that nothing moves up in a list. */
export function withoutIgnored(kind: DeclarableKind, desired: Ignoring, field: string, value: Json): Json {
  return ignoredPlaces(kind, desired, field, value).reduce(
    (rest, { found }) =>
      found.is === 'there' && getAt(rest, found.pointer) !== undefined
        ? setAt(rest, found.pointer, null)
        : rest,
    placedIn(kind, field, value),
  )
}

/** A declared field as an engine makes it: with what is live at the same positions. */
export function keepByPosition(
  kind: DeclarableKind,
  desired: Ignoring,
  field: string,
  { declared, live }: { readonly declared: Json; readonly live: Json },
): Json {
  const shown = placedIn(kind, field, live)
  const [ours, theirs] = [declared, shown].map(filters => (isJsonObject(filters) ? variantKeys(filters) : []))
  return ignoredPlaces(kind, desired, field, live).reduce((kept, { pointer }) => {
    const [member, key = '', ...rest] = segmentsOf(pointer)
    // Engines have the payload of a variant in the variant.
    const other = member === 'payloads' ? theirs?.[ours?.indexOf(key) ?? -1] : undefined
    const there = other === undefined ? pointer : pointerOf('payloads', other, ...rest)
    return isThere(shown, there) ? setAt(kept, pointer, getAt(shown, there)) : kept
  }, declared)
}

/** Whether a value has what a place is in. */
export function isThere(value: Json, pointer: string): boolean {
  return (getAt(value, pointer.slice(0, pointer.lastIndexOf('/'))) ?? null) !== null
}

/** A live value as places lead into it. */
export function placedIn(kind: DeclarableKind, field: string, value: Json): Json {
  return isTargeting(kind, field) ? placedFilters(value) : value
}
