import { canonicalIdentity, identityKey, type Live } from '../../core/live.ts'
import { numberText } from '../../hcl/json.ts'
import { mapMembers, memberOf, type ObjectValue, type Value } from '../../hcl/values.ts'
import { declarableKind } from '../../kinds/index.ts'
import {
  type DeclarableKind,
  hasTargeting,
  type IdentifiedKind,
  identityField,
  targetingField,
} from '../../model/kind.ts'
import { canonicalText, isJsonArray, isJsonNumber, isJsonObject, type Json } from '../../model/text/json.ts'
import { isUuid } from '../../model/text/json-shape.ts'
import { givenTyped, type TerraformAttribute } from '../../schema/terraform/terraform-attribute.ts'
import { parentNameAttribute } from '../../schema/terraform/terraform-data-sources.ts'
import { typedImportId, withoutTypedMark } from '../../schema/terraform/terraform-identity.ts'
import { parentAttribute, typesElsewhere } from '../../schema/terraform/terraform-names.ts'
import { resourceBlock } from '../../schema/terraform/terraform-schema.ts'
import { wholeTyped } from '../../targeting/codec.ts'
import { DiagnosticError, errorDiagnostic, type ImportAnswer, type MoveSource } from '../provider.ts'
import type { Session } from '../session.ts'
import { notNamed } from './check-config.ts'
import { nothingRemembered, remember } from './remembered.ts'
import {
  contextOf,
  findById,
  findHeldById,
  findShadowed,
  grantsOf,
  ownerAttribute,
  parentValue,
  type ResourceContext,
  textOf,
  withoutManagedElsewhere,
} from './resource-context.ts'

/**
 * Finds the object to import, by id or by name. It is in the provider's project or organization or, with
 * `project/...`, in another one. A grant is named `flag/role`. A suffix after the id of a flag imports it in
 * the typed form, for a configuration in that form.
 */
export async function importObject(
  kind: DeclarableKind,
  session: Session,
  id: string,
  signal: AbortSignal,
): Promise<ImportAnswer> {
  const unmarked = withoutTypedMark(kind, id)
  for (const isTyped of unmarked === undefined ? [false] : [false, true]) {
    for (const { owner, path } of readings(kind, session, isTyped ? (unmarked ?? id) : id)) {
      const run = session.open(kind, owner)
      const context = { kind, session, run, signal }
      const found = await findAt(context, path)
      if (found) return imported(context, { ...found, isTyped })
    }
  }
  const deleted = await findDeleted(kind, session, unmarked ?? id, signal)
  if (deleted)
    throw new DiagnosticError(
      errorDiagnostic(
        `the ${kind.title} "${deleted.identity}" (id ${deleted.id}) is soft-deleted`,
        'It cannot be imported. To restore it with the same id, apply a resource with its name, or restore it in the product first.',
      ),
    )
  throw new DiagnosticError(
    errorDiagnostic(
      `there is no ${kind.title} "${id}" to import`,
      `Write the id as ${forms(kind)}.${typedHint(kind, id)}`,
    ),
  )
}

/** Finds the object of an identity, which may lack the id or the name. */
export async function importByIdentity(
  kind: DeclarableKind,
  session: Session,
  identity: ObjectValue,
  signal: AbortSignal,
): Promise<ImportAnswer> {
  const context = contextOf(kind, session, identity, signal)
  if (!kind.lifecycle.parent) return imported(context, { live: await findNamed(context, identity) })
  const field = identityField(kind)
  const wanted = canonicalIdentity(kind, textOf(memberOf(identity, field)) ?? '')
  const { parentId, all } = await findBelow(context, identity)
  const live = all.find(each => each.identity === wanted)
  if (live) return imported(context, { live, parentId })
  throw new DiagnosticError(
    errorDiagnostic(`there is no ${kind.title} "${wanted}" to import`, undefined, [field]),
  )
}

/** Returns enough of a state for a read to find the rest. */
export function imported(
  { kind, run }: ResourceContext,
  { live, parentId, isTyped = false }: Found,
): ImportAnswer {
  const { projectId, organizationId } = run.client.target
  return {
    state: {
      id: live.id,
      [identityField(kind)]: live.identity,
      [ownerAttribute(kind)]: (kind.scope === 'project' ? projectId : organizationId) ?? null,
      ...parentValue({ kind, parentId }),
      ...(isTyped ? typedValues(kind, live) : {}),
    },
    private: remember({ ...nothingRemembered, isNew: true }),
  }
}

/** The live filters in the typed form, if that form can express all of them. A read keeps the form. */
function typedValues(kind: DeclarableKind, { record }: Live): ObjectValue {
  const field = targetingField(kind)
  if (field === undefined) return {}
  return wholeTyped(withoutManagedElsewhere(kind, field, record[field] ?? null)) ?? {}
}

/** The soft-deleted objects with this id or name. */
async function findDeleted(
  kind: DeclarableKind,
  session: Session,
  id: string,
  signal: AbortSignal,
): Promise<Live | undefined> {
  if (kind.lifecycle.softDelete === undefined) return undefined
  for (const { owner, path } of readings(kind, session, id)) {
    const context = { kind, session, run: session.open(kind, owner), signal }
    const held = /^\d+$/.test(path) ? await findHeldById(context, path) : undefined
    if (held?.isSoftDeleted) return held
    const shadowed = await findShadowed(context)(kind, path)
    if (shadowed?.is === 'deleted') return shadowed.live
  }
  return undefined
}

interface Reading {
  readonly owner: string | null
  readonly path: string
}

/** The possible meanings of an id, most likely first. Names may contain slashes too. */
function readings(kind: DeclarableKind, session: Session, id: string): Reading[] {
  const slash = id.indexOf('/')
  const plain: Reading[] =
    typeof session.defaultOwner(kind.scope) === 'string' ? [{ owner: null, path: id }] : []
  if (slash <= 0) return plain.length > 0 ? plain : [{ owner: null, path: id }]
  const [head, rest] = [id.slice(0, slash), id.slice(slash + 1)]
  const isWhole = kind.lifecycle.parent === undefined || rest.includes('/')
  const scoped = rest !== '' && isWhole ? [{ owner: head, path: rest }] : []
  return looksLikeOwner(head) && kind.lifecycle.parent === undefined
    ? [...scoped, ...plain]
    : [...plain, ...scoped]
}

function looksLikeOwner(text: string): boolean {
  return /^\d+$/.test(text) || isUuid(text)
}

/** The object to import. */
export interface Found {
  readonly live: Live
  readonly parentId?: string
  /** Whether to import it in the typed form. */
  readonly isTyped?: boolean
}

async function findAt(context: ResourceContext, path: string): Promise<Found | undefined> {
  const { kind } = context
  if (kind.lifecycle.parent) return findGrant(context, path)
  const live = await findOne(context, path)
  return live && { live }
}

/** Finds an object by id if the text can be an id, otherwise by name. */
async function findOne(context: ResourceContext, text: string): Promise<Live | undefined> {
  const { kind, run, signal } = context
  const canBeId = kind.parameters?.id === 'integer' ? /^\d+$/.test(text) : looksLikeOwner(text)
  const live = canBeId ? await findById(context, text) : undefined
  if (live) return live
  const named = await run.shared.byIdentity(kind, text, signal)
  if (named.length <= 1) return named[0]
  const ids = named.map(({ id }) => id).join(', ')
  throw new DiagnosticError(
    errorDiagnostic(
      `${named.length} ${kind.title}s have the name "${text}"`,
      `Import one of them by its id: ${ids}.`,
    ),
  )
}

async function findGrant(context: ResourceContext, path: string): Promise<Found | undefined> {
  const slash = path.lastIndexOf('/')
  if (slash <= 0) return undefined
  const [flagText, grantText] = [path.slice(0, slash), path.slice(slash + 1)]
  const flag = await findOne({ ...context, kind: parentKind(context.kind) }, flagText)
  if (!flag) return undefined
  const grants = (await grantsOf({ ...context, parentId: flag.id })) ?? []
  const wanted = grantText.toLowerCase()
  const live = grants.find(({ id, identity }) => identity === wanted || id === grantText)
  return live && { live, parentId: flag.id }
}

function parentKind({ lifecycle }: DeclarableKind): DeclarableKind {
  return declarableKind(lifecycle.parent?.kind ?? '')
}

/** A text after an id may be a misspelt suffix. */
function typedHint(kind: DeclarableKind, id: string): string {
  return hasTargeting(kind) && id.includes('#') ? ` Only "${typedImportId('')}" may follow it.` : ''
}

function forms(kind: DeclarableKind): string {
  const identity = identityField(kind)
  const parent = parentNameAttribute(kind)
  if (parent) return `"${parent}/${identity}" or "${kind.scope}/${parent}/${identity}"`
  return `its id or its ${identity}, or as "${kind.scope}/${identity}" if it is not in the provider's own ${kind.scope}`
}

/**
 * Converts another provider's state of the same object. The object keeps its id, so nothing is created again.
 * Undefined for types of other things.
 */
export function moveState(kind: DeclarableKind, { type, state }: MoveSource): ImportAnswer | undefined {
  if (!typesElsewhere(kind.name).includes(type) || !isJsonObject(state)) return undefined
  const moved = inOneForm(kind, stateFrom(kind, state))
  if (typeof memberOf(moved, 'id') !== 'string') return undefined
  return { state: moved, private: remember({ ...nothingRemembered, isNew: true }) }
}

/** The other provider's `filters` have all of who gets a flag. Its other attributes do not exist here. */
function inOneForm(kind: DeclarableKind, state: ObjectValue): ObjectValue {
  const field = targetingField(kind)
  if (field === undefined || memberOf(state, field) === null) return state
  return { ...state, ...Object.fromEntries(givenTyped(state).map(name => [name, null])) }
}

/** The attributes of a state that exist here, each converted to the type here. */
function stateFrom(kind: DeclarableKind, state: { readonly [name: string]: Json }): ObjectValue {
  return mapMembers<TerraformAttribute, Value>(resourceBlock(kind).attributes, (attribute, name) =>
    Object.hasOwn(state, name) ? valueFrom(attribute, state[name] ?? null) : null,
  )
}

function valueFrom(attribute: TerraformAttribute, json: Json): Value {
  if (json === null) return null
  if ('list' in attribute)
    return isJsonArray(json) ? json.map(element => elementFrom(attribute.list, element)) : null
  const { type } = attribute
  if (typeof type !== 'string') return collectionFrom(type[0], json)
  switch (type) {
    case 'bool':
      return typeof json === 'boolean' ? json : null
    case 'number':
      return isJsonNumber(json) ? json : null
    default:
      return textFrom(json)
  }
}

function elementFrom(attributes: { readonly [name: string]: TerraformAttribute }, json: Json): Value {
  const members = isJsonObject(json) ? json : {}
  return mapMembers<TerraformAttribute, Value>(attributes, (attribute, name) =>
    Object.hasOwn(members, name) ? valueFrom(attribute, members[name] ?? null) : null,
  )
}

function collectionFrom(collection: string, json: Json): Value {
  if (collection === 'map') return isJsonObject(json) ? mapMembers<Json, Value>(json, textFrom) : null
  return isJsonArray(json) ? json.flatMap(element => (typeof element === 'string' ? [element] : [])) : null
}

function textFrom(json: Json): Value {
  if (json === null || typeof json === 'string') return json
  return isJsonNumber(json) ? numberText(json) : canonicalText(json)
}

/** Finds the object with this id, this name, or both. Finding none, or two different objects, is an error. */
export async function findNamed(
  context: ResourceContext<IdentifiedKind>,
  values: ObjectValue,
): Promise<Live> {
  const { kind, run, signal } = context
  const attribute = identityField(kind)
  const [id, name] = [textOf(memberOf(values, 'id')), textOf(memberOf(values, attribute))]
  if (id !== undefined) {
    const live = await findById(context, id)
    if (!live) throw missing(`there is no ${kind.title} with the id "${id}"`, 'id')
    if (name === undefined || identityKey(kind, name) === identityKey(kind, live.identity)) return live
    const summary = `the ${kind.title} with the id "${id}" has the name "${live.identity}", not "${name}"`
    throw choice(summary, `Set only one of \`id\` and \`${attribute}\`.`, attribute)
  }
  if (name === undefined) throw new DiagnosticError(notNamed(['id', attribute], attribute))
  const named = await run.shared.byIdentity(kind, name, signal)
  const [live] = named
  if (live && named.length === 1) return live
  if (!live) throw missing(`there is no ${kind.title} "${name}"`, attribute)
  const ids = named.map(one => one.id).join(', ')
  throw choice(
    `${named.length} ${kind.title}s have the name "${name}"`,
    `Set the \`id\` of one: ${ids}.`,
    attribute,
  )
}

/** Finds the children of the object with this id, this name, or both if they agree. */
export async function findBelow(
  context: ResourceContext<IdentifiedKind>,
  values: ObjectValue,
): Promise<{ readonly parentId: string; readonly all: readonly Live[] }> {
  const { kind, run, signal } = context
  const parent = declarableKind(kind.lifecycle.parent?.kind ?? '')
  const [byId, byName] = [parentAttribute(kind) ?? '', parentNameAttribute(kind) ?? '']
  const name = textOf(memberOf(values, byName))
  if (context.parentId === undefined && name === undefined)
    throw new DiagnosticError(notNamed([byId, byName], byId))
  const named = name === undefined ? undefined : (await run.shared.byIdentity(parent, name, signal))[0]
  const parentId = name === undefined ? context.parentId : named?.id
  if (named && context.parentId !== undefined && named.id !== context.parentId) {
    const summary = `the ${parent.title} "${name}" has the id "${named.id}", not "${context.parentId}"`
    throw choice(summary, `Set only one of \`${byId}\` and \`${byName}\`.`, byName)
  }
  const all = parentId === undefined ? undefined : await grantsOf({ ...context, parentId })
  if (parentId !== undefined && all) return { parentId, all }
  const attribute = name === undefined ? byId : byName
  throw choice(`there is no ${parent.title} "${name ?? context.parentId}"`, undefined, attribute)
}

function choice(summary: string, detail: string | undefined, attribute: string): DiagnosticError {
  return new DiagnosticError(errorDiagnostic(summary, detail, [attribute]))
}

function missing(summary: string, attribute: string): DiagnosticError {
  return choice(summary, 'Check the spelling, and the project or organization.', attribute)
}
