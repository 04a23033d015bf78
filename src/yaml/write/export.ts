import { posix } from 'node:path'
import { declarableKind, declarableKinds } from '../../kinds/index.ts'
import { canonicalValue } from '../../model/canonical.ts'
import { type DeclarableKind, targetingField } from '../../model/kind.ts'
import { canonicalText, isJsonObject, type Json, type JsonObject } from '../../model/text/json.ts'
import { compareTexts } from '../../model/text/names.ts'
import { mostCommon } from '../../model/text/text-layout.ts'
import type { Naming } from '../../targeting/describe.ts'
import { sharedShort } from '../../targeting/short/write-short.ts'
import { fieldOrder } from '../declaration.ts'
import { escapeReferencesIn } from '../resolve/interpolate.ts'
import {
  type Declaration,
  declarationOf,
  type ExportedObject,
  type Named,
  nameObjects,
  sourcesIn,
  type TextFile,
} from './declaration-of.ts'
import { declarationSchemaPath } from './init.ts'
import {
  type Entry,
  labelOf,
  placeSections,
  type SectionText,
  type Split,
  writeSection,
} from './split-files.ts'

export interface ExportOptions {
  /** The folder for the files, relative to the repository. */
  readonly folder?: string
  /** Keeps source files inside the declarations, for YAML that must be a single text. */
  readonly isOneText?: boolean
  /** Names that the repository already uses; an exported object with such a name gets its id appended. */
  readonly isTaken?: (kind: string, name: string) => boolean
  /** How declarations are split into files; one file for each kind if absent. */
  readonly split?: Split
  /** The names of existing files. */
  readonly taken?: readonly string[]
  /** Tags that do not describe an object, such as the ownership tag: files are not named after them. */
  readonly plainTags?: readonly string[]
  /** The environments that an object with an id is limited to; undefined means all. */
  readonly only?: (kind: DeclarableKind) => readonly string[] | undefined
  /** Writes `filters` as in the service, not the short form. */
  readonly isRaw?: boolean
  /** Writes tags such as `owner:payments` as tags: declarations do not store `owner` in the service. */
  readonly hasPlainTags?: boolean
  /** The path of the schema from these files; if absent, it is derived from the folder. */
  readonly schema?: string
}

/** The live objects of one environment. */
export interface LiveIn {
  /** The name of the environment, if several are exported. */
  readonly environment?: string
  readonly objects: readonly ExportedObject[]
  /** All live objects, if more than the exported ones: a name that several of them have is ambiguous. */
  readonly live?: readonly Pick<ExportedObject, 'kind' | 'identity'>[]
  /** The names of cohorts and group types in this environment. */
  readonly naming?: Naming
}

/** A live object that cannot be declared. */
export interface LeftOut {
  readonly environment?: string
  readonly object: ExportedObject
  /** The reason, on one line. */
  readonly reason: string
}

/** A live object that is declared except for some places that no declaration takes; its `ignore` lists them. */
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

export interface EnvironmentOptions extends ExportOptions {
  /** The names of all environments: an object that one of them lacks is limited to the others. */
  readonly environments?: readonly string[]
}

/**
 * The state of one or several environments as declarations that plan no change in any of them: one file per
 * kind, and source files next to them. Fields with their default value are omitted, so the service keeps
 * them. Equal states give equal texts.
 */
export function exportEnvironments(places: readonly LiveIn[], options: EnvironmentOptions = {}): Exported {
  const { folder = '', split = 'none', taken = [] } = options
  const exported = declarableKinds.flatMap(kind => {
    if (kind.lifecycle.parent) return []
    const ofKind = places.map(place => placeOf(kind, place))
    return ofKind.every(({ objects }) => objects.length === 0) ? [] : [exportKind(kind, ofKind, options)]
  })
  const inFolder = (sections: readonly SectionText[]) =>
    placeSections(sections, taken).map(file => ({
      ...file,
      path: folder === '' ? file.path : `${folder}/${file.path}`,
    }))
  const files =
    split === 'none'
      ? exported.flatMap(({ sections, sourceFiles }) => [...inFolder(sections), ...sourceFiles])
      : [
          ...inFolder(exported.flatMap(({ sections }) => sections)),
          ...exported.flatMap(({ sourceFiles }) => sourceFiles),
        ]
  return {
    files,
    leftOut: exported.flatMap(({ leftOut }) => leftOut),
    ignored: exported.flatMap(({ ignored }) => ignored),
  }
}

interface ExportedKind extends Omit<Exported, 'files'> {
  readonly sections: readonly SectionText[]
  readonly sourceFiles: readonly TextFile[]
}

interface LiveOfKind extends LiveIn {
  readonly live: NonNullable<LiveIn['live']>
}

function placeOf({ name }: DeclarableKind, { objects, live, ...place }: LiveIn): LiveOfKind {
  const ofKind = objects.filter(one => one.kind === name)
  return { ...place, objects: ofKind, live: live?.filter(one => one.kind === name) ?? ofKind }
}

function exportKind(
  kind: DeclarableKind,
  places: readonly LiveOfKind[],
  options: EnvironmentOptions,
): ExportedKind {
  const { folder = '', isTaken = () => false, schema } = options
  const anywhere = new Set(places.flatMap(({ live }) => live.map(({ identity }) => identity)))
  const sources = sourcesIn(options.isOneText ? undefined : folder)
  const declared = places.flatMap(({ environment, naming, objects, live }) =>
    nameObjects(objects, { live, anywhere, isTaken: name => isTaken(kind.name, name) }).map(named => ({
      ...named,
      ...inEnvironment(environment),
      ...(naming ? { naming } : {}),
      ...declarationOf(kind, named, { environment, sources, hasPlainTags: options.hasPlainTags === true }),
    })),
  )
  const byName = groupsOf(declared)
  const schemaFrom = schema ?? posix.relative(folder, declarationSchemaPath)
  const write = (isRaw: (name: string) => boolean) => {
    const written = labelled(kind, byName, options).map(([label, groups]) => ({
      label,
      section: kind.section,
      ...writeSection(
        kind.section,
        groups.flatMap(([name, all]) => entryOf(kind, name, all, options, isRaw(name))),
        schemaFrom,
      ),
    }))
    const unwritten = new Map(written.flatMap(section => [...section.unwritten]))
    return { sections: written.filter(({ texts }) => texts.length > 0), unwritten }
  }
  const first = write(() => options.isRaw === true)
  // If a name or a value of the short form cannot be read back, the long form is written.
  const { sections, unwritten } =
    first.unwritten.size === 0 || options.isRaw ? first : write(name => first.unwritten.has(name))
  const usable = declared.filter(({ name, members }) => members && !unwritten.has(name))
  return {
    sections,
    sourceFiles: usable.flatMap(({ files }) => files),
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

interface Declared extends Named, Declaration {
  readonly environment?: string
  readonly naming?: Naming
}

type Group = readonly [name: string, all: readonly Declared[]]

/** The declarations of a kind by file, sorted by label. */
function labelled(
  kind: DeclarableKind,
  groups: readonly Group[],
  { split = 'none', plainTags = [] }: ExportOptions,
): (readonly [label: string, groups: readonly Group[]])[] {
  const byLabel = new Map<string, Group[]>()
  for (const group of groups) {
    const [name, all] = group
    const label = labelOf(kind, { name, objects: all.map(({ object }) => object) }, { split, plainTags })
    byLabel.set(label, [...(byLabel.get(label) ?? []), group])
  }
  return [...byLabel].sort(([left], [right]) => compareTexts(left, right))
}

/** Objects with the same name in several environments become one declaration. */
function groupsOf(declared: readonly Declared[]): Group[] {
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
  const written = all.flatMap(({ environment, naming, members, unnamed = {} }): MembersIn[] =>
    members ? [{ environment, naming, members, unnamed }] : [],
  )
  if (written.length === 0) return []
  const { id, ...members } = mergeEnvironments(kind.name, written, isRaw)
  const only = limitsOf(kind, written, options)
  const whole = { ...(id === undefined ? {} : { id }), ...(only ? { only } : {}), ...members }
  return [{ name, members: escapeMembers(whole) }]
}

/** The environments that a declaration is limited to. */
function limitsOf(
  kind: DeclarableKind,
  written: readonly MembersIn[],
  { only, environments }: EnvironmentOptions,
): readonly string[] | undefined {
  if (environments === undefined)
    return written.some(({ members }) => members.id !== undefined) ? only?.(kind) : undefined
  const there = environments.filter(name => written.some(({ environment }) => environment === name))
  return there.length === environments.length ? undefined : there
}

/** Source files are already escaped. */
function escapeMembers(members: JsonObject): JsonObject {
  const entries = Object.entries(members).map(([name, value]) => {
    if (name === 'source') return [name, value] as const
    const isOfPlaces = name === 'environments' && isJsonObject(value)
    return [name, isOfPlaces ? escapeOverrides(value) : escapeReferencesIn(value)] as const
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

/** The members that a declaration of an object needs in one environment. */
interface MembersIn {
  /** Undefined in a repository without environments. */
  readonly environment: string | undefined
  /** The names of cohorts and group types there; undefined if there are none. */
  readonly naming: Naming | undefined
  readonly members: JsonObject
  /** Members that may be omitted here, with their values, for use if other environments have them. */
  readonly unnamed: JsonObject
}

/**
 * One declaration of an object for the environments that have it. The shared part is what most of them have,
 * or the last of them if there is a tie; the others override it.
 *
 * | a member                            | the result                                         |
 * |-------------------------------------|----------------------------------------------------|
 * | of all, or with a default elsewhere | once, and as an override if it differs             |
 * | that some cannot name               | as an override in each of those that do            |
 * | filters                             | in the short form if all have one, or else in full |
 */
function mergeEnvironments(kindName: string, all: readonly MembersIn[], isRaw: boolean): JsonObject {
  const targeting = targetingField(declarableKind(kindName))
  const merging: Merging = { shared: {}, overrides: all.map(() => ({})) }
  for (const name of memberNames(kindName, all)) {
    if (name === targeting && !isRaw && mergeShortForms(name, all, merging)) continue
    mergeMember(kindName, name, all, merging)
  }
  const environments = all.flatMap(({ environment }, index) => {
    const override = merging.overrides[index] ?? {}
    return environment === undefined || Object.keys(override).length === 0 ? [] : [[environment, override]]
  })
  return environments.length === 0
    ? merging.shared
    : { ...merging.shared, environments: Object.fromEntries(environments) }
}

/** The names of all members, in the order of a declaration. */
function memberNames(kindName: string, all: readonly MembersIn[]): string[] {
  const known = ['id', ...fieldOrder(declarableKind(kindName))]
  const rank = (name: string) => (known.includes(name) ? known.indexOf(name) : known.length)
  const names = new Set(all.flatMap(({ members }) => Object.keys(members)))
  return [...names].sort((left, right) => rank(left) - rank(right))
}

interface Merging {
  readonly shared: Record<string, Json>
  readonly overrides: readonly Record<string, Json>[]
}

/** Writes the filters of all environments in the short form; returns whether that was possible. */
function mergeShortForms(name: string, all: readonly MembersIn[], { shared, overrides }: Merging): boolean {
  const filters = all.map(({ members }) => members[name])
  const namings = all.map(({ naming }) => naming)
  const given = filters.filter(each => each !== undefined)
  // Without the filters of one environment, a common short form is impossible.
  if (given.length < all.length) return false
  const found = sharedShort(given, namings)
  if (!found) return false
  Object.assign(shared, found.shared)
  for (const [index, override] of found.overrides.entries()) Object.assign(overrides[index] ?? {}, override)
  return true
}

function mergeMember(
  kindName: string,
  name: string,
  all: readonly MembersIn[],
  { shared, overrides }: Merging,
): void {
  const field = declarableKind(kindName).fields[name]
  const values = all.map(({ members, unnamed }) => members[name] ?? unnamed[name])
  const texts = values.map(value =>
    value === undefined ? '' : canonicalText(field ? canonicalValue(field, value) : value),
  )
  const [most = 0] = values.includes(undefined) ? [] : mostCommon(texts)
  const isShareable = !values.includes(undefined)
  const named = all.findIndex(
    ({ members }, index) => members[name] !== undefined && texts[index] === texts[most],
  )
  const value = isShareable ? all[named]?.members[name] : undefined
  if (value !== undefined) shared[name] = value
  for (const [index, { members }] of all.entries()) {
    const own = value === undefined ? members[name] : values[index]
    const override = overrides[index]
    if (override && own !== undefined && (value === undefined || texts[index] !== texts[most]))
      override[name] = own
  }
}
