import type { Desired } from '../../core/desired.ts'
import { ignoredPlaces, placedIn } from '../../core/diff.ts'
import { canonicalField, type Live } from '../../core/live.ts'
import { existsField } from '../../core/live-edits/live-edit.ts'
import { declarableKind, kindBelow } from '../../kinds/index.ts'
import { tagSet } from '../../model/canonical.ts'
import { fileOfField, membersElsewhere, tagMemberNames } from '../../model/field.ts'
import { type DeclarableKind, isTargeting, targetingField } from '../../model/kind.ts'
import {
  canonicalText,
  isJsonArray,
  isJsonObject,
  isSameJson,
  type Json,
  type JsonObject,
  pickMembers,
} from '../../model/text/json.ts'
import { getAt, setAt } from '../../model/text/pointer.ts'
import { splitTags } from '../../rules/check-field.ts'
import { canonicalFilters } from '../../targeting/index.ts'
import { expandFilters } from '../../targeting/short/expand-short.ts'
import { type ShortContext, type ShortForm, shortMembers } from '../../targeting/short/short-form.ts'
import { inLists, rewriteShort, shortOf } from '../../targeting/short/write-short.ts'
import { type ObjectDeclaration, shortIn } from '../declaration.ts'
import {
  escapeReferences,
  escapeReferencesIn,
  interpolate,
  referencesIn,
  type Variables,
} from '../resolve/interpolate.ts'
import { resolveRole } from '../resolve/layers.ts'
import { namingIn } from '../resolve/names.ts'
import type { Environment } from '../settings.ts'
import { tidyFilters } from './declaration-of.ts'
import { type DeclarationChange, writtenIn, writtenOverrides, writtenShared } from './edit-declarations.ts'

/** Values of a declaration to replace by the live ones: fields of its object, or grants on it. */
export interface Pulled {
  readonly desired: Desired
  /** The live object; undefined if there is none. */
  readonly live: Live | undefined
  readonly fields: readonly string[]
}

export interface Pulling extends Reading {
  readonly ownershipTag: string | undefined
  /** Whether it is written for all environments, unless overrides differ. */
  readonly isShared: boolean
}

/** The changes that make a declaration equal to the live object, the best first; or why there are none. */
export type PulledDeclaration =
  | { readonly changes: readonly DeclarationChange[] }
  | { readonly reason: string }

/**
 * Replaces some declared fields by their live values.
 *
 * | in the product               | in the declaration                                     |
 * |------------------------------|--------------------------------------------------------|
 * | the object was deleted       | `ensure: absent`                                       |
 * | it was made again            | no `ensure: absent`                                    |
 * | its conditions were changed  | see `pulledFilters`                                    |
 * | its tags were changed        | see `pulledTags`                                       |
 * | a grant was taken or changed | the role goes from `role_access`, or has another level |
 * | a grant was made             | the role comes into `role_access`                      |
 * | a source file was changed    | its text; null if it was deleted there                 |
 * | any other field was changed  | the value; texts in it are escaped                     |
 *
 * Values left to the service stay. A reference to a variable is never replaced by a value: that may be secret.
 */
export function pulledDeclaration(
  declaration: ObjectDeclaration,
  pulled: readonly Pulled[],
  pulling: Pulling,
): PulledDeclaration {
  const { environment, isShared } = pulling
  const before = writtenIn(declaration, environment.name)
  let spellings: readonly JsonObject[] = [before]
  for (const one of pulled) {
    const next = spellings.map(written => spellingsFor(declaration, written, one, pulling))
    const [failed] = next.flatMap(each => ('reason' in each ? [each] : []))
    if (failed) return failed
    spellings = next.flatMap(each => ('reason' in each ? [] : each.spellings))
  }
  const [first = before] = spellings
  const lost = lostReference(before, first)
  if (lost !== undefined)
    return { reason: `the file uses ${lost} there, and the value of a variable is not written into files` }
  const override = environment.name === undefined ? {} : writtenOverrides(declaration, environment.name)
  const changed = Object.keys({ ...before, ...first }).filter(
    name => !isSameJson(before[name] ?? null, first[name] ?? null) || name in before !== name in first,
  )
  const into = isShared && !changed.some(name => name in override) ? 'shared' : 'environment'
  return {
    changes: spellings.map(wanted => ({
      declaration,
      environment: environment.name,
      wanted,
      into: environment.name === undefined ? 'shared' : into,
    })),
  }
}

type Spellings = { readonly spellings: readonly JsonObject[] } | { readonly reason: string }

function spellingsFor(
  declaration: ObjectDeclaration,
  written: JsonObject,
  pulled: Pulled,
  pulling: Pulling,
): Spellings {
  const { desired, live } = pulled
  const { kind } = declaration
  if (desired.kind !== kind.name) return grantSpelling(kind, written, pulled, pulling)
  if (!live || live.isSoftDeleted) return { spellings: [{ ...written, ensure: 'absent' }] }
  const apart = pulled.fields.find(field => isFileApart(written, live, field))
  if (apart !== undefined)
    return {
      reason: `${apart} is declared in a file of its own; change that file by hand to match the live value`,
    }
  let spellings: readonly JsonObject[] = [written]
  for (const field of pulled.fields) {
    spellings = spellings.flatMap(each =>
      fieldSpellings(declaration, each, { desired, live, field }, pulling),
    )
  }
  return { spellings }
}

function grantSpelling(
  kind: DeclarableKind,
  written: JsonObject,
  { desired, live }: Pulled,
  { environment }: Pulling,
): Spellings {
  const level = live && levelOf(live)
  const roles = pulledRoles(
    kind,
    written.role_access,
    { role: desired.identity, isLive: live !== undefined, ...(level === undefined ? {} : { level }) },
    environment,
  )
  return roles === undefined
    ? { reason: 'edit the separate declaration of this grant by hand' }
    : { spellings: [{ ...written, role_access: roles }] }
}

/** Undefined if the service gives roles none. */
function levelOf({ kind, record }: Live): string | undefined {
  const level = record[declarableKind(kind).lifecycle.levels?.field ?? '']
  return typeof level === 'string' ? level : undefined
}

interface LiveField {
  readonly desired: Desired
  readonly live: Live
  readonly field: string
}

function fieldSpellings(
  declaration: ObjectDeclaration,
  written: JsonObject,
  { desired, live, field }: LiveField,
  pulling: Pulling,
): readonly JsonObject[] {
  const { kind } = declaration
  const file = fileOfField(field)
  if (file !== undefined) return [withSource(written, file, live.files?.[file] ?? null)]
  if (field === existsField) return [pickMembers(written, (_, name) => name !== 'ensure')]
  const value = withIgnored(kind, desired, field, live.record[field] ?? null)
  if (isTargeting(kind, field)) return pulledFilters(kind, written, value, pulling)
  if (field === kind.lifecycle.ownedBy) return [pulledTags(declaration, written, value, pulling)]
  const canonical = (one: Json) => canonicalField(kind, field, one)
  const means = (each: Json) =>
    isSameJson(canonical(interpolate(each, pulling.variables).value), canonical(value))
  const escaped = escapeReferencesIn(value ?? canonical(null))
  return [{ ...written, [field]: keepWritten(escaped, written[field], means) }]
}

/** Whether the live text of a source file would have to go into the file that the declaration names. */
function isFileApart({ source }: JsonObject, { files }: Live, field: string): boolean {
  const name = fileOfField(field)
  const isLive = name !== undefined && files?.[name] !== undefined
  return isLive && isJsonObject(source) && isJsonObject(source[name])
}

/** One source file as it is live; null if there is none. */
function withSource(written: JsonObject, name: string, text: string | null): JsonObject {
  const source = isJsonObject(written.source) ? written.source : {}
  return { ...written, source: { ...source, [name]: escapeReferencesIn(text) } }
}

/** A live value with the declared values at the places that are left to the service. */
function withIgnored(kind: DeclarableKind, desired: Desired, field: string, live: Json): Json {
  const declared = desired.fields[field] ?? null
  return ignoredPlaces(kind, desired, field, live).reduce(
    (value, { pointer, found }) =>
      found.is === 'there' && getAt(value, found.pointer) !== undefined
        ? setAt(value, found.pointer, getAt(declared, pointer))
        : value,
    placedIn(kind, field, live),
  )
}

/** A reference that is in the old text and not in the new one. */
function lostReference(before: JsonObject, after: JsonObject): string | undefined {
  const kept = referencesIn(after)
  return referencesIn(before).find(reference => {
    const index = kept.indexOf(reference)
    if (index >= 0) kept.splice(index, 1)
    return index < 0
  })
}

/** One grant as it is live: gone, or with a level. */
export interface LiveGrant {
  /** The id of its role. */
  readonly role: string
  readonly isLive: boolean
  readonly level?: string
}

/**
 * `role_access` after one of its grants gets its live state: a role that it does not name and that was granted goes to the
 * end. Undefined if it cannot hold that.
 */
export function pulledRoles(
  kind: DeclarableKind,
  written: Json | undefined,
  { role, isLive, level }: LiveGrant,
  environment: Pick<Environment, 'roles'>,
): Json | undefined {
  const isMeant = (name: string) => resolveRole(name, environment)?.id.toLowerCase() === role.toLowerCase()
  // A list means the default level for each of its roles.
  const below = kindBelow(kind.name)
  const assumed = below?.fields[below.lifecycle.levels?.field ?? '']?.assumed ?? null
  if (isJsonObject(written)) {
    const name = Object.keys(written).find(isMeant)
    if (isLive) {
      // If the service gives roles no level, none can be written.
      const declared = level ?? (name === undefined ? null : (written[name] ?? null))
      return { ...written, [name ?? nameOf(role, environment)]: declared }
    }
    return name === undefined ? undefined : pickMembers(written, (_, each) => each !== name)
  }
  if (written === undefined || !isJsonArray(written)) return undefined
  const name = written.find(each => typeof each === 'string' && isMeant(each))
  if (!isLive) return name === undefined ? undefined : written.filter(each => each !== name)
  const named = name === undefined ? [...written, nameOf(role, environment)] : written
  if (level === undefined || level === assumed) return named
  const texts = named.filter(each => typeof each === 'string')
  return Object.fromEntries(texts.map(each => [each, isMeant(each) ? level : assumed]))
}

/** The name of a role in the files of a repository. */
function nameOf(role: string, environment: Pick<Environment, 'roles'>): string {
  return resolveRole(role, environment)?.label ?? role
}

/**
 * The members of a declaration that set an object's tags, changed to the live tags.
 *
 * | a live tag                               | is written                                                     |
 * |------------------------------------------|----------------------------------------------------------------|
 * | the ownership tag, a default of settings | not at all: it is added anyway                                 |
 * | `owner:payments`, `expires:2027-03-01`   | as `owner`, `expires`, if those are tags                       |
 * | any other                                | under `tags`, if tags are declared; known ones in their places |
 */
function pulledTags(
  declaration: ObjectDeclaration,
  written: JsonObject,
  value: Json,
  { environment: { liveTags }, ownershipTag, variables, isShared }: Pulling,
): JsonObject {
  const { kind, defaults } = declaration
  const ownedBy = kind.lifecycle.ownedBy ?? ''
  const added = [...(ownershipTag === undefined ? [] : [ownershipTag]), ...(defaults?.tags ?? [])].map(kept)
  const live = textsIn(value).filter(tag => !added.includes(tag))
  const { members, tags } = liveTags ? splitTags(kind, live) : { members: {}, tags: live }
  const shared = writtenShared(declaration)
  // A shared value has to be removed by name: `owner: null`.
  const isDeclaredBelow = (name: string) =>
    defaults?.places.has(name) === true || (!isShared && typeof shared[name] === 'string')
  const saysMembers = tagMemberNames.filter(name => Object.hasOwn(written, name) || isDeclaredBelow(name))
  const hasTags = written[ownedBy] !== undefined
  // An object without tags of its own has only the tags of its members.
  const names = liveTags ? tagMemberNames.filter(name => hasTags || saysMembers.includes(name)) : []
  const rest = pickMembers(written, (_, name) => !names.some(each => each === name))
  const given = names.flatMap((name): (readonly [string, Json])[] => {
    const tag = members[name]
    if (tag !== undefined) return [[name, escapeReferences(tag)]]
    return isDeclaredBelow(name) ? [[name, null]] : []
  })
  const list = hasTags ? { [ownedBy]: tagList(written[ownedBy] ?? null, tags, variables) } : {}
  return { ...rest, ...list, ...Object.fromEntries(given) }
}

/** Tags that are written already keep their spelling and place; new ones come after them. */
function tagList(written: Json, live: Json, variables: Variables): Json {
  const left = new Set(textsIn(live))
  const known = (isJsonArray(written) ? written : []).filter(tag => {
    const { value } = interpolate(tag, variables)
    return typeof value === 'string' && left.delete(kept(value))
  })
  return [...known, ...[...left].map(escapeReferences)]
}

function textsIn(tags: Json): string[] {
  const all = tagSet(tags)
  return isJsonArray(all) ? all.filter(tag => typeof tag === 'string') : []
}

function kept(tag: string): string {
  return tag.trim().toLowerCase()
}

/** The meaning of texts and names of a file in its environment. */
interface Reading {
  readonly environment: Environment
  /** Names of audiences, cohorts and group types. */
  readonly context: ShortContext
  readonly variables: Variables
}

/**
 * The members that declare who gets a flag, changed to other filters: the best spelling first.
 *
 * | the declaration has | and the filters | result                                                     |
 * |---------------------|-----------------|------------------------------------------------------------|
 * | `filters`           |                 | as `filters`                                               |
 * | the short form      | have one        | the short form, with its names; or lists, to set the order |
 * | the short form      | have none       | `filters`, in place of it                                  |
 */
export function pulledFilters(
  kind: DeclarableKind,
  written: JsonObject,
  live: Json,
  reading: Reading,
): readonly JsonObject[] {
  const field = targetingField(kind) ?? ''
  const others = pickMembers(written, (_, name) => name !== field && !shortMembers.includes(name))
  const declared = written[field]
  const elsewhere = membersElsewhere(kind.fields[field], live)
  const names = isJsonObject(declared) ? Object.keys(declared) : []
  const filters = tidyFilters(
    live,
    elsewhere.filter(name => !names.includes(name)),
  )
  const short = shortIn(kind, written)
  if (!short) {
    const means: Means = each => isSame(interpolate(each, reading.variables).value, filters)
    return [{ ...others, [field]: keepWritten(escapeReferencesIn(filters), declared, means) }]
  }
  const rewritten = pulledShort(short, filters, reading)
  return rewritten
    ? [rewritten, inLists(rewritten)].map(each => ({ ...others, ...each }))
    : [{ ...others, [field]: escapeReferencesIn(filters) }]
}

function pulledShort(written: ShortForm, filters: Json, reading: Reading): ShortForm | undefined {
  const { context, variables, environment } = reading
  const read = (short: Json) => {
    const { value, failures } = interpolate(short, variables)
    const meant = isJsonObject(value) ? expandFilters(value, context) : undefined
    return meant && !meant.isBroken && failures.length === 0 ? meant.filters : undefined
  }
  const means: Means = each => {
    const meant = read(each)
    return meant !== undefined && isSame(meant, filters)
  }
  const naming = namingIn(environment)
  const plain = rewriteShort(filters, { written, before: read(written) ?? null, naming })
  if (!plain) return undefined
  const wanted = escapeReferencesIn(plain)
  if (!isJsonObject(wanted) || !means(wanted)) return undefined
  const kept = keepWritten(withAudiences(wanted, written, filters, { context, means }), written, means)
  return isJsonObject(kept) ? kept : wanted
}

interface Naming {
  readonly context: ShortContext
  readonly means: Means
}

/** Conditions with the audiences that they are written with, if they still begin with the audiences' properties. */
function withAudiences(
  wanted: ShortForm,
  written: ShortForm,
  filters: Json,
  { context, means }: Naming,
): Json {
  const { release = null } = wanted
  const { release: before = null } = written
  if (!isJsonObject(release) || !isJsonObject(before)) return wanted
  const conditions = isJsonObject(filters) && isJsonArray(filters.groups) ? filters.groups : []
  let kept: ShortForm = wanted
  for (const [index, [name, condition]] of Object.entries(release).entries()) {
    const was = before[name]
    if (!isJsonObject(condition) || !isJsonObject(was) || typeof was.audience !== 'string') continue
    const { properties: _, ...rest } = condition
    const count = context.audience(was.audience)?.properties.length ?? 0
    const own = ownProperties(conditions[index] ?? null, count)
    const spellings = [was.properties, own].map(
      (properties): JsonObject => ({
        audience: was.audience ?? null,
        ...(properties === undefined ? {} : { properties }),
        ...rest,
      }),
    )
    const around = kept
    const put = (each: JsonObject) => ({
      ...around,
      release: { ...release, ...objectIn(around.release), [name]: each },
    })
    const fitting = spellings.map(put).find(means)
    kept = fitting ?? kept
  }
  return kept
}

function objectIn(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {}
}

/** The further properties of a condition, after the first ones. */
function ownProperties(condition: Json, first: number): Json | undefined {
  if (!isJsonObject(condition) || condition.properties === undefined || !isJsonArray(condition.properties))
    return undefined
  const properties = condition.properties.slice(first)
  if (properties.length === 0) return undefined
  const short = shortOf({ groups: [{ ...condition, properties }] }, { names: ['own'] })
  const release = objectIn(short?.release)
  return objectIn(release.own).properties
}

function isSame(left: Json, right: Json): boolean {
  return canonicalText(canonicalFilters(left)) === canonicalText(canonicalFilters(right))
}

/** Whether a written value has the wanted meaning. */
type Means = (written: Json) => boolean

/**
 * A written value, changed to mean something else. It keeps as much of its spelling as possible, including
 * names and references. `wanted` has the new meaning; parts that are not kept come from it. Members stay in
 * the order of the file if that is allowed.
 */
function keepWritten(wanted: Json, written: Json | undefined, means: Means): Json {
  if (written === undefined) return wanted
  if (means(written)) return written
  if (isJsonObject(wanted) && isJsonObject(written)) return keepMembers(wanted, written, means)
  if (isJsonArray(wanted) && isJsonArray(written)) return keepElements(wanted, written, means)
  return wanted
}

function keepMembers(wanted: JsonObject, written: JsonObject, means: Means): JsonObject {
  const both = Object.keys(written).filter(name => Object.hasOwn(wanted, name))
  const first = Object.fromEntries(both.map(name => [name, wanted[name] ?? null]))
  const isInOrder =
    Object.keys(wanted)
      .filter(name => both.includes(name))
      .join('\n') === both.join('\n')
  const inOrder = isInOrder ? wanted : { ...first, ...wanted }
  let kept = means(inOrder) ? inOrder : wanted
  for (const name of both) {
    const around = kept
    const member = keepWritten(kept[name] ?? null, written[name], each => means({ ...around, [name]: each }))
    kept = { ...kept, [name]: member }
  }
  // Members without effect, such as an operator that is the default.
  for (const [name, member] of Object.entries(written)) {
    const more = { ...kept, [name]: member }
    if (!Object.hasOwn(kept, name) && means(more)) kept = more
  }
  return kept
}

function keepElements(wanted: readonly Json[], written: readonly Json[], means: Means): Json {
  let kept = wanted
  for (const index of wanted.keys()) {
    const put = (element: Json) => kept.map((other, at) => (at === index ? element : other))
    const own = written[index]
    const others = kept.length * written.length > mostCompared ? [] : written.filter(each => each !== own)
    const same = [...(own === undefined ? [] : [own]), ...others].find(each => means(put(each)))
    const element = same ?? keepWritten(kept[index] ?? null, own, each => means(put(each)))
    kept = put(element)
  }
  return kept
}

/** Up to this number of pairs, elements are compared at any places; longer lists place by place. */
const mostCompared = 400
