import type { Json, JsonObject } from '../model/json.ts'
import type { DeclarableKind } from '../model/kind.ts'
import type { Action, Change, Outcome, Reference, WithheldRule } from './change.ts'
import { consequenceOf } from './consequence.ts'
import type { Desired } from './desired.ts'
import { declaredFields, diffFields, diffFiles, wireValue } from './diff.ts'
import { fingerprintOf } from './fingerprint.ts'
import { objectionsTo } from './guards.ts'
import { canonicalIdentity, canonicalManaged, type Live } from './live.ts'
import { findParent } from './live-index.ts'
import type { ObjectContext } from './object-context.ts'
import { isAllowed } from './policy.ts'

/** Plans one object that is declared to exist. */
export function planPresent(context: ObjectContext): Outcome {
  const { kind, desired, found, policy } = context
  const parent = parentOf(context)
  if (parent && 'rule' in parent) return withhold(context, 'create', parent)
  if (found.length > 1) return withhold(context, 'update', ambiguity(found))
  const [live] = found
  if (live && !isMeant(live, context)) return withhold(context, 'update', otherIdentity(live))
  const marker = policy.ownership.tag
  if (!live) {
    if (kind.lifecycle.cannotCreate) return withhold(context, 'create', notSeen(kind))
    if (desired.id !== undefined) return withhold(context, 'create', unknownId(desired.id))
    const declared = declaredFields(kind, desired, undefined, marker)
    const after = { ...identityFields(kind, desired), ...wired(kind, declared) }
    return guarded(context, { action: 'create', before: {}, after, parent })
  }
  const changes = diffFields(kind, desired, live, marker)
  const before = Object.fromEntries(changes.map(change => [change.field, change.before]))
  const after = Object.fromEntries(changes.map(change => [change.field, change.after]))
  if (live.isTombstone) return guarded(context, { action: 'revive', live, before, after, parent })
  if (changes.length === 0 && !diffFiles(desired, live)) return { is: 'unchanged', address: desired.address }
  const action = addsOnlyMarker(kind, desired, live, Object.keys(after)) ? 'adopt' : 'update'
  return guarded(context, { action, live, before, after, parent })
}

/** Plans one object that is declared not to exist. */
export function planAbsent(context: ObjectContext): Outcome {
  const living = context.found.filter(live => !live.isTombstone)
  if (living.length > 1) return withhold(context, 'delete', ambiguity(living))
  const [live] = living
  if (live && !isMeant(live, context)) return withhold(context, 'delete', otherIdentity(live))
  return live ? planDeletion(context, live) : { is: 'unchanged', address: context.desired.address }
}

/** Plans the deletion of one live object. */
export function planDeletion(context: ObjectContext, live: Live): Outcome {
  const before = canonicalManaged(context.kind, live.record)
  const parent = live.parent && {
    reference: referenceTo(context.kind, live.parent.identity, live.parent.id),
    isLiving: true,
  }
  return guarded(context, { action: 'delete', live, before, after: {}, parent })
}

interface Draft {
  readonly action: Action
  readonly live?: Live
  readonly before: JsonObject
  readonly after: JsonObject
  readonly parent: Parent | undefined
}

interface Parent {
  readonly reference: Reference
  /** False for a flag that this plan has yet to create or to bring back. */
  readonly isLiving: boolean
}

/** Turns a draft into a change, or into something withheld when a guard objects and nobody waved it through. */
function guarded(context: ObjectContext, draft: Draft): Outcome {
  const { desired, policy } = context
  const change = changeFrom(context, draft)
  const objections = objectionsTo(
    { action: draft.action, desired, live: draft.live, after: draft.after, exposure: change.exposure },
    policy,
  )
  const isWaved = (rule: (typeof objections)[number]['rule']) =>
    rule !== 'protected' && (desired.acknowledge?.includes(rule) || isAllowed(policy, rule, desired.address))
  const held = objections.find(({ rule }) => !isWaved(rule))
  if (held) return withhold(context, draft.action, held, change.words)
  const allowed = objections.flatMap(({ rule }) => (rule === 'protected' ? [] : [rule]))
  return { is: 'change', change: { ...change, allowed } }
}

function changeFrom({ kind, desired }: ObjectContext, draft: Draft): Change {
  const { action, live, before, after, parent } = draft
  const files = action === 'delete' ? undefined : diffFiles(desired, live)
  const whole = live ? canonicalManaged(kind, live.record) : null
  const consequence = consequenceOf(
    kind,
    {
      action,
      before: whole,
      after: action === 'delete' ? null : { ...whole, ...after },
      fields: Object.keys(after),
    },
    Object.keys(files ?? {}),
  )
  return {
    address: desired.address,
    kind: kind.name,
    action,
    identity: desired.identity,
    ...(desired.label === undefined ? {} : { label: desired.label }),
    ...(live ? { id: live.id } : {}),
    ...(parent ? { parent: parent.reference } : {}),
    before,
    after,
    ...(files ? { files, filesBefore: filesBefore(files, live) } : {}),
    fingerprint: live ? fingerprintOf(kind, live) : null,
    risk: consequence.risk,
    words: consequence.words,
    ...(consequence.exposure ? { exposure: consequence.exposure } : {}),
    allowed: [],
    dependsOn: parent && !parent.isLiving ? [parent.reference.$ref] : [],
    ...(desired.source ? { source: desired.source } : {}),
  }
}

interface Refusal {
  readonly rule: WithheldRule
  readonly reason: string
  readonly wayPast: string
}

function withhold(
  { kind, desired: { address, source } }: ObjectContext,
  action: Action,
  { rule, reason, wayPast }: Refusal,
  words: readonly string[] = [],
): Outcome {
  const where = source ? { source } : {}
  return {
    is: 'withheld',
    withheld: { address, kind: kind.name, action, rule, reason, wayPast, words, ...where },
  }
}

/** The flag of a grant as the change will name it, or why there can be no grant. */
function parentOf({ kind, desired, index, snapshot, ensured }: ObjectContext): Parent | Refusal | undefined {
  const parentKind = kind.lifecycle.parent?.kind
  if (!parentKind || desired.parent === undefined) return undefined
  const live = findParent(index, parentKind, desired.parent)
  const reference = referenceTo(kind, desired.parent, live?.id)
  if (snapshot.withoutGrants.has(desired.parent)) return notOffered
  const declared = ensured(reference.$ref)
  if (declared === 'absent') return parentMissing(reference, 'is declared absent')
  if (live && !live.isTombstone) return { reference, isLiving: true }
  return declared
    ? { reference, isLiving: false }
    : parentMissing(reference, 'does not exist and is not declared')
}

const notOffered: Refusal = {
  rule: 'not_offered',
  reason: 'the service does not offer grants on this flag',
  wayPast: 'remove the grant from the declarations',
}

function parentMissing({ $ref }: Reference, why: string): Refusal {
  return { rule: 'parent_missing', reason: `${$ref} ${why}`, wayPast: `declare ${$ref}, or remove the grant` }
}

function referenceTo(kind: DeclarableKind, identity: string, id: string | undefined): Reference {
  return { $ref: `${kind.lifecycle.parent?.kind}.${identity}`, identity, ...(id === undefined ? {} : { id }) }
}

function ambiguity(found: readonly Live[]): Refusal {
  const ids = found.map(({ id }) => id).join(', ')
  return {
    rule: 'ambiguous',
    reason: `${found.length} objects have this name (ids ${ids})`,
    wayPast: 'say which one with `id:`',
  }
}

/** An `id:` says which of several is meant, never that an object should be another one. */
function isMeant(live: Live, { kind, desired }: ObjectContext): boolean {
  return live.identity === canonicalIdentity(kind, desired.identity)
}

function otherIdentity({ id, identity }: Live): Refusal {
  return {
    rule: 'other_identity',
    reason: `the object with id ${id} is "${identity}"`,
    wayPast: 'correct or remove `id:`',
  }
}

function notSeen(kind: DeclarableKind): Refusal {
  return {
    rule: 'not_seen',
    reason: `it does not exist yet, and ${kind.lifecycle.cannotCreate}`,
    wayPast: 'send one such event, then plan again',
  }
}

function unknownId(id: string): Refusal {
  return { rule: 'not_seen', reason: `nothing has the id ${id}`, wayPast: 'correct or remove `id:`' }
}

function identityFields({ identity }: DeclarableKind, desired: Desired): JsonObject {
  return { [identity.by === 'field' ? identity.field : identity.sentAs]: desired.identity }
}

function wired(kind: DeclarableKind, fields: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, wireValue(kind, name, value as Json)]),
  )
}

function filesBefore(
  files: Readonly<Record<string, string | null>>,
  live: Live | undefined,
): Record<string, string | null> {
  return Object.fromEntries(Object.keys(files).map(name => [name, live?.files?.[name] ?? null]))
}

/** True when without the marker nothing would have to change. */
function addsOnlyMarker(
  kind: DeclarableKind,
  desired: Desired,
  live: Live,
  fields: readonly string[],
): boolean {
  const { ownedBy } = kind.lifecycle
  const onlyLabels = fields.length === 1 && fields[0] === ownedBy && !diffFiles(desired, live)
  return onlyLabels && diffFields(kind, desired, live).length === 0
}
