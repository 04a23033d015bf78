import { posix } from 'node:path'
import { nameWithId } from '../core/name-with-id.ts'
import { declarableKind, declarableKinds } from '../kinds/index.ts'
import { canonicalValue } from '../model/canonical.ts'
import { isJsonArray, isJsonObject, isSameJson, type Json, type JsonObject } from '../model/json.ts'
import { type DeclarableKind, identityField, managedFields } from '../model/kind.ts'
import { exportFiles } from './export-files.ts'
import { escapeReferences } from './interpolate.ts'
import { declarationSchemaPath } from './schema-path.ts'
import { tidyFilters } from './tidy-filters.ts'
import { writeYaml } from './write-yaml.ts'

/** An object of the service, as it was read. */
export interface ExportedObject {
  readonly kind: string
  readonly identity: string
  readonly id: string
  /** The managed fields. */
  readonly fields: JsonObject
  /** The roles that hold a grant, by name or UUID; undefined when nobody looked. */
  readonly grants?: readonly string[]
  /** Source files, by name. */
  readonly files?: Readonly<Record<string, string>>
}

export interface ExportOptions {
  /** The folder that the files go to, relative to the repository. */
  readonly folder?: string
  /** Keeps source files inside the declarations, where the YAML has to stand alone. */
  readonly isOneText?: boolean
  /** Names that the repository has given already; what is exported under one of them is told apart by its id. */
  readonly isTaken?: (kind: string, name: string) => boolean
  /** The file of a section, without its folder. */
  readonly fileOf?: (section: string) => string
  /** Where the schema is, seen from these files; without it, where it is from the folder. */
  readonly schema?: string
}

/** A file to be written, relative to the repository. */
export interface TextFile {
  readonly path: string
  readonly text: string
}

/**
 * Live state as declarations: one file per kind, and source files beside them. Read back, it plans nothing. Fields
 * at their default are left out and so stay with the service; the same state always gives the same text.
 */
export function exportYaml(objects: readonly ExportedObject[], options: ExportOptions = {}): TextFile[] {
  return declarableKinds.flatMap(kind => {
    if (kind.lifecycle.parent) return []
    const ofKind = objects.filter(one => one.kind === kind.name).sort(byIdentity)
    return ofKind.length === 0 ? [] : exportKind(kind, ofKind, options)
  })
}

/** `feature_flags.yaml`. */
export function fileName(section: string): string {
  return `${section}.yaml`
}

function exportKind(
  kind: DeclarableKind,
  objects: readonly ExportedObject[],
  { folder = '', isOneText = false, isTaken = () => false, fileOf = fileName, schema }: ExportOptions,
): TextFile[] {
  const usable = objects.filter(({ identity }) => !unusable.has(identity))
  const files: TextFile[] = []
  const section: Record<string, Json> = {}
  for (const { object, name, isAmbiguous } of nameObjects(usable, name => isTaken(kind.name, name))) {
    const sources = exportFiles(object, name, isOneText ? undefined : folder)
    files.push(...sources.files)
    section[name] = {
      ...(isAmbiguous ? { id: numeric(object.id) } : {}),
      ...declaredFields(object),
      ...(object.grants?.length ? { role_access: [...new Set(object.grants)].sort() } : {}),
      ...(sources.source ? { source: sources.source } : {}),
    }
  }
  const leftOut = objects.filter(({ identity }) => unusable.has(identity))
  const comments = leftOut.map(({ identity }) => `left out: "${identity}" cannot be a name in a declaration`)
  const path = `${folder === '' ? '' : `${folder}/`}${fileOf(kind.section)}`
  const schemaFrom = schema ?? posix.relative(folder, declarationSchemaPath)
  return [{ path, text: writeYaml({ [kind.section]: section }, schemaFrom, comments) }, ...files]
}

/** Names that a YAML file is not allowed to have as keys. */
const unusable = new Set(['__proto__', 'constructor', 'prototype', ''])

interface Named {
  readonly object: ExportedObject
  readonly name: string
  readonly isAmbiguous: boolean
}

/** What each object is called: its identity. Where several share it, an id tells them apart. */
function nameObjects(objects: readonly ExportedObject[], isTaken: (name: string) => boolean): Named[] {
  const count = new Map<string, number>()
  for (const { identity } of objects) count.set(identity, (count.get(identity) ?? 0) + 1)
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

function declaredFields({ kind: kindName, fields }: ExportedObject): JsonObject {
  const kind = declarableKind(kindName)
  const identity = identityField(kind)
  const names = managedFields(kind).filter(name => name !== identity && fields[name] !== undefined)
  const entries = names.flatMap(name => {
    const written = writtenValue(kind, name, fields[name] ?? null)
    return written === undefined ? [] : [[name, escapeTexts(written)] as const]
  })
  return Object.fromEntries(entries)
}

/** Undefined for a value at its default. What decides who gets a flag is always written. */
function writtenValue(kind: DeclarableKind, name: string, value: Json): Json | undefined {
  const field = kind.fields[name]
  if (!field) return undefined
  if (kind.name === 'feature_flag' && name === 'filters') return tidyFilters(value, field.foreign ?? [])
  const canonical = canonicalValue(field, value)
  return isSameJson(canonical, canonicalValue(field, null)) ? undefined : canonical
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
  if (left.identity !== right.identity) return left.identity < right.identity ? -1 : 1
  return left.id.length - right.id.length || (left.id < right.id ? -1 : 1)
}
