import type { Change } from '../../core/change.ts'
import { type Desired, type GuardRule, guardRules } from '../../core/desired.ts'
import { isSameField, wireValue } from '../../core/diff.ts'
import type { Live } from '../../core/live.ts'
import { canonicalIdentity } from '../../core/live.ts'
import { plan } from '../../core/plan.ts'
import { defaultPolicy } from '../../core/policy.ts'
import type { JsonObject } from '../../model/json.ts'
import { type DeclarableKind, identityField, managedFields } from '../../model/kind.ts'
import { DiagnosticError, errorDiagnostic } from '../diagnostic.ts'
import { Unknown } from '../values/unknown.ts'
import { isObjectValue, type ObjectValue } from '../values/value.ts'
import { memberOf } from '../values/walk-type.ts'
import { declaredJson } from './field-value.ts'
import { labelsToSend, textsOf } from './labels.ts'
import { fingerprintOfRecord, type Place, textOf } from './object-place.ts'
import { givenTyped } from './typed-filters.ts'

/** What a configuration wants of an object, in the words of the reconciler. */
export interface Wanted {
  readonly place: Place
  readonly planned: ObjectValue
  readonly config: ObjectValue
  readonly prior: ObjectValue | null
}

/** The change that makes a live object, or nothing, as wanted; undefined when it is so already. */
export function proposeChange(wanted: Wanted, live: Live | undefined): Change | undefined {
  const { place, planned } = wanted
  const desired = desiredOf(wanted, live)
  const change = decide(place, desired, live)
  return live
    ? withRename(place.kind, live, textOf(memberOf(planned, identityField(place.kind))), change)
    : change
}

/** The change that removes a live object; undefined when it is gone already. */
export function proposeRemoval(place: Place, live: Live, state: ObjectValue): Change | undefined {
  const { kind, parentId } = place
  const desired: Desired = {
    ...identified(kind, live.identity, parentId),
    id: live.id,
    ensure: 'absent',
    fields: {},
    acknowledge: acknowledged(state),
  }
  return decide(place, desired, live)
}

/** The change that puts some fields of a live object back to what they were. */
export function proposeFields(place: Place, live: Live, fields: JsonObject): Change | undefined {
  const { kind, parentId } = place
  return decide(
    place,
    { ...identified(kind, live.identity, parentId), id: live.id, ensure: 'present', fields },
    live,
  )
}

/** How an object is called in messages. */
export function nameOf(kind: DeclarableKind, identity: string): string {
  return `${kind.title} "${identity}"`
}

function desiredOf({ place, planned, config, prior }: Wanted, live: Live | undefined): Desired {
  const { kind, session, parentId } = place
  const identity = live?.identity ?? textOf(memberOf(planned, identityField(kind))) ?? ''
  const files = filesOf(planned, config, prior)
  const defaults = session.defaultTags
  return {
    ...identified(kind, canonicalIdentity(kind, identity), parentId),
    ...(live ? { id: live.id } : {}),
    ensure: 'present',
    fields: fieldsOf(kind, planned, config, live, defaults instanceof Unknown ? [] : defaults),
    ...(files ? { files } : {}),
    acknowledge: acknowledged(planned),
  }
}

function identified(
  kind: DeclarableKind,
  identity: string,
  parentId: string | undefined,
): Pick<Desired, 'address' | 'kind' | 'identity' | 'parent'> {
  const path = parentId === undefined ? identity : `${parentId}:${identity}`
  return {
    address: `${kind.name}.${path}`,
    kind: kind.name,
    identity,
    ...(parentId === undefined ? {} : { parent: parentId }),
  }
}

/** The fields that the configuration says something about; all others are not ours. */
function fieldsOf(
  kind: DeclarableKind,
  planned: ObjectValue,
  config: ObjectValue,
  live: Live | undefined,
  defaults: readonly string[],
): JsonObject {
  const { ownedBy } = kind.lifecycle
  const isTyped = givenTyped(config).length > 0
  const given = managedFields(kind).filter(
    name =>
      name !== identityField(kind) &&
      (memberOf(config, name) !== null ||
        (name === 'filters' && isTyped) ||
        (name === ownedBy && defaults.length > 0)),
  )
  return Object.fromEntries(
    given.map(name => {
      const value = memberOf(planned, name)
      if (name !== ownedBy) return [name, declaredJson(kind, name, value)]
      const own = memberOf(config, name) === null ? null : value
      return [name, labelsToSend(own, live?.record[name] ?? null, defaults)]
    }),
  )
}

/** The files of the configuration, and those that it named before and names no more. */
function filesOf(
  planned: ObjectValue,
  config: ObjectValue,
  prior: ObjectValue | null,
): Record<string, string | null> | undefined {
  if (!isObjectValue(memberOf(config, 'source'))) return undefined
  const [now, before] = [memberOf(planned, 'source'), memberOf(prior ?? undefined, 'source')]
  const names = isObjectValue(now) ? Object.keys(now) : []
  const dropped = (isObjectValue(before) ? Object.keys(before) : []).filter(name => !names.includes(name))
  return {
    ...Object.fromEntries(dropped.map(name => [name, null])),
    ...Object.fromEntries(names.map(name => [name, textOf(memberOf(now, name)) ?? null])),
  }
}

function acknowledged(values: ObjectValue): GuardRule[] {
  const given = textsOf(memberOf(values, 'acknowledge'))
  return guardRules.filter(rule => given.includes(rule))
}

/** One object through the same planner, and the same guards, as everything else. */
function decide({ kind, parentId }: Place, desired: Desired, live: Live | undefined): Change | undefined {
  const parent: Live[] =
    parentId === undefined
      ? []
      : [{ kind: 'feature_flag', identity: parentId, id: parentId, record: {}, isTombstone: false }]
  const { changes, withheld } = plan({
    declarations: { desired: [desired], ownedGrants: [] },
    snapshot: {
      live: [...parent, ...(live ? [live] : [])],
      inventory: {},
      withoutGrants: new Set(),
      unreadable: new Map(),
      beneath: new Map(),
    },
    policy: defaultPolicy,
  })
  const [held] = withheld
  if (!held) return changes[0]
  const isGuard = guardRules.some(rule => rule === held.rule)
  const wayPast = isGuard
    ? `Settle that first, or add "${held.rule}" to \`acknowledge\`.`
    : `To go on: ${held.wayPast}.`
  throw new DiagnosticError(
    errorDiagnostic(`${desired.address} was left as it is: ${held.reason}`, wayPast, [
      isGuard ? 'acknowledge' : identityField(kind),
    ]),
  )
}

/** A new name goes with the other fields; the planner knows objects by their names and so never changes one. */
function withRename(
  kind: DeclarableKind,
  live: Live,
  written: string | undefined,
  change: Change | undefined,
): Change | undefined {
  const { identity } = kind
  if (identity.by !== 'field' || written === undefined) return change
  const name = identity.field
  if (isSameField(kind, name, live.record[name] ?? null, written)) return change
  const before = { [name]: live.record[name] ?? null }
  const after = { [name]: wireValue(kind, name, written) }
  if (change)
    return { ...change, before: { ...change.before, ...before }, after: { ...change.after, ...after } }
  return {
    address: `${kind.name}.${live.identity}`,
    kind: kind.name,
    action: 'update',
    identity: live.identity,
    id: live.id,
    before,
    after,
    fingerprint: fingerprintOfRecord(kind, live),
    risk: 'high',
    words: [`renamed to ${JSON.stringify(written)}`],
    allowed: [],
    dependsOn: [],
  }
}
