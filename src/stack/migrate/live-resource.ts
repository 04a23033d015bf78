import { join } from 'node:path'
import type { Exportable } from '../../core/live.ts'
import { deepestExpression, type HclBlock, HclReader, Refusal } from '../../hcl/index.ts'
import type { BigNum } from '../../hcl/json.ts'
import { declarableKind, kindBelow } from '../../kinds/index.ts'
import { FileError, listFolder, readTextFile } from '../../model/files.ts'
import {
  type DeclarableKind,
  identityField,
  isTargeting,
  managedFields,
  targetingField,
} from '../../model/kind.ts'
import { deepestModule, largestFile } from '../../model/limits.ts'
import {
  canonicalText,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
} from '../../model/text/json.ts'
import { readJsonAsWritten, readJsonIfAny } from '../../model/text/json-text.ts'
import { compareTexts } from '../../model/text/names.ts'
import { segmentsOf } from '../../model/text/pointer.ts'
import { checkSourceNames } from '../../rules/check-object.ts'
import { typedImportId } from '../../schema/terraform/terraform-identity.ts'
import { parentAttribute, typeName } from '../../schema/terraform/terraform-names.ts'
import { wholeTyped } from '../../targeting/codec.ts'
import { attributeOf, partOf, type TypedPartName, typedAttributes } from '../../targeting/typed-form.ts'

/** A resource that equals a live object, so that it plans no change. */
export interface LiveResource {
  readonly kind: DeclarableKind
  readonly type: string
  readonly name: string
  readonly attributes: WrittenMembers
  /** Ignored attributes, because a configuration cannot express all of their live values. */
  readonly ignored: readonly string[]
  /** Set if the engine must not destroy it. */
  readonly isProtected?: boolean
  /** Omitted attributes, for the same reason, so that the service keeps their values. */
  readonly unnamed: readonly string[]
  readonly importId: string
  /** Set if it is moved with its state, so it is not imported. */
  readonly isMoved?: boolean
  /** Its object; for a grant, the object of its flag. */
  readonly object: Exportable
  readonly grant?: LiveGrant
}

/** The declaration of a live object, and the paths of fields that a declaration cannot express. */
export interface DeclaredObject {
  readonly object: Exportable
  readonly fields: JsonObject
  readonly ignore: readonly string[]
  /** Whether `filters` are written as in the service, not in the typed form. */
  readonly isRaw?: boolean
}

/** The resources of a live object, followed by its grants; or why this is impossible. */
export function liveResources(
  { object, fields, ignore, isRaw = false }: DeclaredObject,
  names: Naming,
): readonly LiveResource[] | { readonly reason: string } {
  const kind = declarableKind(object.kind)
  const ignored = [...new Set(ignore.flatMap(pointer => segmentsOf(pointer).slice(0, 1)))]
  const own = ownAttributes(object, fields, isRaw || ignored.length > 0)
  if (!isHeldAsWritten({ is: 'members', members: own.attributes }))
    return { reason: 'Terraform would change its texts: it stores characters in their composed Unicode form' }
  const name = names.ofObject(object)
  const type = typeName(kind.name)
  const importId = own.isTyped ? typedImportId(object.id) : object.id
  const { source } = own
  const unnamed = source === undefined && Object.keys(object.files ?? {}).length > 0 ? ['source'] : []
  const attributes = { ...own.attributes, ...(source === undefined ? {} : { source }) }
  return [
    { kind, type, name, attributes, ignored, unnamed, importId, object },
    ...grantsOf(object, names, { type, name }),
  ]
}

function ownAttributes(
  { kind: kindName, identity, files = {} }: Exportable,
  fields: JsonObject,
  isRaw: boolean,
): {
  readonly attributes: WrittenMembers
  readonly source?: WrittenValue
  readonly isTyped: boolean
} {
  const kind = declarableKind(kindName)
  let isTyped = false
  // The release goes last: it is the longest.
  const inOrder = [false, true].flatMap(isLast =>
    Object.entries(fields).filter(([name]) => isTargeting(kind, name) === isLast),
  )
  const entries = inOrder.flatMap(([name, value]): [string, WrittenValue][] => {
    const typed = isTargeting(kind, name) && !isRaw ? wholeTyped(value) : undefined
    if (!typed) return [[name, fieldValue(kind, name, value)]]
    isTyped = true
    return Object.entries(typedMembers('filters', typed))
  })
  const attributes: Record<string, WrittenValue> = {
    [identityField(kind)]: writtenOf(identity),
    ...Object.fromEntries(entries),
  }
  return { attributes, source: sourceOf(files), isTyped }
}

/** The same resource in a project that may differ from the provider's. */
export function inProject(resource: LiveResource, project: string | undefined): LiveResource {
  if (project === undefined) return resource
  const { kind, attributes, importId } = resource
  const owner = { [`${kind.scope}_id`]: writtenOf(project) }
  return { ...resource, attributes: { ...attributes, ...owner }, importId: `${project}/${importId}` }
}

/** The resource with the lifecycle of another: ignored attributes, by Vexil's names, and protection. */
export function withLifecycle(resource: LiveResource, lifecycle: Lifecycle | undefined): LiveResource {
  if (!lifecycle) return resource
  const ignored = lifecycle.ignored.flatMap(name => ignoredHere(resource.kind, name) ?? [])
  const isProtected = lifecycle.isProtected
  return { ...resource, ignored: [...new Set([...resource.ignored, ...ignored])], isProtected }
}

/** Vexil's name for an ignored attribute of another provider's resource; undefined if it has none. */
export function ignoredHere(kind: DeclarableKind, name: string): string | undefined {
  if (typedAttributes.some(each => each === name)) return targetingField(kind)
  return name === 'all' || managedFields(kind).includes(name) ? name : undefined
}

/** All files or none: a file that is no longer declared would be removed. */
function sourceOf(files: Readonly<Record<string, string>>): WrittenValue | undefined {
  const names = Object.keys(files).sort(compareTexts)
  if (names.length === 0 || checkSourceNames(names).length > 0) return undefined
  const source = writtenOf(Object.fromEntries(names.map(name => [name, files[name] ?? ''])))
  const isShort = names.every(name => Buffer.byteLength(files[name] ?? '') <= largestFile)
  return isShort && isHeldAsWritten(source) ? source : undefined
}

function fieldValue(kind: DeclarableKind, name: string, value: Json): WrittenValue {
  return kind.fields[name]?.type === 'json' ? jsonTextOf(value) : writtenOf(value)
}

/** The attributes of a part of the typed form that have a value. */
function typedMembers(part: TypedPartName, typed: JsonObject): WrittenMembers {
  const entries = Object.entries(typed).flatMap(([name, value]) =>
    value === null ? [] : [[name, typedValue(part, name, value)] as const],
  )
  return Object.fromEntries(entries)
}

function typedValue(part: TypedPartName, name: string, value: Json): WrittenValue {
  const attribute = attributeOf(part, name)
  const of = attribute && partOf(attribute)
  if (of && isJsonArray(value))
    return {
      is: 'list',
      elements: value.map(each =>
        isJsonObject(each) ? { is: 'members', members: typedMembers(of, each) } : writtenOf(each),
      ),
    }
  return attribute?.is === 'json' && typeof value === 'string' ? textOrJson(value) : writtenOf(value)
}

/** The resources of an object's grants. Without a resource for the object, they refer to it by its id. */
export function grantsOf(
  object: Exportable,
  names: Naming,
  parent?: Pick<LiveResource, 'type' | 'name'>,
): LiveResource[] {
  const kind = kindBelow(object.kind)
  const attribute = kind && parentAttribute(kind)
  if (!kind || attribute === undefined) return []
  const of: WrittenValue = parent
    ? { is: 'reference', to: { ...parent, attribute: 'id' } }
    : writtenOf(object.id)
  const grants = [...(object.grants ?? [])].sort((one, other) => compareTexts(one.id, other.id))
  return grants.map(grant => ({
    kind,
    type: typeName(kind.name),
    name: names.ofGrant(kind.name, object, grant, parent?.name ?? object.identity),
    attributes: { [attribute]: of, ...grantAttributes(kind, grant) },
    ignored: [],
    unnamed: [],
    // A key with only digits would be treated as an id.
    importId: `${/^\d+$/.test(object.identity) ? object.id : object.identity}/${grant.id}`,
    ...{ object, grant },
  }))
}

function grantAttributes(kind: DeclarableKind, { id, level }: LiveGrant): WrittenMembers {
  const field = kind.lifecycle.levels?.field ?? ''
  const isAssumed = level === undefined || level === kind.fields[field]?.assumed
  return { [identityField(kind)]: writtenOf(id), ...(isAssumed ? {} : { [field]: writtenOf(level) }) }
}

export type LiveGrant = NonNullable<Exportable['grants']>[number]

export interface Naming {
  ofObject(object: Exportable): string
  /** `parentName` is the name of the flag's resource. */
  ofGrant(kind: string, object: Exportable, grant: LiveGrant, parentName: string): string
}

/**
 * The names of resources in one configuration: the object's name in small letters, digits and underscores. If
 * two names would be equal, the id is added to the later one.
 */
export class ResourceNames implements Naming {
  readonly #taken = new Set<string>()

  ofObject({ kind, identity, id }: Exportable): string {
    return this.give(kind, identity, id)
  }

  ofGrant(kind: string, _: Exportable, { id, name = id.slice(-12) }: LiveGrant, parentName: string): string {
    return this.give(kind, `${parentName}_${name}`, id)
  }

  /** A unique name for an object of a kind. */
  give(kind: string, identity: string, id: string): string {
    const base = identifierOf(kind, identity)
    let name = base
    for (let tries = 0; this.#taken.has(`${kind}.${name}`); tries++)
      name = `${base}_${identifierPart(id)}${tries === 0 ? '' : `_${tries}`}`
    this.#taken.add(`${kind}.${name}`)
    return name
  }

  /** Reserves a name that is already used. */
  keep(kind: string, name: string): void {
    this.#taken.add(`${kind}.${name}`)
  }
}

function identifierOf(kind: string, identity: string): string {
  const part = identifierPart(identity)
  return /^[a-z]/.test(part) ? part : `${identifierPart(declarableKind(kind).title)}_${part}`
}

function identifierPart(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
}

/** A value of a configuration, not yet in the syntax of a language. */
export type WrittenValue =
  | { readonly is: 'value'; readonly value: null | string | boolean | number | BigNum }
  | { readonly is: 'list'; readonly elements: readonly WrittenValue[] }
  /** An object or a map: its names are Vexil's attributes, or any text. */
  | { readonly is: 'members'; readonly members: WrittenMembers }
  /** The text of JSON. */
  | { readonly is: 'json'; readonly json: Json }
  /** An attribute of another resource. */
  | { readonly is: 'reference'; readonly to: WrittenReference }
  /** Plain words: the address of a resource, or the name of an attribute. */
  | { readonly is: 'address'; readonly text: string }

export type WrittenMembers = Readonly<Record<string, WrittenValue>>

export interface WrittenReference {
  readonly type: string
  readonly name: string
  readonly attribute: string
}

/** JSON as a value of the language. */
export function writtenOf(json: Json): WrittenValue {
  if (isJsonArray(json)) return { is: 'list', elements: json.map(writtenOf) }
  if (!isJsonObject(json)) return { is: 'value', value: json }
  const members = Object.entries(json).map(([name, member]) => [name, writtenOf(member)] as const)
  return { is: 'members', members: Object.fromEntries(members) }
}

/** JSON as text for an attribute: generated from values, or the text itself if values would change it. */
export function jsonTextOf(json: Json): WrittenValue {
  return isKept(json) ? { is: 'json', json } : { is: 'value', value: canonicalText(json) }
}

/** JSON text as values, with each number as written in the text. */
export function textOrJson(text: string): WrittenValue {
  const json = readJsonIfAny(text)
  const isPlain = json !== undefined && canonicalText(json) === canonicalText(readJsonAsWritten(text))
  return isPlain ? jsonTextOf(json) : { is: 'value', value: text }
}

/** Whether Terraform makes the same JSON from values: it limits numbers to some 150 digits, and the depth. */
function isKept(json: Json, levels = deepestExpression / 2): boolean {
  if (isJsonArray(json) || isJsonObject(json))
    return levels > 0 && Object.values(json).every(member => isKept(member, levels - 1))
  if (json === null || typeof json === 'string' || typeof json === 'boolean') return true
  const text = canonicalText(json)
  const [, digits = '', exponent = '0'] = /^-?([\d.]+)(?:[eE]([+-]?\d+))?$/.exec(text) ?? []
  return digits.length <= 100 && Math.abs(Number(exponent)) <= 100
}

/** Whether Terraform keeps all texts of a value unchanged: it normalizes composed characters. */
export function isHeldAsWritten(value: WrittenValue): boolean {
  switch (value.is) {
    case 'value':
      return typeof value.value !== 'string' || isTextHeld(value.value)
    case 'list':
      return value.elements.every(isHeldAsWritten)
    case 'members':
      return Object.entries(value.members).every(
        ([name, member]) => isTextHeld(name) && isHeldAsWritten(member),
      )
    case 'json':
      return isHeldAsWritten(writtenOf(value.json))
    case 'reference':
    case 'address':
      return true
  }
}

function isTextHeld(text: string): boolean {
  return text.normalize('NFC') === text && !/\p{Surrogate}/u.test(text)
}

/** The lifecycle settings of a resource in the engine's configuration. States do not contain them. */
export interface Lifecycle {
  readonly isProtected: boolean
  /** The attributes under `ignore_changes`, or `all`. */
  readonly ignored: readonly string[]
  /** The names of its other settings. */
  readonly others: readonly string[]
}

type Lifecycles = ReadonlyMap<string, Lifecycle>

/** The lifecycles in a folder and its local modules, by address without keys. Unreadable files have none. */
export async function readLifecycles(
  folder: string,
  prefix = '',
  levels = deepestModule,
): Promise<Lifecycles> {
  const found = new Map<string, Lifecycle>()
  const names = await listFolder(folder).catch(unlessFile<readonly string[]>([]))
  for (const name of names.filter(each => each.endsWith('.tf'))) {
    const text = await readTextFile(join(folder, name), largestFile).catch(unlessFile(''))
    for (const [block, readValue] of blocksIn(text)) {
      const { type, labels } = block
      const source = readValue(block, 'source')
      if (type === 'resource') found.set(`${prefix}${labels.join('.')}`, lifecycleOf(block, readValue))
      if (type !== 'module' || !/^\.\.?\//.test(source) || levels === 0) continue
      const below = await readLifecycles(join(folder, source), `${prefix}module.${labels[0]}.`, levels - 1)
      for (const [address, lifecycle] of below) found.set(address, lifecycle)
    }
  }
  return found
}

/** The source text of a block's attribute, without quotes and brackets; empty if absent. */
type ReadValue = (block: HclBlock, name: string) => string

function blocksIn(text: string): [HclBlock, ReadValue][] {
  const reader = new HclReader(text)
  const readValue: ReadValue = ({ body }, name) => {
    const found = body.attributes.find(attribute => attribute.name === name)
    return found ? reader.textOf(found.expression).replace(/["\s]|^\[|\]$/g, '') : ''
  }
  try {
    return reader.file().blocks.map(block => [block, readValue])
  } catch (error) {
    if (error instanceof Refusal) return []
    throw error
  }
}

function lifecycleOf({ body }: HclBlock, readValue: ReadValue): Lifecycle {
  const own = body.blocks.filter(({ type }) => type === 'lifecycle')
  const names = own.flatMap(({ body: { attributes, blocks } }) => [
    ...attributes.map(({ name }) => name),
    ...blocks.map(({ type }) => type),
  ])
  return {
    isProtected: own.some(block => readValue(block, 'prevent_destroy') === 'true'),
    ignored: own.flatMap(block => readValue(block, 'ignore_changes').split(',')).filter(name => name !== ''),
    others: names.filter(name => name !== 'prevent_destroy' && name !== 'ignore_changes'),
  }
}

function unlessFile<T>(instead: T): (error: unknown) => T {
  return error => {
    if (error instanceof FileError) return instead
    throw error
  }
}
