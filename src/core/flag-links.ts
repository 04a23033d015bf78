import {
  type DeclarableKind,
  guardedFields,
  type IdentifiedKind,
  identityField,
  switchField,
  targetingField,
} from '../model/kind.ts'
import { isEmptyJson, isJsonArray, isJsonObject, type Json, type JsonObject } from '../model/text/json.ts'
import { lostWithKey } from '../targeting/filter-parts.ts'
import { areFlagsNamed, flagNames, isFlagId, renameFlags } from '../targeting/release.ts'
import { valueText } from '../targeting/value-words.ts'
import type { Reference } from './change.ts'
import type { Desired } from './desired.ts'
import { isListedApart, type Live } from './live.ts'

/**
 * A live flag as conditions of other flags refer to it: by key in declarations and texts, by id in requests.
 * [service-today 2]
 */
export interface FlagLink {
  readonly kind: string
  readonly id: string
  readonly identity: string
  readonly isOn: boolean
  readonly isDeleted: boolean
  /** Whether it is archived: then it is off, and lists omit it. */
  readonly isApart?: true
  /** Whether its key is unique. Among soft-deleted flags, only a flag to restore has a unique key. */
  readonly hasKey: boolean
  /** The flags that its own conditions name: by key if that is known, else as written there. */
  readonly names: readonly string[]
}

/** Replaces the name of a flag in a condition; unknown names stay. */
export type Rename = (kind: string, name: string) => string

type Named = Pick<FlagLink, 'kind' | 'id' | 'identity'>

/** Undefined for an object without conditions, because conditions cannot name it. */
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

/** Replaces ids of flags by keys. A flag whose key looks like an id can only be named by its id. */
export function keysOf(flags: readonly Named[]): Rename {
  if (flags.length === 0) return sameNames
  const named = flags.filter(({ identity }) => !isFlagId(identity))
  const keys = new Map(named.map(({ kind, id, identity }) => [`${kind}#${id}`, identity]))
  return (kind, name) => keys.get(`${kind}#${name}`) ?? name
}

export const sameNames: Rename = (_, name) => name

export function renamedLive(kind: IdentifiedKind, live: Live, rename: Rename): Live {
  const record = renamedFields(kind, live.record, rename)
  return record === live.record ? live : { ...live, record }
}

export function renamedDesired(kind: IdentifiedKind, desired: Desired, rename: Rename): Desired {
  const fields = renamedFields(kind, desired.fields, rename)
  const leaves = desired.leaves && renamedFields(kind, desired.leaves, rename)
  if (fields === desired.fields && leaves === desired.leaves) return desired
  return { ...desired, fields, ...(leaves ? { leaves } : {}) }
}

/** A record, or some fields of one, with other names for flags in its conditions. */
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

export function namesAny(kind: Pick<IdentifiedKind, 'fields'>, fields: JsonObject): boolean {
  const field = targetingField(kind)
  return field !== undefined && areFlagsNamed(fields[field] ?? null)
}

/** The flags that some fields name by key, each with its id if it has one. An id is sent unchanged. */
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

/** Parts of the product that depend on a flag, each with the guard of that name. */
export const uses = ['experiment', 'survey', 'feature'] as const

export type Use = (typeof uses)[number]

/**
 * What uses an object, by name or else by id; an empty text if it has neither. If the service shows which
 * experiments run, only those count.
 */
export function usesOf(kind: DeclarableKind, use: Use, record: JsonObject): readonly string[] {
  const fields = guardedFields(kind, use)
  const telling = fields.find(name => kind.fields[name]?.runsBy !== undefined && isJsonArray(record[name]))
  const shown = telling === undefined ? fields : [telling]
  return shown.flatMap(name => {
    const value = record[name] ?? null
    if (!isJsonArray(value)) return isEmptyJson(value) ? [] : ['']
    const { runsBy } = kind.fields[name] ?? {}
    return value.filter(each => runsBy === undefined || isRunning(each, runsBy)).map(useName)
  })
}

/** Whether an experiment may be running. Without this information, it may. */
function isRunning(use: Json, member: string): boolean {
  return !isJsonObject(use) || use[member] !== false
}

function useName(use: Json): string {
  if (!isJsonObject(use)) return typeof use === 'object' ? '' : String(use)
  const { name = null, id = null } = use
  const shown = typeof name === 'string' && name !== '' ? name : id
  return typeof shown === 'object' ? '' : String(shown)
}

const useWords: Readonly<Record<Use, string>> = {
  experiment: 'experiment',
  survey: 'survey',
  feature: 'early access feature',
}

/** What is lost if a live object is deleted or gets another key. */
export function lostWith(kind: DeclarableKind, record: JsonObject): readonly string[] {
  return [
    ...lostWithKey(record[targetingField(kind) ?? ''] ?? null),
    ...uses.flatMap(use =>
      usesOf(kind, use, record).map(name => `${useWords[use]}${name === '' ? '' : ` ${nameWord(name)}`}`),
    ),
  ]
}

/** A number is an id. */
function nameWord(name: string): string {
  return /^\d+$/.test(name) ? name : valueText(name)
}

const drawnAnew =
  'people are assigned anew to percentages and variants: they may lose the flag, get it, or get another value'

/** What a rename loses, in one line; undefined if nothing. */
export function lossByRename(
  kind: DeclarableKind,
  lost: readonly string[],
  isDrawn: boolean,
): string | undefined {
  const name = identityField(kind)
  const drawn = isDrawn ? drawnAnew : undefined
  if (lost.length === 0) return drawn && `under another ${name} ${drawn}`
  return [`lost under another ${name}: ${lost.join(', ')}`, ...(drawn === undefined ? [] : [drawn])].join(
    '; ',
  )
}

export function lossByDeletion(lost: readonly string[]): string | undefined {
  return lost.length === 0 ? undefined : `lost with it: ${lost.join(', ')}`
}

/** The warning for a changed field that assigns people to percentages. */
export function redrawnWords(field: string): string {
  return `${field} changed: ${drawnAnew}`
}
