import type { Change, Plan } from '../../src/core/change.ts'
import { withRemarks } from '../../src/core/describe/hints.ts'
import type { Declarations, Desired } from '../../src/core/desired.ts'
import { type Live, toLive } from '../../src/core/live.ts'
import type { Records } from '../../src/core/live-edits/records.ts'
import type { Base } from '../../src/core/live-edits/verdict.ts'
import { plan } from '../../src/core/plan/plan.ts'
import { defaultPolicy, type Policy } from '../../src/core/policy.ts'
import type { Snapshot } from '../../src/core/read/snapshot.ts'
import { declarableKind, declarableKinds } from '../../src/kinds/index.ts'
import type { JsonObject } from '../../src/model/text/json.ts'

/** Filters that release to a share of everybody. */
export function everyoneAt(percent: number | null): JsonObject {
  return { groups: [{ properties: [], rollout_percentage: percent }] }
}

/** Filters as they are written, with every member that decides who gets what. */
export function completed(filters: JsonObject): JsonObject {
  return { ...filters, multivariate: null, payloads: {}, aggregation_group_type_index: null }
}

/** A flag as the service answers it. */
export function flagRecord(over: JsonObject = {}): JsonObject {
  return {
    id: 7,
    key: 'checkout',
    name: '',
    filters: everyoneAt(10),
    active: true,
    deleted: false,
    tags: [],
    ensure_experience_continuity: false,
    rollback_conditions: null,
    performed_rollback: null,
    can_edit: true,
    experiment_set: [],
    surveys: [],
    features: [],
    ...over,
  }
}

export function aLive(kind: string, record: JsonObject): Live {
  const live = toLive(declarableKind(kind), record)
  if (!live) throw new Error(`this record has no identity: ${JSON.stringify(record)}`)
  return live
}

export function aFlag(over: JsonObject = {}): Live {
  return aLive('feature_flag', flagRecord(over))
}

export const supportRole = '01900000-0000-0000-0000-0000000000aa'

export function aGrant(flag: Live, roleId = supportRole, id = 1, name = 'support'): Live {
  const kind = declarableKind('feature_flag_role_access')
  const live = toLive(kind, { id, role: { id: roleId, name } }, { key: flag.identity, id: flag.id })
  if (!live) throw new Error('this grant has no role')
  return live
}

/** An object of a kind that has no parent. */
export function declared(
  kind: string,
  identity: string,
  fields: JsonObject = {},
  over: Partial<Desired> = {},
): Desired {
  return { address: `${kind}.${identity}`, kind, identity, ensure: 'present', fields, ...over }
}

export function declaredFlag(key: string, fields: JsonObject = {}, over: Partial<Desired> = {}): Desired {
  return declared('feature_flag', key, fields, over)
}

export function declaredGrant(flag: string, over: Partial<Desired> = {}): Desired {
  return {
    address: `feature_flag_role_access.${flag}:support`,
    kind: 'feature_flag_role_access',
    identity: supportRole,
    label: 'support',
    parent: { key: flag },
    ensure: 'present',
    fields: {},
    ...over,
  }
}

export function declare(
  desired: readonly Desired[],
  ownedGrants: Declarations['ownedGrants'] = [],
): Declarations {
  return { desired, ownedGrants }
}

export function aSnapshot(live: readonly Live[], over: Partial<Snapshot> = {}): Snapshot {
  const listed = declarableKinds.filter(({ lifecycle }) => !lifecycle.parent)
  const inventory = listed.map(({ name }) => {
    const seen = live.filter(each => each.kind === name).length
    return [name, { seen, count: seen, complete: true }] as const
  })
  return {
    live,
    inventory: Object.fromEntries(inventory),
    withoutGrants: new Set(),
    unreadable: new Map(),
    shadowed: new Map(),
    ...over,
  }
}

export function aPolicy(over: Partial<Policy> = {}): Policy {
  return { ...defaultPolicy, ...over }
}

/** An update of the flag `checkout` that changes nothing. */
export function aChange(over: Partial<Change> = {}): Change {
  return {
    ...{ address: 'feature_flag.checkout', kind: 'feature_flag', action: 'update', identity: 'checkout' },
    ...{ before: {}, after: {}, fingerprint: null, allowed: [], dependsOn: [] },
    ...{ risk: 'low', riskReasons: [], summary: [] },
    ...over,
  }
}

/** A plan of nothing but these parts. */
export function aPlan(parts: Partial<Plan> = {}): Plan {
  return { changes: [], blocked: [], drift: [], liveEdits: [], unchanged: [], inventory: {}, ...parts }
}

/** What some run declared, by address and field, as digests. */
export function aBase(objects: Readonly<Record<string, Readonly<Record<string, string>>>>): Base {
  return Object.fromEntries(
    Object.entries(objects).map(([address, fields]) => [
      address,
      {
        ensure: 'present',
        fields: Object.fromEntries(Object.entries(fields).map(([name, digest]) => [name, { digest }])),
        origin: { run: 'r1', at: 1000 },
      },
    ]),
  )
}

/** What a plan says of declarations where these objects are all that is live. */
export function planned(
  declarations: Declarations,
  live: readonly Live[],
  policy: Policy = aPolicy(),
  { now, ...records }: Records & { readonly now?: number } = {},
  seen: Partial<Snapshot> = {},
): Plan {
  const input = { declared: declarations, live: aSnapshot(live, seen), policy, records }
  return withRemarks(plan(input), input, now)
}
