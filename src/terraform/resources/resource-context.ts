import { isNotFound } from '../../api/index.ts'
import { fingerprintOf } from '../../core/diff.ts'
import { type FlagLink, keysOf, linkOf, namesIn, renamedLive } from '../../core/flag-links.ts'
import { type Live, type PendingChange, toLive } from '../../core/live.ts'
import {
  type FindShadowed,
  type ReadOne,
  type Shadowed,
  shadowFinder,
} from '../../core/read/find-soft-deleted.ts'
import { readRecord, withId } from '../../core/read/read-record.ts'
import { memberOf, type ObjectValue, type Value } from '../../hcl/values.ts'
import { membersElsewhere } from '../../model/field.ts'
import { type DeclarableKind, type IdentifiedKind, identityField } from '../../model/kind.ts'
import { isEmptyJson, isJsonObject, type Json, type JsonObject, pickMembers } from '../../model/text/json.ts'
import { parentAttribute, typeName } from '../../schema/terraform/terraform-names.ts'
import { isFlagId } from '../../targeting/index.ts'
import type { RunClient, Session } from '../session.ts'

/** The location of a kind's objects, and the client that reads them. */
export interface ResourceContext<K extends IdentifiedKind = DeclarableKind> {
  readonly kind: K
  readonly session: Session
  readonly run: RunClient
  readonly signal: AbortSignal
  /** The flag id of a grant. */
  readonly parentId?: string
}

/** The wanted state of an object, in the reconciler's form. */
export interface Wanted {
  readonly context: ResourceContext
  readonly planned: ObjectValue
  readonly config: ObjectValue
  readonly prior: ObjectValue | null
  /** The object that already has the new name, if the object is renamed. */
  readonly shadowed?: Shadowed
  /** An earlier change request for the object that waits for approval. */
  readonly pending?: PendingChange
}

/** The attribute with the project or organization of an object. */
export function ownerAttribute({ scope }: IdentifiedKind): 'project_id' | 'organization_id' {
  return scope === 'project' ? 'project_id' : 'organization_id'
}

export function whereParentIdsAre({ lifecycle }: IdentifiedKind): string {
  const address = `${typeName(lifecycle.parent?.kind ?? '')}.NAME.id`
  return `Use the id of a resource, \`${address}\`, or of a data source, \`data.${address}\`.`
}

export function contextOf<K extends IdentifiedKind>(
  kind: K,
  session: Session,
  values: ObjectValue,
  signal: AbortSignal,
): ResourceContext<K> {
  // A plan may not know the owner. By now the provider's own configuration sets it.
  const owner = textOf(memberOf(values, ownerAttribute(kind))) ?? null
  const run = session.open(kind, owner)
  const parent = parentAttribute(kind)
  const parentId = parent === undefined ? undefined : textOf(memberOf(values, parent))
  return { kind, session, run, signal, ...(parentId === undefined ? {} : { parentId }) }
}

/** The attribute for the parent of an object, and its value. */
export function parentValue({
  kind,
  parentId,
}: Pick<ResourceContext<IdentifiedKind>, 'kind' | 'parentId'>): ObjectValue {
  const name = parentAttribute(kind)
  return name === undefined || parentId === undefined ? {} : { [name]: parentId }
}

/** The path parameters that a kind's operations need in addition to the id. */
function parentParams({ kind, parentId }: ResourceContext<IdentifiedKind>): Record<string, string> {
  const parameter = kind.lifecycle.parent?.parameter
  return parameter === undefined || parentId === undefined ? {} : { [parameter]: parentId }
}

/** Finds an object by id in the shared reads; undefined if it is deleted, softly or permanently. */
export async function findById(
  context: ResourceContext<IdentifiedKind>,
  id: string,
  identity?: string,
): Promise<Live | undefined> {
  const live = await findHeldById(context, id, identity)
  return live?.isSoftDeleted ? undefined : live
}

/** Finds an object by id, including soft-deleted objects. */
export async function findHeldById(
  context: ResourceContext<IdentifiedKind>,
  id: string,
  identity?: string,
): Promise<Live | undefined> {
  const { kind, run, signal } = context
  if (kind.lifecycle.parent) return withId(kind, (await grantsOf(context)) ?? [], id, identity)
  const live = await run.shared.byId(kind, id, signal)
  return live && !live.isSoftDeleted ? byKeys(context, live) : live
}

/** The grants of the flag; undefined if the service does not know the flag. */
export async function grantsOf(
  context: ResourceContext<IdentifiedKind>,
): Promise<readonly Live[] | undefined> {
  const { kind, run } = context
  try {
    return await run.shared.all(kind, parentParams(context))
  } catch (error) {
    if (isNotFound(error)) return undefined
    throw error
  }
}

/** Reads an object without the shared reads, including a soft-deleted object. */
async function readNow(context: ResourceContext, id: string, identity?: string): Promise<Live | undefined> {
  const { kind, run, signal } = context
  const params = { id, ...parentParams(context) }
  const live = await readRecord(kind, params, { client: run.client, signal }, identity)
  return live && byKeys(context, live)
}

export function readState(context: ResourceContext, state: ObjectValue): Promise<Live | undefined> {
  const name = textOf(memberOf(state, identityField(context.kind)))
  return readNow(context, textOf(memberOf(state, 'id')) ?? '', name)
}

/** Finds soft-deleted objects by name, with the activity trail that the whole run shares. */
export function findShadowed({ run, signal }: ResourceContext, read?: ReadOne): FindShadowed {
  const reader = { client: run.client, signal, ...(read ? { read } : {}) }
  return shadowFinder(reader, kind => run.shared.trail(kind))
}

/** The object in the answer to a write. It is read again if there was no answer, or one without names. */
export async function liveAfter(
  context: ResourceContext,
  { id, record }: { readonly id: string; readonly record?: JsonObject },
): Promise<Live | undefined> {
  const live = (record && toLive(context.kind, record)) ?? (await readNow(context, id))
  if (live) context.run.shared.learn(context.kind, live)
  return live
}

/** The short fingerprint that an apply requires. It omits source files, which are compared separately. */
export function shortFingerprint(kind: DeclarableKind, { files: _files, ...live }: Live): string {
  return fingerprintOf(kind, live).slice('sha256:'.length, 'sha256:'.length + 12)
}

export function textOf(value: Value): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** What a removal does to the object: `delete`, or the `on_destroy` setting if it was adopted. */
export function removalOf({ lifecycle }: DeclarableKind, state: ObjectValue): string {
  return lifecycle.create === undefined ? (textOf(memberOf(state, 'on_destroy')) ?? 'forget') : 'delete'
}

/** Whether a configuration adopts an existing object that equals it. */
export function isAdopting(planned: ObjectValue): boolean {
  return memberOf(planned, 'adopt') === true
}

/** The label of an object in messages. */
export function nameOf(kind: IdentifiedKind, identity: string): string {
  return `${kind.title} "${identity}"`
}

/** The label of the object in a state. The name may be unknown. */
export function nameIn(kind: IdentifiedKind, state: ObjectValue): string {
  return nameOf(kind, textOf(memberOf(state, identityField(kind))) ?? textOf(memberOf(state, 'id')) ?? '')
}

/**
 * A live value without members that other parts of the product write, unless `declared` names them. They are
 * not managed, so they are neither compared nor shown.
 */
export function withoutManagedElsewhere(
  kind: DeclarableKind,
  name: string,
  held: Json,
  declared: Json = null,
): Json {
  const left = new Set(undeclaredElsewhere(kind, name, held, declared))
  return left.size > 0 && isJsonObject(held) ? pickMembers(held, (_, member) => !left.has(member)) : held
}

/** The names of these members. */
export function undeclaredElsewhere(
  kind: DeclarableKind,
  name: string,
  held: Json,
  declared: Json,
): readonly string[] {
  const isDeclared = (member: string) => isJsonObject(declared) && !isEmptyJson(declared[member])
  return membersElsewhere(kind.fields[name], held).filter(member => !isDeclared(member))
}

/**
 * A soft-deleted object stays in its state, marked as deleted. So a plan can show that it will be restored
 * with the id that other objects use, and needs no search in a trail.
 */
export function isMarkedDeleted({ lifecycle }: DeclarableKind, state: ObjectValue | null): boolean {
  const { softDelete } = lifecycle
  return softDelete !== undefined && memberOf(state ?? undefined, softDelete.field) === true
}

export function deletedMark({ lifecycle }: DeclarableKind, isDeleted: boolean): ObjectValue {
  return lifecycle.softDelete ? { [lifecycle.softDelete.field]: isDeleted } : {}
}

interface Asking {
  readonly kind: IdentifiedKind
  readonly run: RunClient
  readonly signal: AbortSignal
}

/**
 * A live object in the form of configurations and states: its conditions refer to flags by key. A flag that
 * cannot be read keeps its id.
 */
export async function byKeys({ kind, run, signal }: Asking, live: Live): Promise<Live> {
  const ids = namesIn(kind, live.record).filter(isFlagId)
  if (ids.length === 0) return live
  const keys = await Promise.all(
    [...new Set(ids)].map(async id => ({ id, key: await run.shared.identityOf(kind, id, signal) })),
  )
  const known = keys.flatMap(({ id, key }) =>
    key === undefined ? [] : [{ kind: kind.name, id, identity: key }],
  )
  return renamedLive(kind, live, keysOf(known))
}

/** The flags that conditions in some fields refer to, by id or key. */
export async function linksIn(
  { kind, run, signal }: Asking,
  fields: readonly JsonObject[],
): Promise<readonly FlagLink[]> {
  const names = new Set(fields.flatMap(each => namesIn(kind, each)))
  const found = await Promise.all(
    [...names].map(async name =>
      isFlagId(name)
        ? [await run.shared.byId(kind, name, signal)]
        : run.shared.byIdentity(kind, name, signal),
    ),
  )
  return found.flat().flatMap(live => (live && linkOf(kind, live)) ?? [])
}
