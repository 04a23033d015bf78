import { posix } from 'node:path'
import { declarableKinds, kindBelow } from '../../kinds/index.ts'
import { isEmptyJson, isJsonArray, isJsonObject, type Json, type JsonObject } from '../../model/json/json.ts'
import type { DeclarableKind } from '../../model/kind.ts'
import { compareTexts } from '../../model/text/compare-texts.ts'
import { splitTags } from '../../rules/check-tag-member.ts'
import { escapeReferences } from '../resolve/interpolate.ts'
import { asDeclared, namedDefaults } from './as-declared.ts'
import { type ExportedFiles, exportFiles } from './export-files.ts'
import type { ExportedGrant, ExportedObject, TextFile } from './exported-object.ts'
import { declarationSchemaPath } from './init.ts'
import { type MembersIn, mergeEnvironments } from './merge-environments.ts'
import { type Named, nameObjects } from './name-objects.ts'
import { type Entry, writeSection } from './write-section.ts'

export interface ExportOptions {
  /** The folder that the files go to, relative to the repository. */
  readonly folder?: string
  /** Keeps source files inside the declarations, where the YAML has to stand alone. */
  readonly isOneText?: boolean
  /** Names that the repository has given already; what is exported under one of them is told apart by its id. */
  readonly isTaken?: (kind: string, name: string) => boolean
  /** The file of a part of a section, without its folder. */
  readonly fileOf?: (section: string, part: number) => string
  /** The environments that an object with an id is limited to; all of them where undefined. */
  readonly only?: (kind: DeclarableKind) => readonly string[] | undefined
  /** Writes `filters` as the service has them, in place of the short form. */
  readonly isRaw?: boolean
  /** Writes tags such as `owner:payments` as tags: declarations keep `owner` out of the service. */
  readonly hasPlainTags?: boolean
  /** Where the schema is, seen from these files; without it, where it is from the folder. */
  readonly schema?: string
}

/** What is live in one place. */
export interface LiveIn {
  /** The environment of that place, where several are exported. */
  readonly environment?: string
  readonly objects: readonly ExportedObject[]
  /** Everything that is live, where that is more than what is exported: a name that several have says nothing alone. */
  readonly live?: readonly Pick<ExportedObject, 'kind' | 'identity'>[]
}

/** A live object that no declaration can be written of. */
export interface LeftOut {
  readonly environment?: string
  readonly object: ExportedObject
  /** Why, on one line. */
  readonly reason: string
}

/** A live object that is declared but for places that no declaration takes; they stand under its `ignore`. */
export interface Ignored {
  readonly environment?: string
  readonly object: ExportedObject
  /** JSON pointers. */
  readonly places: readonly string[]
}

export interface Exported {
  readonly files: readonly TextFile[]
  readonly leftOut: readonly LeftOut[]
  readonly ignored: readonly Ignored[]
}

/**
 * Live state as declarations: one file per kind, and source files beside them. Read back, it plans nothing. Fields
 * at their default are left out and so stay with the service; the same state always gives the same text.
 */
export function exportYaml(
  objects: readonly ExportedObject[],
  { live, ...options }: ExportOptions & Pick<LiveIn, 'live'> = {},
): Exported {
  return exportEnvironments([{ objects, ...(live ? { live } : {}) }], options)
}

export interface EnvironmentOptions extends ExportOptions {
  /** The names of all environments: an object that one of them lacks is limited to the others. */
  readonly environments?: readonly string[]
}

/** The state of several environments as declarations that plan nothing in any of them. */
export function exportEnvironments(places: readonly LiveIn[], options: EnvironmentOptions = {}): Exported {
  const exported = declarableKinds.flatMap(kind => {
    if (kind.lifecycle.parent) return []
    const ofKind = places.map(place => placeOf(kind, place))
    return ofKind.every(({ objects }) => objects.length === 0) ? [] : [exportKind(kind, ofKind, options)]
  })
  return {
    files: exported.flatMap(({ files }) => files),
    leftOut: exported.flatMap(({ leftOut }) => leftOut),
    ignored: exported.flatMap(({ ignored }) => ignored),
  }
}

function placeOf(
  { name }: DeclarableKind,
  { objects, live, ...place }: LiveIn,
): Required<Omit<LiveIn, 'environment'>> & Pick<LiveIn, 'environment'> {
  const ofKind = objects.filter(one => one.kind === name)
  return { ...place, objects: ofKind, live: live?.filter(one => one.kind === name) ?? ofKind }
}

/** `feature_flags.yaml`; where one file is not enough, the next one is `feature_flags-2.yaml`. */
export function fileName(section: string, part = 0): string {
  return part === 0 ? `${section}.yaml` : `${section}-${part + 1}.yaml`
}

function exportKind(
  kind: DeclarableKind,
  places: readonly (Required<Omit<LiveIn, 'environment'>> & Pick<LiveIn, 'environment'>)[],
  options: EnvironmentOptions,
): Exported {
  const { folder = '', isTaken = () => false, fileOf = fileName, schema } = options
  const anywhere = new Set(places.flatMap(({ live }) => live.map(({ identity }) => identity)))
  const sources = sourcesIn(options.isOneText ? undefined : folder)
  const declared = places.flatMap(({ environment, objects, live }) =>
    nameObjects(objects, { live, anywhere, isTaken: name => isTaken(kind.name, name) }).map(named => ({
      ...named,
      ...(environment === undefined ? {} : { environment }),
      ...declarationOf(kind, named, { environment, sources, hasPlainTags: options.hasPlainTags === true }),
    })),
  )
  const byName = groupsOf(declared)
  const schemaFrom = schema ?? posix.relative(folder, declarationSchemaPath)
  const write = (isRaw: (name: string) => boolean) => {
    const entries = byName.flatMap(([name, all]) => entryOf(kind, name, all, options, isRaw(name)))
    return writeSection(kind.section, entries, schemaFrom)
  }
  const first = write(() => options.isRaw === true)
  // What a name or a value of the short form keeps from being read back may be written as filters.
  const { texts, unwritten } =
    first.unwritten.size === 0 || options.isRaw ? first : write(name => first.unwritten.has(name))
  const inFolder = folder === '' ? '' : `${folder}/`
  const usable = declared.filter(({ name, members }) => members && !unwritten.has(name))
  return {
    files: [
      ...texts.map((text, part) => ({ path: `${inFolder}${fileOf(kind.section, part)}`, text })),
      ...usable.flatMap(({ files }) => files),
    ],
    leftOut: declared.flatMap(({ environment, object, name, reason = unwritten.get(name) }) =>
      reason === undefined ? [] : [{ ...inEnvironment(environment), object, reason }],
    ),
    ignored: usable.flatMap(({ environment, object, ignore }) =>
      ignore.length === 0 ? [] : [{ ...inEnvironment(environment), object, places: ignore }],
    ),
  }
}

function inEnvironment(environment: string | undefined): { readonly environment?: string } {
  return environment === undefined ? {} : { environment }
}

interface Declaration {
  /** Undefined where there can be none. */
  readonly members?: JsonObject
  readonly unnamed?: JsonObject
  readonly reason?: string
  readonly files: readonly TextFile[]
  readonly ignore: readonly string[]
}

interface Declared extends Named, Declaration {
  readonly environment?: string
}

/** How the declaration of an object in one place is written. */
interface Writing {
  readonly environment: string | undefined
  readonly sources: Sources
  readonly hasPlainTags: boolean
}

function declarationOf(
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

/** The same fields, with `owner` and its like in place of their tags. Without other tags, none are declared. */
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

/** What is called the same in several environments is one declaration. */
function groupsOf(declared: readonly Declared[]): (readonly [name: string, all: readonly Declared[]])[] {
  const byName = new Map<string, Declared[]>()
  for (const one of declared) byName.set(one.name, [...(byName.get(one.name) ?? []), one])
  const isOnePlace = declared.every(({ environment }) => environment === undefined)
  return isOnePlace ? [...byName] : [...byName].sort(([left], [right]) => compareTexts(left, right))
}

function entryOf(
  kind: DeclarableKind,
  name: string,
  all: readonly Declared[],
  options: EnvironmentOptions,
  isRaw: boolean,
): Entry[] {
  const said = all.flatMap(({ environment, members, unnamed = {} }): MembersIn[] =>
    members ? [{ environment, members, unnamed }] : [],
  )
  if (said.length === 0) return []
  const { id, ...members } = mergeEnvironments(kind.name, said, isRaw)
  const only = limitsOf(kind, said, options)
  const whole = { ...(id === undefined ? {} : { id }), ...(only ? { only } : {}), ...members }
  return [{ name, members: escapeMembers(whole) }]
}

/** The environments that a declaration is limited to. */
function limitsOf(
  kind: DeclarableKind,
  said: readonly MembersIn[],
  { only, environments }: EnvironmentOptions,
): readonly string[] | undefined {
  if (environments === undefined)
    return said.some(({ members }) => members.id !== undefined) ? only?.(kind) : undefined
  const there = environments.filter(name => said.some(({ environment }) => environment === name))
  return there.length === environments.length ? undefined : there
}

type Sources = (object: ExportedObject, name: string, environment: string | undefined) => ExportedFiles

/** Gives the source files of objects: what two environments hold under one path is one file, or else there are two. */
function sourcesIn(folder: string | undefined): Sources {
  const written = new Map<string, string>()
  const isOther = ({ path, text }: TextFile) => (written.get(path) ?? text) !== text
  return (object, name, environment) => {
    const own = exportFiles(object, name, folder)
    const found = own.files.some(isOther) ? exportFiles(object, `${name} ${environment ?? ''}`, folder) : own
    // Two places can be so alike that no name tells them apart; then the text stands in the declaration.
    if (found.files.some(isOther)) return exportFiles(object, name, undefined)
    const fresh = found.files.filter(({ path }) => !written.has(path))
    for (const { path, text } of fresh) written.set(path, text)
    return { ...found, files: fresh }
  }
}

/** A list of roles, or a map to their levels where one is not what a list says. */
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

/** Source files stand there as they were escaped. */
function escapeMembers(members: JsonObject): JsonObject {
  const entries = Object.entries(members).map(([name, value]) => {
    if (name === 'source') return [name, value] as const
    const isOfPlaces = name === 'environments' && isJsonObject(value)
    return [name, isOfPlaces ? escapeOverrides(value) : escapeTexts(value)] as const
  })
  return Object.fromEntries(entries)
}

function escapeOverrides(overrides: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(overrides).map(([name, override]) => [
      name,
      isJsonObject(override) ? escapeMembers(override) : override,
    ]),
  )
}

function escapeTexts(value: Json): Json {
  if (typeof value === 'string') return escapeReferences(value)
  if (isJsonArray(value)) return value.map(escapeTexts)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, escapeTexts(member)]))
}

function numeric(id: string): Json {
  return /^[1-9]\d*$/.test(id) && Number.isSafeInteger(Number(id)) ? Number(id) : id
}
