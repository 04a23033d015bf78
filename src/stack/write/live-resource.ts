import type { Exportable } from '../../core/live.ts'
import { declarableKind, kindBelow } from '../../kinds/index.ts'
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../model/json/json.ts'
import { segmentsOf } from '../../model/json/pointer.ts'
import {
  type DeclarableKind,
  identityField,
  isTargeting,
  managedFields,
  targetingField,
} from '../../model/kind.ts'
import { largestFile } from '../../model/limits.ts'
import { compareTexts } from '../../model/text/compare-texts.ts'
import { checkSourceNames } from '../../rules/check-object.ts'
import { typedImportId } from '../../schema/terraform/terraform-identity.ts'
import { parentAttribute, typeName } from '../../schema/terraform/terraform-names.ts'
import { wholeTyped } from '../../targeting/codec.ts'
import { attributeOf, partOf, type TypedPartName, typedAttributes } from '../../targeting/typed-form.ts'
import type { Lifecycle } from '../state/read-lifecycles.ts'
import type { LiveGrant, Naming } from './resource-names.ts'
import {
  isHeldAsWritten,
  jsonTextOf,
  textOrJson,
  type WrittenMembers,
  type WrittenValue,
  writtenOf,
} from './written-value.ts'

/** A resource that is what a live object is, and plans nothing. */
export interface LiveResource {
  readonly kind: DeclarableKind
  readonly type: string
  readonly name: string
  readonly attributes: WrittenMembers
  /** Attributes that are left to the service, since no configuration takes all that is live in them. */
  readonly ignored: readonly string[]
  /** Set for one that the engine may not destroy. */
  readonly isProtected?: boolean
  /** Attributes that are not named for the same reason, which leaves them to the service as well. */
  readonly unnamed: readonly string[]
  readonly importId: string
  /** Set for one that is moved with its state, and so not imported. */
  readonly isMoved?: boolean
  /** The object that it is; a grant has that of its flag. */
  readonly object: Exportable
  readonly grant?: LiveGrant
}

/** What a declaration says of a live object, and the places in its fields that none can. */
export interface DeclaredObject {
  readonly object: Exportable
  readonly fields: JsonObject
  readonly ignore: readonly string[]
  /** Whether `filters` are written as the service has them, in place of the typed form. */
  readonly isRaw?: boolean
}

/** The resources of a live object, its grants behind it; or why there can be none. */
export function liveResources(
  { object, fields, ignore, isRaw = false }: DeclaredObject,
  names: Naming,
): readonly LiveResource[] | { readonly reason: string } {
  const kind = declarableKind(object.kind)
  const ignored = [...new Set(ignore.flatMap(pointer => segmentsOf(pointer).slice(0, 1)))]
  const own = ownAttributes(object, fields, isRaw || ignored.length > 0)
  if (!isHeldAsWritten({ is: 'members', members: own.attributes }))
    return { reason: 'Terraform would change its texts: it keeps one spelling of each letter with a mark' }
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
  // Who gets it goes last: it is the longest.
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

/** The same resource in another project than that of the provider. */
export function inProject(resource: LiveResource, project: string | undefined): LiveResource {
  if (project === undefined) return resource
  const { kind, attributes, importId } = resource
  const owner = { [`${kind.scope}_id`]: writtenOf(project) }
  return { ...resource, attributes: { ...attributes, ...owner }, importId: `${project}/${importId}` }
}

/** The same resource with the lifecycle of another one: what it ignores by the names of that one, and whether it is protected. */
export function withLifecycle(resource: LiveResource, lifecycle: Lifecycle | undefined): LiveResource {
  if (!lifecycle) return resource
  const ignored = lifecycle.ignored.flatMap(name => ignoredHere(resource.kind, name) ?? [])
  const isProtected = lifecycle.isProtected
  return { ...resource, ignored: [...new Set([...resource.ignored, ...ignored])], isProtected }
}

/** An ignored attribute of another provider's resource by our name; undefined where we have none. */
export function ignoredHere(kind: DeclarableKind, name: string): string | undefined {
  if (typedAttributes.some(each => each === name)) return targetingField(kind)
  return name === 'all' || managedFields(kind).includes(name) ? name : undefined
}

/** All files or none: one that is not named any more is removed. */
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

/** The attributes of a part of the typed form that say something. */
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

/** The resources of an object's grants; without a resource of the object itself, they name it by its id. */
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
    // A key of digits alone would be taken for an id.
    importId: `${/^\d+$/.test(object.identity) ? object.id : object.identity}/${grant.id}`,
    ...{ object, grant },
  }))
}

function grantAttributes(kind: DeclarableKind, { id, level }: LiveGrant): WrittenMembers {
  const field = kind.lifecycle.levels?.field ?? ''
  const isAssumed = level === undefined || level === kind.fields[field]?.assumed
  return { [identityField(kind)]: writtenOf(id), ...(isAssumed ? {} : { [field]: writtenOf(level) }) }
}
