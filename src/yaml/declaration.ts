import { declarableKinds } from '../kinds/index.ts'
import { type Sensitive, type TagMember, tagMemberNames } from '../model/field.ts'
import {
  type DeclarableKind,
  managedFields,
  objectAddress,
  switchField,
  targetingField,
} from '../model/kind.ts'
import { type GivenLiveEdits, parseLiveEdits } from '../model/live-edit-policy.ts'
import {
  isJsonArray,
  isJsonNumber,
  isJsonObject,
  type Json,
  type JsonObject,
  pickMembers,
} from '../model/text/json.ts'
import { getAt, pointerInto, pointerOf } from '../model/text/pointer.ts'
import { declaredFieldSchemas } from '../schema/declaration-schema.ts'
import type { FilterProblem } from '../targeting/check/filter-problem.ts'
import {
  audienceMembers,
  isNamingMember,
  type ShortForm,
  shortMembers,
  type UsedAudience,
  type UsedName,
} from '../targeting/short/short-form.ts'
import { quote } from './check/problem-order.ts'
import type { ParsedYaml } from './read/parse-yaml.ts'

/** One layer of a declaration: the declaration itself, or its overrides for one environment. */
export interface Layer {
  readonly pointer: string
  /** The members as written, without those of other layers. */
  readonly members: JsonObject
  readonly fields: JsonObject
  /** Who gets a flag, in the short form, if the layer uses it. */
  readonly short?: ShortForm
  /** The pointer in the file for a pointer inside the short form, if the short form is elsewhere. */
  readonly placeOf?: (inside: string) => string
  /** Set if `fields` have the expanded short form. */
  readonly expanded?: ExpandedLayer
  readonly ensure?: 'present' | 'absent'
  readonly id?: string
  readonly protect?: boolean
  /** The hidden values; false if the layer declares that all values may be shown. */
  readonly sensitive?: Sensitive | false
  /** Whether it is permanent, so that it never counts as stale. */
  readonly permanent?: boolean
  readonly ignore?: readonly string[]
  readonly allow?: readonly string[]
  readonly liveEdits?: GivenLiveEdits
  readonly roleAccess?: readonly DeclaredRole[]
  readonly files?: Readonly<Record<string, string | { readonly file: string } | null>>
  readonly skip?: boolean
  /** The schema for each of its payloads; null if the layer declares that there is none. */
  readonly payloadSchema?: JsonObject | null
  /** Members that are stored as tags; null if the layer declares that there are none. */
  readonly tagMembers?: TagMemberValues
}

export type TagMemberValues = { readonly [Name in TagMember]?: string | null }

/** One of the roles with access to an object: an element of a list, or a key of a map with its level. */
export interface DeclaredRole {
  readonly role: string
  readonly level?: string
  /** Its pointer, which starts with the list or the map. */
  readonly pointer: string
  readonly at: 'key' | 'value'
}

/** One object as it is written in a file, for all environments. */
export interface ObjectDeclaration {
  readonly file: DeclarationFile
  readonly kind: DeclarableKind
  readonly identity: string
  readonly address: string
  readonly base: Layer
  /** The environments that it is limited to, with their indexes in the list. */
  readonly only?: ReadonlyMap<string, number>
  readonly environments: ReadonlyMap<string, Layer>
  /** Set if the settings limit it to these environments. */
  readonly isOnlyByDefault?: boolean
  /** The defaults of the settings for declarations of its file. */
  readonly defaults?: DeclarationDefaults
}

/** Tags besides those that are declared or live, and the place of each default in the settings, by name. */
export interface DeclarationDefaults {
  readonly tags?: readonly string[]
  readonly places: ReadonlyMap<string, DefaultPlace>
}

/** The place of a default in the source of the settings, before variables are filled in. */
export interface DefaultPlace {
  readonly parsed: ParsedYaml
  readonly pointer: string
}

/** A grant with its own declaration. */
export interface GrantDeclaration {
  readonly file: DeclarationFile
  readonly kind: DeclarableKind
  readonly pointer: string
  readonly flag: string
  readonly role: string
  readonly level?: string
  readonly ensure: 'present' | 'absent'
  /** The environments that it is limited to, with their indexes in the list. */
  readonly only?: ReadonlyMap<string, number>
  /** Set if the limit comes from the settings. */
  readonly isOnlyByDefault?: boolean
}

export interface FileDeclarations {
  readonly objects: readonly ObjectDeclaration[]
  readonly grants: readonly GrantDeclaration[]
}

/** Reads the parts of a file. Values of a wrong type are skipped here: the schema has reported them. */
export function readDeclarations(file: DeclarationFile): FileDeclarations {
  const { value } = file
  if (!isJsonObject(value)) return { objects: [], grants: [] }
  const sections = declarableKinds.map(kind => ({ kind, section: value[kind.section] ?? null }))
  return {
    objects: sections.flatMap(({ kind, section }) => readObjects(file, kind, section)),
    grants: sections.flatMap(({ kind, section }) => readGrants(file, kind, section)),
  }
}

function readObjects(file: DeclarationFile, kind: DeclarableKind, section: Json): ObjectDeclaration[] {
  if (!isJsonObject(section)) return []
  const inside = pointerOf(kind.section)
  return Object.keys(section).flatMap(name => {
    const value = section[name] ?? {}
    if (!isJsonObject(value)) return []
    const identity = name.trim()
    const pointer = pointerInto(inside, name)
    const { environments, only } = value
    const members = environments === undefined && only === undefined ? value : membersOfBase(value)
    return [
      {
        file,
        kind,
        identity,
        address: objectAddress(kind.name, identity),
        base: readLayer(kind, members, pointer),
        environments: readOverrides(kind, environments, pointer),
        ...readOnly(only),
      },
    ]
  })
}

function membersOfBase({ environments: _environments, only: _only, ...members }: JsonObject): JsonObject {
  return members
}

const noOverrides: ReadonlyMap<string, Layer> = new Map()

function readOverrides(
  kind: DeclarableKind,
  value: Json | undefined,
  pointer: string,
): ReadonlyMap<string, Layer> {
  if (!isJsonObject(value)) return noOverrides
  const layers = Object.entries(value).flatMap(([name, written]) => {
    const members = written ?? {}
    const at = pointer + pointerOf('environments', name)
    return isJsonObject(members) ? [[name, readLayer(kind, members, at)] as const] : []
  })
  return new Map(layers)
}

const fieldNames = new Map(
  declarableKinds.map(kind => [kind.name, new Set(Object.keys(declaredFieldSchemas(kind)))]),
)

/** Most layers have only fields, and copying those would take longer than this check. */
function readLayer(kind: DeclarableKind, members: JsonObject, pointer: string): Layer {
  const names = fieldNames.get(kind.name) ?? new Set()
  for (const name in members) if (!names.has(name)) return readWholeLayer(kind, members, pointer)
  return { pointer, members, fields: members }
}

/** True for most layers, which need no further check. */
export function saysOnlyFields(layer: Layer): boolean {
  for (const name in layer) if (!fieldMembers.has(name)) return false
  return true
}

const fieldMembers = new Set<string>(['pointer', 'members', 'fields'] satisfies (keyof Layer)[])

/** The layer with all members. No field has the name of another member. */
function readWholeLayer(kind: DeclarableKind, members: JsonObject, pointer: string): Layer {
  const names = fieldNames.get(kind.name)
  const { ensure, id, protect, sensitive, permanent, skip, source } = members
  const { payload_schema: payloadSchema } = members
  const short = shortIn(kind, members)
  const liveEdits = parseLiveEdits(members.live_edits)
  return {
    pointer,
    members,
    fields: pickMembers(members, (_, name) => names?.has(name) === true),
    ...(short === undefined ? {} : { short }),
    ...(ensure === 'present' || ensure === 'absent' ? { ensure } : {}),
    ...(typeof id === 'string' || isJsonNumber(id) ? { id: String(id) } : {}),
    ...(typeof protect === 'boolean' ? { protect } : {}),
    ...(typeof permanent === 'boolean' ? { permanent } : {}),
    ...(typeof sensitive === 'boolean' ? { sensitive } : texts('sensitive', sensitive)),
    ...texts('ignore', members.ignore),
    ...texts('allow', members.allow),
    ...(liveEdits === undefined ? {} : { liveEdits }),
    ...readRoles(members.role_access),
    ...(isJsonObject(source) ? { files: readFiles(source) } : {}),
    ...(typeof skip === 'boolean' ? { skip } : {}),
    ...(isJsonObject(payloadSchema) || payloadSchema === null ? { payloadSchema } : {}),
    ...readTagMembers(kind, members),
  }
}

function readTagMembers(kind: DeclarableKind, members: JsonObject): Pick<Layer, 'tagMembers'> {
  if (kind.lifecycle.ownedBy === undefined) return {}
  const given = tagMemberNames.flatMap(name => {
    const value = members[name]
    return typeof value === 'string' || value === null ? [[name, value] as const] : []
  })
  return given.length === 0 ? {} : { tagMembers: Object.fromEntries(given) }
}

function readRoles(value: Json | undefined): Pick<Layer, 'roleAccess'> {
  if (value !== undefined && isJsonArray(value)) {
    const roleAccess = value.flatMap((role, index): DeclaredRole[] =>
      typeof role === 'string' ? [{ role, pointer: pointerOf(index), at: 'value' }] : [],
    )
    return { roleAccess }
  }
  if (!isJsonObject(value)) return {}
  const roleAccess = Object.entries(value).map(([role, level]): DeclaredRole => {
    const given = typeof level === 'string' ? { level } : {}
    return { role, ...given, pointer: pointerOf(role), at: 'key' }
  })
  return { roleAccess }
}

function readFiles(source: JsonObject): NonNullable<Layer['files']> {
  const files: Record<string, string | { readonly file: string } | null> = {}
  for (const [name, text] of Object.entries(source)) {
    if (text === null || typeof text === 'string') files[name] = text
    else if (isJsonObject(text) && typeof text.file === 'string') files[name] = { file: text.file }
  }
  return files
}

function readGrants(file: DeclarationFile, kind: DeclarableKind, section: Json): GrantDeclaration[] {
  if (!isJsonArray(section)) return []
  return section.flatMap((grant, index) => {
    if (!isJsonObject(grant) || typeof grant.flag !== 'string' || typeof grant.role !== 'string') return []
    const level = grant[kind.lifecycle.levels?.field ?? '']
    return [
      {
        file,
        kind,
        pointer: pointerOf(kind.section, index),
        flag: grant.flag.trim(),
        role: grant.role.trim(),
        ...(typeof level === 'string' ? { level } : {}),
        ensure: grant.ensure === 'absent' ? ('absent' as const) : ('present' as const),
        ...readOnly(grant.only),
      },
    ]
  })
}

function readOnly(value: Json | undefined): Pick<ObjectDeclaration, 'only'> {
  if (!isJsonArray(value)) return {}
  const named = value.flatMap((name, index) => (typeof name === 'string' ? [[name, index] as const] : []))
  return { only: new Map(named) }
}

/** An object with this member, if its value is a list of texts. */
function texts<Name extends 'ignore' | 'allow' | 'sensitive'>(
  name: Name,
  value: Json | undefined,
): { readonly [N in Name]?: readonly string[] } {
  const list: Record<string, readonly string[]> = {}
  if (isJsonArray(value)) list[name] = value.filter((one): one is string => typeof one === 'string')
  // TypeScript does not keep the type of a computed name.
  return list as { readonly [N in Name]?: readonly string[] }
}

/** A place in an object as a JSON pointer: `filters.groups[0]`, `filters.groups.0`, `/filters/groups/0` are one. */
export function ignorePointer(path: string): string {
  if (path.startsWith('/')) return path
  return pointerOf(...path.replace(/\[(\d+)\]/g, '.$1').split('.'))
}

export const audienceSection = 'audiences'

/** The address of an audience in messages; no object of the service has such an address. */
export function audienceAddress(name: string): string {
  return objectAddress('audience', name)
}

export function isAudienceAddress(address: string): boolean {
  return address.startsWith(audienceAddress(''))
}

/** Members that apply to all conditions of a flag. */
const ofFlag: ReadonlySet<string> = new Set(['group_type', 'group_type_index'])

const condition = pointerOf('release', 'audience')

/**
 * The audiences of a file, each as a flag with one condition: an audience is read, merged, expanded and
 * checked like the same text in a flag.
 */
export function readAudiences(file: DeclarationFile): ObjectDeclaration[] {
  const section = isJsonObject(file.value) ? (file.value[audienceSection] ?? null) : null
  const kind = declarableKinds.find(each => targetingField(each) !== undefined)
  if (!isJsonObject(section) || !kind) return []
  return Object.entries(section).map(([name, written]) => {
    const pointer = pointerOf(audienceSection, name)
    const { environments = null, ...members } = isJsonObject(written) ? written : {}
    return {
      file,
      kind,
      identity: name,
      address: audienceAddress(name),
      base: toLayer(members, pointer),
      environments: new Map(
        (isJsonObject(environments) ? Object.entries(environments) : []).map(
          ([environment, override]) =>
            [
              environment,
              toLayer(
                isJsonObject(override) ? override : {},
                pointer + pointerOf('environments', environment),
              ),
            ] as const,
        ),
      ),
    }
  })
}

function toLayer(members: JsonObject, pointer: string): Layer {
  const isGiven = (value: Json, name: string) => audienceMembers.includes(name) && isUsable(value, name)
  const given = pickMembers(members, (value, name) => isGiven(value, name) && !ofFlag.has(name))
  const above = pickMembers(members, (value, name) => isGiven(value, name) && ofFlag.has(name))
  return {
    pointer,
    members,
    fields: {},
    short: { ...above, release: { audience: given } },
    placeOf: inside =>
      pointer + (inside.startsWith(condition) ? inside.slice(condition.length) : withoutRelease(inside)),
  }
}

function withoutRelease(inside: string): string {
  return inside === pointerOf('release') ? '' : inside
}

/** The name of the audience that a layer builds on, if any. */
export function buildsOn({ members }: Layer): Json {
  return members.audience ?? null
}

/** The expanded short form of a layer, merged with the layer below. */
export interface ExpandedLayer {
  /** The field that it is expanded to. */
  readonly field: string
  /** Problems of the short form itself; pointers lead into the file. */
  readonly problems: readonly FilterProblem[]
  /** The pointer in the file for a pointer inside the field. */
  placeOf(inside: string): string
  /** The pointer in the field for a pointer inside the short form; undefined if there is none. */
  insideOf(pointer: string): string | undefined
  /** The audience that declares the value at a pointer inside the field, if any; `placeOf` leads to its name. */
  sharedAt(inside: string): SharedPlace | undefined
  readonly audiences: readonly UsedAudience[]
  /** The names of its conditions, in their order; in a list they have no names. */
  readonly conditionNames: readonly string[]
  /** The names of cohorts and group types that the layer uses; pointers lead into the file. */
  readonly names: readonly UsedName[]
  /** The meaning is unknown: the problems report why, those of an audience, or a name without a number. */
  readonly isBroken: boolean
}

export interface SharedPlace {
  /** The audience that the layer uses. */
  readonly audience: string
  /** The file that declares the value: that of this audience, or of an audience that it builds on. */
  readonly file: DeclarationFile
  readonly pointer: string
}

/** The members of a layer that belong to the short form. */
export function shortIn(kind: DeclarableKind, members: JsonObject): ShortForm | undefined {
  if (targetingField(kind) === undefined) return undefined
  let short: Record<string, Json> | undefined
  for (const name of shortMembers) {
    const given = members[name]
    if (given === undefined || !isUsable(given, name)) continue
    short ??= {}
    short[name] = given
  }
  return short
}

/** Whether a member can be read; the schema reports a name that is not text. */
function isUsable(value: Json, name: string): boolean {
  return !isNamingMember(name) || value === null || typeof value === 'string'
}

/** One file of declarations, with values of the environment filled in. */
export interface DeclarationFile {
  readonly parsed: ParsedYaml
  readonly value: Json
  /** Values from the environment, and the placeholder of each in messages. */
  readonly secrets: ReadonlyMap<string, string>
  /** The pointers of texts that refer to unset environment variables. */
  readonly unfilled: ReadonlySet<string>
}

/** A value as written in the file, for messages: values of environment variables are never shown. */
export function quoteWritten({ parsed }: DeclarationFile, pointer: string): string {
  return quote(getAt(parsed.value ?? null, pointer))
}

/** Whether the value at a pointer, or a part of it, comes from an environment variable. */
export function isFilledIn({ parsed, secrets }: DeclarationFile, pointer: string): boolean {
  if (secrets.size === 0) return false
  return JSON.stringify(getAt(parsed.value ?? null, pointer) ?? null).includes(`$\{env:`)
}

/** The fields of a kind in writing order: as in the kind, but a flag's switch comes before its release. */
export function fieldOrder(kind: DeclarableKind): readonly string[] {
  const [targeting, turned] = [targetingField(kind), switchField(kind)]
  const fields = managedFields(kind)
  if (targeting === undefined || turned === undefined) return fields
  return fields.flatMap(name => (name === targeting ? [turned, name] : name === turned ? [] : [name]))
}

export function hasPayloadSchemas(objects: readonly ObjectDeclaration[]): boolean {
  return objects.some(({ base, environments }) =>
    [base, ...environments.values()].some(({ payloadSchema }) => isJsonObject(payloadSchema)),
  )
}
