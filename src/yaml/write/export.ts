import { posix } from 'node:path'
import { nameWithId } from '../../core/name-with-id.ts'
import { declarableKind, declarableKinds, kindBelow } from '../../kinds/index.ts'
import { isEmptyJson, isJsonArray, isJsonObject, type Json, type JsonObject } from '../../model/json/json.ts'
import { type DeclarableKind, targetingField } from '../../model/kind.ts'
import { compareTexts } from '../../model/text/compare-texts.ts'
import { splitTags } from '../../rules/check-tag-member.ts'
import { shortOf } from '../../targeting/short/write-short.ts'
import { escapeReferences } from '../resolve/interpolate.ts'
import { asDeclared } from './as-declared.ts'
import { exportFiles } from './export-files.ts'
import type { ExportedGrant, ExportedObject, TextFile } from './exported-object.ts'
import { declarationSchemaPath } from './init.ts'
import { writeSection } from './write-section.ts'

export interface ExportOptions {
  /** The folder that the files go to, relative to the repository. */
  readonly folder?: string
  /** Keeps source files inside the declarations, where the YAML has to stand alone. */
  readonly isOneText?: boolean
  /** Everything that is live, where that is more than what is exported: a name that several have says nothing alone. */
  readonly live?: readonly Pick<ExportedObject, 'kind' | 'identity'>[]
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

/** A live object that no declaration can be written of. */
export interface LeftOut {
  readonly object: ExportedObject
  /** Why, on one line. */
  readonly reason: string
}

/** A live object that is declared but for places that no declaration takes; they stand under its `ignore`. */
export interface Ignored {
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
export function exportYaml(objects: readonly ExportedObject[], options: ExportOptions = {}): Exported {
  const exported = declarableKinds.flatMap(kind => {
    if (kind.lifecycle.parent) return []
    const ofKind = objects.filter(one => one.kind === kind.name).sort(byIdentity)
    return ofKind.length === 0 ? [] : [exportKind(kind, ofKind, options)]
  })
  return {
    files: exported.flatMap(({ files }) => files),
    leftOut: exported.flatMap(({ leftOut }) => leftOut),
    ignored: exported.flatMap(({ ignored }) => ignored),
  }
}

/** `feature_flags.yaml`; where one file is not enough, the next one is `feature_flags-2.yaml`. */
export function fileName(section: string, part = 0): string {
  return part === 0 ? `${section}.yaml` : `${section}-${part + 1}.yaml`
}

function exportKind(
  kind: DeclarableKind,
  objects: readonly ExportedObject[],
  options: ExportOptions,
): Exported {
  const { folder = '', isOneText = false, isTaken = () => false, fileOf = fileName, schema } = options
  const only = options.only?.(kind)
  const live = options.live?.filter(one => one.kind === kind.name) ?? objects
  const named = nameObjects(objects, live, name => isTaken(kind.name, name))
  const schemaFrom = schema ?? posix.relative(folder, declarationSchemaPath)
  const write = (isRaw: (name: string) => boolean) => {
    const declared = named.map(one => ({
      ...one,
      ...declarationOf(one, {
        folder: isOneText ? undefined : folder,
        only,
        isRaw: isRaw(one.name),
        hasPlainTags: options.hasPlainTags === true,
      }),
    }))
    const entries = declared.flatMap(({ name, members }) => (members ? [{ name, members }] : []))
    return { declared, ...writeSection(kind.section, entries, schemaFrom) }
  }
  const first = write(() => options.isRaw === true)
  // What a name or a value of the short form keeps from being read back may be written as filters.
  const { declared, texts, unwritten } =
    first.unwritten.size === 0 || options.isRaw ? first : write(name => first.unwritten.has(name))
  const inFolder = folder === '' ? '' : `${folder}/`
  const usable = declared.filter(({ name, members }) => members && !unwritten.has(name))
  return {
    files: [
      ...texts.map((text, part) => ({ path: `${inFolder}${fileOf(kind.section, part)}`, text })),
      ...usable.flatMap(({ files }) => files),
    ],
    leftOut: declared.flatMap(({ object, name, reason = unwritten.get(name) }) =>
      reason === undefined ? [] : [{ object, reason }],
    ),
    ignored: usable.flatMap(({ object, ignore }) =>
      ignore.length === 0 ? [] : [{ object, places: ignore }],
    ),
  }
}

interface Declaration {
  /** Undefined where there can be none. */
  readonly members?: JsonObject
  readonly reason?: string
  readonly files: readonly TextFile[]
  readonly ignore: readonly string[]
}

/** How one declaration is written. */
interface Writing {
  readonly folder: string | undefined
  readonly only: readonly string[] | undefined
  readonly isRaw: boolean
  readonly hasPlainTags: boolean
}

function declarationOf(
  { object, name, isAmbiguous }: Named,
  { folder, only, isRaw, hasPlainTags }: Writing,
): Declaration {
  const declared = asDeclared(object)
  if ('reason' in declared) return { ...declared, files: [], ignore: [] }
  const sources = exportFiles(object, name, folder)
  const members: JsonObject = {
    ...(isAmbiguous ? { id: numeric(object.id), ...(only ? { only } : {}) } : {}),
    ...writtenFields(object.kind, declared.fields, { isRaw, hasPlainTags }),
    ...(object.grants?.length ? { role_access: roleAccess(object.kind, object.grants) } : {}),
    ...(declared.ignore.length > 0 ? { ignore: declared.ignore } : {}),
  }
  return {
    members: {
      ...Object.fromEntries(Object.entries(members).map(([field, value]) => [field, escapeTexts(value)])),
      ...(sources.source ? { source: sources.source } : {}),
    },
    files: sources.files,
    ignore: declared.ignore,
  }
}

function writtenFields(
  kind: string,
  fields: JsonObject,
  { isRaw, hasPlainTags }: Pick<Writing, 'isRaw' | 'hasPlainTags'>,
): JsonObject {
  const said = isRaw ? fields : inShortForm(kind, fields)
  return hasPlainTags ? said : withTagMembers(kind, said)
}

/** The same fields, with `owner` and its like in place of their tags. Without other tags, none are declared. */
function withTagMembers(kindName: string, fields: JsonObject): JsonObject {
  const kind = declarableKind(kindName)
  const { ownedBy } = kind.lifecycle
  if (ownedBy === undefined || fields[ownedBy] === undefined) return fields
  const { members, tags } = splitTags(kind, fields[ownedBy])
  const { [ownedBy]: _, ...others } = fields
  return { ...(isEmptyJson(tags) ? others : { ...fields, [ownedBy]: tags }), ...members }
}

/** The same fields, with the short form in place of filters that have one. */
function inShortForm(kindName: string, fields: JsonObject): JsonObject {
  const field = targetingField(declarableKind(kindName))
  const short = field === undefined ? undefined : shortOf(fields[field] ?? null)
  if (!short) return fields
  const entries = Object.entries(fields).flatMap(([name, value]) =>
    name === field ? Object.entries(short) : [[name, value] as const],
  )
  return Object.fromEntries(entries)
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

interface Named {
  readonly object: ExportedObject
  readonly name: string
  readonly isAmbiguous: boolean
}

/** What each object is called: its identity. Where several share it, an id tells them apart. */
function nameObjects(
  objects: readonly ExportedObject[],
  live: readonly Pick<ExportedObject, 'identity'>[],
  isTaken: (name: string) => boolean,
): Named[] {
  const count = new Map<string, number>()
  for (const { identity } of live) count.set(identity, (count.get(identity) ?? 0) + 1)
  const taken = new Set(count.keys())
  const first = new Set<string>()
  return objects.map(object => {
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

function escapeTexts(value: Json): Json {
  if (typeof value === 'string') return escapeReferences(value)
  if (isJsonArray(value)) return value.map(escapeTexts)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, escapeTexts(member)]))
}

function numeric(id: string): Json {
  return /^[1-9]\d*$/.test(id) && Number.isSafeInteger(Number(id)) ? Number(id) : id
}

function byIdentity(left: ExportedObject, right: ExportedObject): number {
  return (
    compareTexts(left.identity, right.identity) ||
    left.id.length - right.id.length ||
    compareTexts(left.id, right.id)
  )
}
