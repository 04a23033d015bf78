import type { Desired } from '../../core/desired.ts'
import { diffFields } from '../../core/diff.ts'
import { nameWithId, toLive } from '../../core/live.ts'
import { ignoredBlock } from '../../core/plan/block.ts'
import { deepest } from '../../hcl/json.ts'
import { declarableKind, kindBelow } from '../../kinds/index.ts'
import { canonicalValue } from '../../model/canonical.ts'
import { membersElsewhere } from '../../model/field.ts'
import {
  type DeclarableKind,
  identityField,
  isTargeting,
  managedFields,
  objectAddress,
  targetingField,
} from '../../model/kind.ts'
import { largestFile } from '../../model/limits.ts'
import {
  isEmptyJson,
  isJsonArray,
  isJsonObject,
  isSameJson,
  type Json,
  type JsonObject,
  pickMembers,
} from '../../model/text/json.ts'
import { compareTexts } from '../../model/text/names.ts'
import { pointerOf, segmentsOf, setAt } from '../../model/text/pointer.ts'
import { checkField, type RuleName, splitTags } from '../../rules/check-field.ts'
import { compactFilters } from '../../targeting/canonical-filters.ts'
import { checkFilters } from '../../targeting/check/check-filters.ts'
import { toleranceOf } from '../../targeting/check/filter-mistakes.ts'
import { hasConditions, withConditions } from '../../targeting/release.ts'
import { quote } from '../check/problem-order.ts'
import { specialNames } from '../read/read-scalar.ts'
import { escapeReferences } from '../resolve/interpolate.ts'

/** The declaration of an object in one environment. */
export interface Declaration {
  /** Undefined if a declaration is impossible. */
  readonly members?: JsonObject
  readonly unnamed?: JsonObject
  readonly reason?: string
  readonly files: readonly TextFile[]
  readonly ignore: readonly string[]
}

/** How to write the declaration of an object in one environment. */
interface Writing {
  readonly environment: string | undefined
  readonly sources: Sources
  readonly hasPlainTags: boolean
}

/** The declaration of an object, or why it is impossible. */
export function declarationOf(
  kind: DeclarableKind,
  { object, name, isAmbiguous }: Named,
  { environment, sources, hasPlainTags }: Writing,
): Declaration {
  const declared = asDeclared(object)
  if ('reason' in declared) return { ...declared, files: [], ignore: [] }
  const { source, files } = sources(object, name, environment)
  const { grants } = object
  const { fields, unnamed } = hasPlainTags
    ? { fields: declared.fields, unnamed: {} }
    : withTagMembers(kind, declared.fields)
  const members: JsonObject = {
    ...(isAmbiguous ? { id: numeric(object.id) } : {}),
    ...fields,
    ...(grants?.length ? { role_access: roleAccess(kind.name, grants) } : {}),
    ...(declared.ignore.length > 0 ? { ignore: declared.ignore } : {}),
    ...(source ? { source } : {}),
  }
  return {
    members,
    unnamed: {
      ...namedDefaults(kind, object.fields),
      ...unnamed,
      ...(grants?.length === 0 ? { role_access: [] } : {}),
    },
    files,
    ignore: declared.ignore,
  }
}

/** The same fields, with `owner` and similar members instead of their tags. Without other tags, none are declared. */
function withTagMembers(
  kind: DeclarableKind,
  fields: JsonObject,
): { readonly fields: JsonObject; readonly unnamed: JsonObject } {
  const { ownedBy } = kind.lifecycle
  if (ownedBy === undefined || fields[ownedBy] === undefined) return { fields, unnamed: {} }
  const { members, tags } = splitTags(kind, fields[ownedBy])
  const { [ownedBy]: _, ...others } = fields
  return isEmptyJson(tags)
    ? { fields: { ...others, ...members }, unnamed: { [ownedBy]: [] } }
    : { fields: { ...fields, [ownedBy]: tags, ...members }, unnamed: {} }
}

/** A list of roles, or a map to their levels if a level differs from the one that a list means. */
function roleAccess(kind: string, grants: readonly ExportedGrant[]): Json {
  const below = kindBelow(kind)
  const assumed = below?.fields[below.lifecycle.levels?.field ?? '']?.assumed
  const levels = new Map(
    [...grants]
      .sort((left, right) => compareTexts(left.role, right.role))
      .map(({ role, level }) => [role, level ?? assumed ?? null]),
  )
  const isPlain = [...levels.values()].every(level => level === (assumed ?? null))
  return isPlain ? [...levels.keys()] : Object.fromEntries(levels)
}

function numeric(id: string): Json {
  return /^[1-9]\d*$/.test(id) && Number.isSafeInteger(Number(id)) ? Number(id) : id
}

/** The declaration of a live object, or why it is impossible. */
export type AsDeclared =
  | { readonly fields: JsonObject; readonly ignore: readonly string[] }
  | { readonly reason: string }

/**
 * The declaration of a live object that plans no change.
 *
 * | the object holds                                          | the declaration                       |
 * |-----------------------------------------------------------|---------------------------------------|
 * | a value at its default                                    | does not name the field               |
 * | a value that no declaration takes (a type, a word)        | does not name the field either        |
 * | members of filters that are slips; names that are special | leaves these places to the service    |
 * | a rule that is broken                                     | keeps it: a plan accepts what is live |
 * | filters of another shape; anything nested too deep        | is not written, with a warning        |
 * | filters without conditions, and slips in their place      | is not written, with a warning        |
 */
export function asDeclared({ kind: kindName, identity, id, fields }: ExportedObject): AsDeclared {
  const kind = declarableKind(kindName)
  if (identity === '' || specialNames.has(identity))
    return { reason: `${quote(identity)} cannot be used as a name in a declaration` }
  if (!isShallow(fields, deepest - nestedBelow))
    return { reason: `its values are nested more than ${deepest - nestedBelow} levels deep` }
  const special = specialPlaces(fields)
  const declared = fittingFields(kind, declaredFields(kind, without(fields, special)))
  // A flag without filters would be for everybody if it has to be created again.
  const targeting = targetingField(kind)
  if (targeting !== undefined && fields[targeting] !== undefined && declared[targeting] === undefined)
    return { reason: 'its filters are not an object' }
  const targetingIn = (from: JsonObject) => (targeting === undefined ? null : (from[targeting] ?? null))
  const slips = slipsIn(targetingIn(declared))
  const uncertain = decidingAlone(targetingIn(fields), slipsIn(targetingIn(fields)))
  if (uncertain !== undefined)
    return {
      reason: `its filters have no "groups", and ${quote(uncertain)} may decide who gets the flag; correct the flag in the product first`,
    }
  const written = without(declared, slips)
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
  if (live !== undefined && diffFields(kind, desired, live).length === 0) return { fields: written, ignore }
  const unclear = live && ignoredBlock({ kind, desired, redaction: undefined }, live, written)
  return { reason: unclear?.reason ?? 'every possible declaration of it would plan a change' }
}

/** The depth of an object's field in a file: below its section and its name. */
const nestedBelow = 4

/** Fields that decide who gets a flag are always written; others only if not at their default. */
function declaredFields(kind: DeclarableKind, fields: JsonObject): JsonObject {
  const identity = identityField(kind)
  const names = managedFields(kind).filter(name => name !== identity && fields[name] !== undefined)
  const entries = names.flatMap(name => {
    const written = writtenValue(kind, name, fields[name] ?? null)
    return written === undefined ? [] : [[name, written] as const]
  })
  return Object.fromEntries(entries)
}

/**
 * The fields of a live object with their default value, if a declaration accepts the value: they can be
 * written if another environment has another value.
 */
function namedDefaults(kind: DeclarableKind, fields: JsonObject): JsonObject {
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

/** Rules for values that a declaration does not accept; the service may still have such values. */
const unfitRules: ReadonlySet<RuleName> = new Set(['type', 'choice', 'empty'])

function fittingFields(kind: DeclarableKind, fields: JsonObject): JsonObject {
  return pickMembers(fields, (value, name) =>
    checkField(kind, name, value).every(({ rule }) => !unfitRules.has(rule)),
  )
}

/** Misspelt members of filters, which are errors in any file, and which the service ignores. */
function slipsIn(filters: Json): string[] {
  return checkFilters(filters)
    .filter(({ code }) => code === 'misspelt-member' || code === 'misplaced-member')
    .map(({ pointer }) => `/filters${pointer}`)
}

/** Without conditions, a misspelt member may be the only intended limit of the release. */
function decidingAlone(filters: Json, slips: readonly string[]): string | undefined {
  if (isJsonObject(filters) && hasConditions(withConditions(filters))) return undefined
  const [, name] = slips.map(segmentsOf).find(segments => segments.length === 2) ?? []
  return name
}

/** Members that a file must not use, because every JavaScript object has them. */
function specialPlaces(value: Json, place: readonly string[] = []): string[] {
  if (isJsonArray(value))
    return value.flatMap((element, index) => specialPlaces(element, [...place, String(index)]))
  if (!isJsonObject(value)) return []
  return Object.entries(value).flatMap(([name, member]) =>
    specialNames.has(name) ? [pointerOf(...place, name)] : specialPlaces(member, [...place, name]),
  )
}

function without(fields: JsonObject, pointers: readonly string[]): JsonObject {
  // An object stays an object after parts are removed.
  return pointers.reduce<Json>((value, pointer) => setAt(value, pointer, undefined), fields) as JsonObject
}

function isShallow(value: Json, levels: number): boolean {
  if (!isJsonArray(value) && !isJsonObject(value)) return true
  return levels > 0 && Object.values(value).every(member => isShallow(member, levels - 1))
}

/**
 * Filters as people would write them, without parts that the product's screens add (nulls, empty members) and
 * parts that others in the product write. Operators and payloads stay unchanged. The canonical form stays the
 * same.
 */
export function tidyFilters(filters: Json, foreign: readonly string[]): Json {
  if (!isJsonObject(filters)) return compactFilters(filters)
  const ours = pickMembers(withConditions(filters), (_, name) => !foreign.includes(name))
  const canonical = compactFilters(ours)
  if (!isJsonObject(canonical)) return canonical
  const { groups = [], multivariate = null, payloads = null, ...others } = canonical
  const inReadingOrder: JsonObject = {
    groups: withOperators(groups, ours.groups),
    multivariate,
    payloads: payloads === null ? null : (ours.payloads ?? null),
    ...others,
  }
  return pickMembers(inReadingOrder, member => member !== null)
}

/** The canonical form omits `exact`, but filters are easier to read with it. */
function withOperators(canonical: Json, written: Json | undefined): Json {
  return alongside(canonical, written, (condition, original) =>
    'properties' in condition
      ? {
          ...condition,
          properties: alongside(condition.properties ?? [], original.properties, (property, { operator }) =>
            typeof operator === 'string' ? { ...property, operator } : property,
          ),
        }
      : condition,
  )
}

/** Maps the objects of a list, each with its counterpart in the original list. */
function alongside(
  list: Json,
  originals: Json | undefined,
  map: (element: JsonObject, original: JsonObject) => Json,
): Json {
  if (!isJsonArray(list) || !isJsonArray(originals)) return list
  return list.map((element, index) => {
    const original = originals[index]
    return isJsonObject(element) && isJsonObject(original) ? map(element, original) : element
  })
}

/** An object of the service, as it was read. */
export interface ExportedObject {
  readonly kind: string
  readonly identity: string
  readonly id: string
  /** The managed fields. */
  readonly fields: JsonObject
  /** The roles that hold a grant, by name or UUID, with their levels if any; undefined if they were not read. */
  readonly grants?: readonly ExportedGrant[]
  /** Source files, by name. */
  readonly files?: Readonly<Record<string, string>>
}

interface ExportedGrant {
  readonly role: string
  readonly level?: string
}

/** A file to be written, relative to the repository. */
export interface TextFile {
  readonly path: string
  readonly text: string
  /** Set for a source file that declarations name. */
  readonly isSource?: true
}

export interface Named {
  readonly object: ExportedObject
  readonly name: string
  /** Whether the name alone does not identify the object. */
  readonly isAmbiguous: boolean
}

export interface NamesAround {
  /** All live objects of the kind in the same environment. */
  readonly live: readonly Pick<ExportedObject, 'identity'>[]
  /** The names of all live objects in any environment. */
  readonly anywhere: Iterable<string>
  /** Whether a declaration already has this name. */
  readonly isTaken: (name: string) => boolean
}

/** The name of each object of a kind: its identity. If several objects share it, an id is added. */
export function nameObjects(
  objects: readonly ExportedObject[],
  { live, anywhere, isTaken }: NamesAround,
): Named[] {
  const count = new Map<string, number>()
  for (const { identity } of live) count.set(identity, (count.get(identity) ?? 0) + 1)
  const taken = new Set([...count.keys(), ...anywhere])
  const first = new Set<string>()
  return [...objects].sort(byIdentity).map(object => {
    const { identity, id } = object
    const isAmbiguous = (count.get(identity) ?? 0) > 1 || isTaken(identity)
    if (!first.has(identity) && !isTaken(identity)) {
      first.add(identity)
      return { object, name: identity, isAmbiguous }
    }
    let name = nameWithId(identity, id)
    while (taken.has(name) || isTaken(name)) name += '+'
    taken.add(name)
    return { object, name, isAmbiguous }
  })
}

function byIdentity(left: ExportedObject, right: ExportedObject): number {
  return (
    compareTexts(left.identity, right.identity) ||
    left.id.length - right.id.length ||
    compareTexts(left.id, right.id)
  )
}

export interface ExportedFiles {
  readonly files: readonly TextFile[]
  /** The `source` member of the declaration. */
  readonly source?: JsonObject
}

/**
 * Source files as separate files, in a folder named after the object. The names come from the service, so a
 * name that could lead out of that folder is never used as a path: the declaration contains its text instead.
 * Without a folder, it contains all texts.
 */
export function exportFiles(object: ExportedObject, name: string, folder: string | undefined): ExportedFiles {
  const entries = Object.entries(object.files ?? {})
    .filter(([file, text]) => isNameable(file, text))
    .sort(([left], [right]) => compareTexts(left, right))
  if (entries.length === 0) return { files: [] }
  const own = `sources/${folderName(name, object.id)}`
  const files: TextFile[] = []
  const source: Record<string, Json> = {}
  for (const [file, text] of entries) {
    if (folder !== undefined && isPlainFileName(file) && isPlainText(text)) {
      files.push({ path: `${folder === '' ? '' : `${folder}/`}${own}/${file}`, text, isSource: true })
      source[file] = { file: `${own}/${file}` }
    } else source[file] = escapeReferences(text)
  }
  return { files, source }
}

/** Adds the source files of an object in an environment. */
type Sources = (object: ExportedObject, name: string, environment: string | undefined) => ExportedFiles

/** Adds the source files of objects: equal files of two environments for one path are one, others are two. */
export function sourcesIn(folder: string | undefined): Sources {
  const written = new Map<string, string>()
  const isOther = ({ path, text }: TextFile) => (written.get(path) ?? text) !== text
  return (object, name, environment) => {
    const own = exportFiles(object, name, folder)
    const found = own.files.some(isOther) ? exportFiles(object, `${name} ${environment ?? ''}`, folder) : own
    // Two environments can be so similar that no name distinguishes them; then the declaration contains the
    // text.
    if (found.files.some(isOther)) return exportFiles(object, name, undefined)
    const fresh = found.files.filter(({ path }) => !written.has(path))
    for (const { path, text } of fresh) written.set(path, text)
    return { ...found, files: fresh }
  }
}

/** A file without a name in the declaration stays as it is: its name is no possible key, or it is too large. */
function isNameable(name: string, text: string): boolean {
  return !specialNames.has(name) && text.length <= largestFile && Buffer.byteLength(text) <= largestFile
}

/** The id distinguishes names that only differ in characters that paths cannot contain. */
function folderName(name: string, id: string): string {
  const slug = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 60)
  return `${slug === '' ? 'plugin' : slug}-${id.replace(/[^A-Za-z0-9]+/g, '-')}`
}

function isPlainFileName(name: string): boolean {
  return /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,100}$/.test(name)
}

/** Whether a text is unchanged after writing and reading it: a byte order mark would be lost. */
function isPlainText(text: string): boolean {
  return !text.startsWith('\ufeff') && !/\p{Surrogate}/u.test(text)
}
