import type { Blocked, Change } from '../../core/change.ts'
import type { Desired } from '../../core/desired.ts'
import { linkOf } from '../../core/flag-links.ts'
import { canonicalIdentity, type Live, type Pending, type PendingChange } from '../../core/live.ts'
import type { GuardBlock } from '../../core/plan/guards.ts'
import { plan } from '../../core/plan/plan.ts'
import { stillPending } from '../../core/read/read-authors.ts'
import { levelsOf, serviceOf } from '../../core/read/snapshot.ts'
import {
  isListValue,
  isObjectValue,
  isWhollyKnown,
  memberOf,
  type ObjectValue,
  Unknown,
  unknown,
  type Value,
} from '../../hcl/values.ts'
import { tagSet } from '../../model/canonical.ts'
import { type GuardRule, guardRules, guardsOfKind, isOfKey } from '../../model/guard-rules.ts'
import { type DeclarableKind, identityField, managedFields, objectAddress } from '../../model/kind.ts'
import type { Json, JsonObject } from '../../model/text/json.ts'
import { typeName } from '../../schema/terraform/terraform-names.ts'
import { DiagnosticError, errorDiagnostic } from '../provider.ts'
import { configuredValue, declaredJson } from './field-value.ts'
import { linksIn, nameOf, type ResourceContext, textOf, type Wanted } from './resource-context.ts'

/** The change that brings a live object, or no object, to the wanted state. Undefined if nothing differs. */
export async function proposeChange(wanted: Wanted, live: Live | undefined): Promise<Change | undefined> {
  const desired = desiredOf(wanted, live)
  if (desired.files && live?.filesUnreadable !== undefined) {
    // The planner omits such files from a change with other parts, and a state would list them as written.
    const { renamedTo: _name, tags: _labels, ...found } = desired
    await decide(wanted.context, { ...found, fields: {} }, live)
  }
  return decide(wanted.context, desired, live, wanted)
}

/** To adopt a live object or to explain a refusal. It writes nothing, so no guard applies. */
export function differenceFrom(wanted: Wanted, live: Live): Promise<Change | undefined> {
  return decide(wanted.context, { ...desiredOf(wanted, live), allow: guardRules }, live)
}

/** The change that removes a live object; undefined if it is already gone. */
export function proposeRemoval(
  context: ResourceContext,
  live: Live,
  state: ObjectValue,
): Promise<Change | undefined> {
  const { kind, parentId } = context
  const desired: Desired = {
    ...identified(kind, live.identity, parentId),
    id: live.id,
    ensure: 'absent',
    fields: {},
    allow: allowedBy(state),
  }
  return decide(context, desired, live)
}

/** The change that restores earlier values of some fields. */
export function proposeFields(
  context: ResourceContext,
  live: Live,
  fields: JsonObject,
): Promise<Change | undefined> {
  const { kind, parentId } = context
  return decide(
    context,
    { ...identified(kind, live.identity, parentId), id: live.id, ensure: 'present', isPart: true, fields },
    live,
  )
}

function desiredOf(wanted: Wanted, live: Live | undefined): Desired {
  const { context, planned, config, prior } = wanted
  const { kind, parentId } = context
  const name = textOf(memberOf(planned, identityField(kind)))
  const identity = live?.identity ?? name ?? ''
  const files = filesOf(planned, config, prior, live)
  return {
    ...identified(kind, canonicalIdentity(kind, identity), parentId),
    ...(live ? { id: live.id, ...(name === undefined ? {} : { renamedTo: name }) } : {}),
    ensure: 'present',
    ...wantedTags(wanted, live, fieldsOf(kind, planned, config)),
    ...(files ? { files } : {}),
    allow: allowedBy(planned),
  }
}

/** The address of an object for the reconciler. */
export function addressOf(
  { kind, parentId }: Pick<ResourceContext, 'kind' | 'parentId'>,
  identity: string,
): string {
  return objectAddress(kind.name, identity, parentId)
}

function identified(
  kind: DeclarableKind,
  identity: string,
  parentId: string | undefined,
): Pick<Desired, 'address' | 'kind' | 'identity' | 'parent'> {
  return {
    address: addressOf({ kind, parentId }, identity),
    kind: kind.name,
    identity,
    ...(parentId === undefined ? {} : { parent: { id: parentId } }),
  }
}

/** The configured fields. All others are not managed. */
function fieldsOf(kind: DeclarableKind, planned: ObjectValue, config: ObjectValue): JsonObject {
  const fields = managedFields(kind).flatMap(name => {
    if (name === identityField(kind)) return []
    const value = configuredValue(kind, name, planned, config)
    return value === undefined ? [] : [[name, value] as const]
  })
  return Object.fromEntries(fields.map(([name, value]) => [name, declaredJson(kind, name, value)]))
}

/** The configured files, and files that were configured before but no longer are. */
function filesOf(
  planned: ObjectValue,
  config: ObjectValue,
  prior: ObjectValue | null,
  live: Live | undefined,
): Record<string, string | null> | undefined {
  if (!isObjectValue(memberOf(config, 'source'))) return undefined
  const [now, before] = [memberOf(planned, 'source'), memberOf(prior ?? undefined, 'source')]
  const names = isObjectValue(now) ? Object.keys(now) : []
  const dropped = (isObjectValue(before) ? Object.keys(before) : []).filter(name => !names.includes(name))
  // Files that the service does not show are assumed to equal the state.
  const isKnown = live?.filesUnreadable !== undefined && isObjectValue(before)
  const written = names.filter(name => !isKnown || memberOf(now, name) !== memberOf(before, name))
  if (isKnown && dropped.length + written.length === 0) return undefined
  return {
    ...Object.fromEntries(dropped.map(name => [name, null])),
    ...Object.fromEntries(written.map(name => [name, textOf(memberOf(now, name)) ?? null])),
  }
}

/** The guards that a configuration allows itself. */
export function allowedBy(values: ObjectValue): GuardRule[] {
  const given = textsOf(memberOf(values, 'allow'))
  return guardRules.filter(rule => given.includes(rule))
}

/** Plans one object with the same planner and the same guards as everything else. */
async function decide(
  context: ResourceContext,
  desired: Desired,
  live: Live | undefined,
  { shadowed, pending }: Pick<Wanted, 'shadowed' | 'pending'> = {},
): Promise<Change | undefined> {
  const { kind, session, run } = context
  const named = await linksIn(context, [desired.fields, live?.record ?? {}])
  const own = live && linkOf(kind, live)
  const name = desired.renamedTo ?? desired.identity
  const { changes, blocked } = plan({
    declared: { desired: [desired], ownedGrants: [] },
    live: {
      live: live ? [live] : [],
      links: [...(own ? [own] : []), ...named.filter(({ id }) => id !== own?.id)],
      ...serviceOf(run),
      inventory: {},
      withoutGrants: new Set(),
      ...levelsOf(run),
      unreadable: new Map(),
      shadowed: new Map(
        shadowed ? [[objectAddress(kind.name, canonicalIdentity(kind, name)), shadowed]] : [],
      ),
    },
    policy: session.policy,
    ...(pending ? { records: { pending: await stillWaiting(context, desired, pending) } } : {}),
  })
  const [held] = blocked
  if (!held) return changes[0]
  throw heldBack(kind, { identity: desired.identity, isThere: live !== undefined }, held)
}

/** A request that was decided in the meantime is made again. */
function stillWaiting(
  { run, signal }: ResourceContext,
  desired: Desired,
  pending: PendingChange,
): Promise<Pending> {
  return stillPending({ [desired.address]: pending }, [desired], { client: run.client, signal })
}

/** Why an object was not changed or created, and how to continue. */
export function heldBack(
  kind: DeclarableKind,
  { identity, isThere }: { readonly identity: string; readonly isThere: boolean },
  held: Pick<GuardBlock | Blocked, 'rule' | 'reason' | 'remedy'>,
): DiagnosticError {
  const summary = `${nameOf(kind, identity)} was ${isThere ? 'not changed' : 'not created'}: ${held.reason}`
  const guard = guardsOfKind(kind).find(rule => rule === held.rule)
  if (guard) {
    const once = isOfKey(guard) ? ", or to the provider's `allow` for all objects" : ''
    const remedy = `Solve that first, or add "${guard}" to \`allow\`${once}.`
    return new DiagnosticError(errorDiagnostic(summary, remedy, ['allow']))
  }
  // Without a reference between two resources, Terraform processes them at the same time.
  const order =
    held.rule === 'dependency_missing'
      ? ` Refer to a flag of the same configuration as \`${typeName(kind.name)}.NAME.${identityField(kind)}\`, so that Terraform creates it first.`
      : ''
  const remedy = `To go on: ${held.remedy}.${order}`
  return new DiagnosticError(errorDiagnostic(summary, remedy, [identityField(kind)]))
}

/** The wanted tags of an object: the configured tags, and the tags that are added to them. */
export interface WantedTags {
  readonly fields: JsonObject
  readonly tags?: readonly string[]
}

/**
 * Decides the tags of an object, given the configured fields.
 *
 * | the plan                  | configured tags | wanted                                                       |
 * |---------------------------|-----------------|--------------------------------------------------------------|
 * | keeps `tags_all`          | whatever        | nothing: ignoring changes of both gives up managing them     |
 * | must keep only `tags_all` | some            | those, and the live ones without the resource's own before   |
 * | creates or changes it     | some            | those and the default ones                                   |
 * | creates or changes it     | none            | the default ones, and the live ones without earlier defaults |
 */
function wantedTags(
  { context, planned, config, prior }: Wanted,
  live: Live | undefined,
  fields: JsonObject,
): WantedTags {
  const { ownedBy } = context.kind.lifecycle
  if (ownedBy === undefined) return { fields }
  const { defaultTags } = context.session
  const tags = defaultTags instanceof Unknown ? {} : { tags: defaultTags }
  if (!prior || !live) return { fields, ...tags }
  const [were, will] = [memberOf(prior, 'tags_all'), memberOf(planned, 'tags_all')]
  const there = textsOf(tagSet(live.record[ownedBy] ?? null))
  if (changesShadowed({ context, planned, config, prior })) {
    const own = textsOf(tagSet(textsOf(memberOf(prior, ownedBy))))
    return { fields, tags: there.filter(tag => !own.includes(tag)) }
  }
  if (isSameTags(were, will)) return { fields: without(fields, ownedBy) }
  if (memberOf(config, ownedBy) !== null) return { fields, ...tags }
  const dropped = textsOf(were).filter(tag => !textsOf(will).includes(tag))
  const left = there.filter(tag => !dropped.includes(tag))
  return { fields: dropped.length === 0 ? fields : { ...fields, [ownedBy]: left }, ...tags }
}

/** Whether tags change although `tags_all` stays: if only changes of `tags_all` are ignored. */
export function changesShadowed({ context: { kind, session }, planned, prior }: Wanted): boolean {
  const { ownedBy } = kind.lifecycle
  if (ownedBy === undefined || !prior) return false
  const [own, all] = [memberOf(planned, ownedBy), memberOf(planned, 'tags_all')]
  if (!isSameTags(all, memberOf(prior, 'tags_all'))) return false
  const expected = allTags(own, session.defaultTags)
  return isListValue(expected) && !isSameTags(expected, all) && !isSameTags(own, memberOf(prior, ownedBy))
}

function without(fields: JsonObject, name: string): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([field]) => field !== name))
}

/** The tags and the default tags together, as the service stores them. */
export function allTags(own: Value, defaults: readonly string[] | Unknown): Value {
  if (defaults instanceof Unknown || !isListValue(own) || !isWhollyKnown(own)) return unknown
  return textsOf(tagSet([...textsOf(own), ...defaults]))
}

/** The live tags without those that only the defaults added. Own tags keep their spelling. */
export function withoutDefaults(live: Json, own: Value, defaults: readonly string[] | Unknown): string[] {
  const added = new Set(textsOf(tagSet([...defaultsIn(defaults)])))
  for (const tag of textsOf(tagSet(textsOf(own)))) added.delete(tag)
  const kept = new Set(textsOf(tagSet(live)).filter(tag => !added.has(tag)))
  const spelled = textsOf(own).filter(tag => textsOf(tagSet([tag])).some(each => kept.has(each)))
  for (const tag of textsOf(tagSet(spelled))) kept.delete(tag)
  return [...spelled, ...kept]
}

/** The known default tags. */
export function defaultsIn(defaults: readonly string[] | Unknown): readonly string[] {
  return defaults instanceof Unknown ? [] : defaults
}

/** The tags that the defaults at that time had added to the state. */
export function addedBefore(all: Value, own: Value): readonly string[] {
  const named = textsOf(tagSet(textsOf(own)))
  return textsOf(all).filter(tag => !named.includes(tag))
}

/** Whether the service treats two sets of tags as equal. */
export function isSameTags(left: Value | Json, right: Value | Json): boolean {
  return textsOf(tagSet(textsOf(left))).join('\n') === textsOf(tagSet(textsOf(right))).join('\n')
}

/** The strings in a list. Other elements are skipped. */
export function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter(element => typeof element === 'string') : []
}
