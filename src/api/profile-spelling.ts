import type { Profile } from '../model/connection/profile.ts'
import type { Fields } from '../model/field.ts'
import { isJsonObject, type Json, type JsonObject } from '../model/json/json.ts'
import { oncePer } from '../model/runtime/once-per.ts'

/** How the records of one kind are spelled on the wire. */
export interface Spelling {
  /** A body in the profile's spelling. */
  readonly toWire: (body: JsonObject) => JsonObject
  /** A record in the interface's own spelling, whichever profile it was spelled in. */
  readonly fromWire: (record: Json) => Json
}

/** `services` are those that it may be. */
export function spellingOf(fields: Fields, profile: Profile, services: readonly Profile[]): Spelling {
  const known = spellings(fields)
  const name = [profile, ...services].join()
  const spelling = known.get(name) ?? spellingFor(fields, profile, services)
  known.set(name, spelling)
  return spelling
}

/** Of one kind in each profile: every call asks for it. */
const spellings = oncePer((_: Fields) => new Map<string, Spelling>())

function spellingFor(fields: Fields, profile: Profile, services: readonly Profile[]): Spelling {
  const spelled = spellingsIn(fields)
  const outward = new Map(
    spelled.filter(({ of }) => of === profile).map(({ name, other }) => [name, other] as const),
  )
  const meant = Object.entries(fields).flatMap(([name, { byService }]) =>
    byService ? [[name, byService] as const] : [],
  )
  const inward = new Map(spelled.map(({ name, other }) => [other, name] as const))
  return {
    toWire: body => respell(rename(body, outward), 'toWire'),
    fromWire: record => (isJsonObject(record) ? respell(rename(record, inward), 'fromWire') : record),
  }

  function respell(record: JsonObject, direction: 'toWire' | 'fromWire'): JsonObject {
    let respelled = record
    for (const [name, byService] of meant) {
      const value = record[name]
      const other = value === undefined ? value : byService[direction](value, services)
      if (other !== value && other !== undefined) respelled = { ...respelled, [name]: other }
    }
    return respelled
  }
}

/** The interface's own name for what an error is about: a field, and after two underscores what is inside of it. */
export function ownAttr(fields: Fields, attr: string): string {
  const [name = '', ...inside] = attr.split('__')
  const own = spellingsIn(fields).find(({ other }) => other === name)?.name
  return [own ?? name, ...inside].join('__')
}

/** Where a record has both spellings, the one that is wanted counts. */
function rename(record: JsonObject, names: ReadonlyMap<string, string>): JsonObject {
  if (names.size === 0 || !Object.keys(record).some(name => names.has(name))) return record
  const members = Object.entries(record).flatMap(([name, value]) => {
    const other = names.get(name)
    if (other === undefined) return [[name, value] as const]
    return Object.hasOwn(record, other) ? [] : [[other, value] as const]
  })
  return Object.fromEntries(members)
}

function spellingsIn(
  fields: Fields,
): { readonly name: string; readonly of: string; readonly other: string }[] {
  return Object.entries(fields).flatMap(([name, { spelling }]) =>
    Object.entries(spelling ?? {}).flatMap(([of, other]) => (other === name ? [] : [{ name, of, other }])),
  )
}
