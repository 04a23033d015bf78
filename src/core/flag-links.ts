import type { JsonObject } from '../model/json/json.ts'
import { type IdentifiedKind, switchField, targetingField } from '../model/kind.ts'
import { areFlagsNamed, flagNames, isFlagId, renameFlags } from '../targeting/index.ts'
import type { Reference } from './change.ts'
import type { Desired } from './desired.ts'
import { isListedApart, type Live } from './live.ts'

/**
 * A live flag as conditions of others see it. They name flags by key in declarations and in everything that people read,
 * and by id on the wire. [service-today 2]
 */
export interface FlagLink {
  readonly kind: string
  readonly id: string
  readonly identity: string
  readonly isOn: boolean
  readonly isDeleted: boolean
  /** Whether it is archived: then it is off, and lists leave it out. */
  readonly isApart?: true
  /** Whether its key tells it from all others: of soft-deleted ones only that of one which is to be restored. */
  readonly hasKey: boolean
  /** The flags that its own conditions name: by key where that is known, else as they stand there. */
  readonly names: readonly string[]
}

/** Another name of a flag, or the same where none is known. */
export type Rename = (kind: string, name: string) => string

type Named = Pick<FlagLink, 'kind' | 'id' | 'identity'>

/** Undefined for what has no conditions, so that none can name it. */
export function linkOf(kind: IdentifiedKind, live: Live): FlagLink | undefined {
  if (targetingField(kind) === undefined) return undefined
  const names = namesIn(kind, live.record)
  return {
    kind: kind.name,
    id: live.id,
    identity: live.identity,
    isOn: live.record[switchField(kind) ?? ''] !== false,
    isDeleted: live.isSoftDeleted,
    ...(isListedApart(kind, live) ? { isApart: true } : {}),
    hasKey: !live.isSoftDeleted,
    names: names.length < 2 ? names : [...new Set(names)],
  }
}

/** The keys of flags by their ids. One whose key reads like an id can only be named by its id. */
export function keysOf(flags: readonly Named[]): Rename {
  if (flags.length === 0) return sameNames
  const named = flags.filter(({ identity }) => !isFlagId(identity))
  const keys = new Map(named.map(({ kind, id, identity }) => [`${kind}#${id}`, identity]))
  return (kind, name) => keys.get(`${kind}#${name}`) ?? name
}

/** For where no condition names a flag. */
export const sameNames: Rename = (_, name) => name

/** The same object with its conditions naming flags otherwise. */
export function renamedLive(kind: IdentifiedKind, live: Live, rename: Rename): Live {
  const record = renamedFields(kind, live.record, rename)
  return record === live.record ? live : { ...live, record }
}

/** The same declaration with its conditions naming flags otherwise. */
export function renamedDesired(kind: IdentifiedKind, desired: Desired, rename: Rename): Desired {
  const fields = renamedFields(kind, desired.fields, rename)
  const leaves = desired.leaves && renamedFields(kind, desired.leaves, rename)
  if (fields === desired.fields && leaves === desired.leaves) return desired
  return { ...desired, fields, ...(leaves ? { leaves } : {}) }
}

/** A record, or some fields of one, with its conditions naming flags otherwise. */
export function renamedFields(
  kind: Pick<IdentifiedKind, 'name' | 'fields'>,
  fields: JsonObject,
  rename: Rename,
): JsonObject {
  if (rename === sameNames) return fields
  const field = targetingField(kind)
  const value = field === undefined ? undefined : fields[field]
  if (field === undefined || value === undefined) return fields
  const renamed = renameFlags(value, name => rename(kind.name, name))
  return renamed === value ? fields : { ...fields, [field]: renamed }
}

/** The flags that the conditions in a record, or in some fields of one, name. */
export function namesIn(kind: Pick<IdentifiedKind, 'fields'>, fields: JsonObject): string[] {
  const field = targetingField(kind)
  return field === undefined ? [] : flagNames(fields[field] ?? null)
}

/** Whether they name any. */
export function namesAny(kind: Pick<IdentifiedKind, 'fields'>, fields: JsonObject): boolean {
  const field = targetingField(kind)
  return field !== undefined && areFlagsNamed(fields[field] ?? null)
}

/** The flags that some fields name by key, each with its id, where it has one. An id is sent as it is. */
export function referencesIn(
  kind: IdentifiedKind,
  fields: readonly JsonObject[],
  links: readonly FlagLink[],
): Reference[] {
  const names = new Set(fields.flatMap(each => namesIn(kind, each)).filter(name => !isFlagId(name)))
  return [...names].map(identity => {
    const id = links.find(link => link.hasKey && link.kind === kind.name && link.identity === identity)?.id
    return { $ref: `${kind.name}.${identity}`, identity, ...(id === undefined ? {} : { id }) }
  })
}
