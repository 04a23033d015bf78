import { objectAddress } from '../../../model/address.ts'
import { servicesOf } from '../../../model/connection/profile.ts'
import type { JsonObject } from '../../../model/json/json.ts'
import { targetingField } from '../../../model/kind.ts'
import { newDisagreements } from '../../../targeting/index.ts'
import type { Action, Change, Outcome } from '../../change.ts'
import { askedDigest, fingerprintOf } from '../../fingerprint.ts'
import { referencesIn } from '../../flag-links.ts'
import { compactManaged, type Live, nameTaken } from '../../live.ts'
import type { Shadowed } from '../../read/shadowed.ts'
import { lostWith } from '../../uses.ts'
import { changedAudiences } from '../flags/changed-audiences.ts'
import { blockedOutcome } from '../guards/block.ts'
import { blocksOf, type GuardedChange, remarksOn, shadowBlock } from '../guards/guards.ts'
import { summaryOf } from '../summary/change-summary.ts'
import { type FlippedTests, flippedTests } from '../summary/flipped-tests.ts'
import type { ChangeSummary } from '../summary/transition.ts'
import { liveFlag, type Parent } from './grant-parent.ts'
import { heldVersion } from './held-version.ts'
import { isAllowedFor, type ObjectContext } from './object-context.ts'
import { lostBefore } from './object-difference.ts'

/** What is planned for one object, before it is judged. */
export interface Draft {
  readonly action: Action
  readonly live?: Live
  readonly before: JsonObject
  readonly after: JsonObject
  readonly files?: Change['files']
  /** Said after what the change does. */
  readonly notes?: readonly string[]
  readonly parent: Parent | undefined
}

/** Turns a draft into a change, or into something blocked when a guard objects and nobody allowed it. */
export function guarded(context: ObjectContext, draft: Draft): Outcome {
  const meaning = meaningOf(context, draft)
  const change = changeFrom(context, draft, meaning)
  const looked = guardedChange(context, draft, change, meaning)
  const blocks = blocksOf(looked, context.policy)
  const held = blocks.find(({ rule }) => rule === 'protected' || !isAllowedFor(context, rule))
  if (held) return blockedOutcome(change, held)
  const allowed = blocks.flatMap(({ rule }) => (rule === 'protected' ? [] : [rule]))
  // Whoever approves a change that was let past this must read what it may cost.
  const summary = [
    ...change.summary,
    ...shadowBlock(looked).map(({ reason }) => reason),
    ...remarksOn(looked, context.policy),
  ]
  return { is: 'change', change: { ...change, summary, allowed } }
}

function guardedChange(
  context: ObjectContext,
  draft: Draft,
  change: Change,
  { exposure, widest }: ChangeSummary,
): GuardedChange {
  const { kind, desired, pending, placeOptions } = context
  const { action, live, after, files } = draft
  return {
    kind,
    action,
    desired,
    live,
    after,
    exposure,
    widest,
    placeOptions,
    parent: liveFlag(context),
    notKept: action === 'create' ? [] : lostBefore(context, after),
    ...(pending && pending.askedFor === askedDigest(kind, change)
      ? { changeRequest: pending.changeRequest }
      : {}),
    writesFiles: files !== undefined,
    shadowed: shadowedBy(context, after),
  }
}

/** What stands behind the name that a change gives to its object, where it gives one. */
function shadowedBy({ kind, snapshot }: ObjectContext, after: JsonObject): Shadowed | undefined {
  const name = nameTaken(kind, after)
  return name === undefined ? undefined : snapshot.shadowed.get(objectAddress(kind.name, name))
}

/** What a draft does, as a change of the whole object. */
function meaningOf({ kind, rules, policy, redaction }: ObjectContext, draft: Draft): ChangeSummary {
  const { action, live, after } = draft
  const whole = live ? compactManaged(kind, live.record) : null
  return summaryOf(kind, {
    action,
    before: whole,
    after: action === 'delete' ? null : { ...whole, ...after },
    fields: Object.keys(after),
    rules,
    risk: policy.risk,
    groupTypes: policy.groupTypes,
    cohorts: policy.cohorts,
    ...(live ? { lost: lostWith(kind, live.record) } : {}),
    redaction,
    ownershipTag: action === 'claim' ? undefined : policy.ownership.tag,
    ...sourcesOf(draft),
  })
}

function sourcesOf({ files, live }: Draft): Pick<Change, 'files' | 'filesBefore'> {
  return files ? { files, ...filesBefore(files, live) } : {}
}

/** What a draft does, with all that reviewers and applies go by. */
export function changeFrom(
  context: ObjectContext,
  draft: Draft,
  meaning = meaningOf(context, draft),
): Change {
  const { kind, desired, snapshot } = context
  const { action, live, before, after, files, notes = [], parent } = draft
  const whole = live ? compactManaged(kind, live.record) : null
  const names = referencesIn(kind, [after, live?.record ?? {}], snapshot.links ?? [])
  const becomes = action === 'delete' ? null : { ...whole, ...after }
  const flipped = flips(context, live?.isSoftDeleted ? null : whole, becomes)
  return {
    address: desired.address,
    kind: kind.name,
    action,
    identity: desired.identity,
    ...(desired.label === undefined ? {} : { label: desired.label }),
    ...(live ? { id: live.id } : {}),
    ...(parent ? { parent: parent.reference } : {}),
    ...(names.length > 0 ? { names } : {}),
    before,
    after,
    ...sourcesOf(draft),
    // An apply reads the files again only where it is going to write some.
    fingerprint: live ? fingerprintOf(kind, files ? live : { ...live, files: undefined }) : null,
    ...heldVersion(kind, draft),
    risk: meaning.risk,
    riskReasons: meaning.riskReasons,
    summary: [
      ...meaning.summary,
      ...(flipped?.summary ?? []),
      ...disagreements(context, whole, after),
      ...notes,
    ],
    ...(flipped ? { flippedTests: { count: flipped.count, unexpected: flipped.unexpected } } : {}),
    ...(meaning.exposure ? { exposure: meaning.exposure } : {}),
    ...(meaning.alert === undefined ? {} : { alert: meaning.alert }),
    ...changedAudiences(kind, desired, whole, after),
    allowed: [],
    dependsOn: parent && !parent.isLiving ? [parent.reference.$ref] : [],
    ...(desired.sensitive === undefined ? {} : { sensitive: desired.sensitive }),
    ...(desired.source ? { source: desired.source } : {}),
  }
}

/** The people of its tests who get something else from now on; undefined where there are none. */
function flips(
  { desired: { identity, tests = [] }, testing, redaction }: ObjectContext,
  was: JsonObject | null,
  becomes: JsonObject | null,
): FlippedTests | undefined {
  if (!testing || tests.length === 0) return undefined
  const flipped = flippedTests(identity, tests, [was, becomes], { ...testing, redaction })
  return flipped.count > 0 ? flipped : undefined
}

/** What the service and SDKs tell people differently from now on, where that service is known to answer. */
function disagreements(
  { kind, policy, redaction, snapshot: { profile } }: ObjectContext,
  before: JsonObject | null,
  after: JsonObject,
): readonly string[] {
  const name = targetingField(kind)
  const becomes = name === undefined ? undefined : after[name]
  if (name === undefined || becomes === undefined || profile === undefined) return []
  return newDisagreements(
    before?.[name] ?? null,
    becomes,
    servicesOf([profile], policy.sdks),
    redaction?.hides('values'),
  )
}

function filesBefore(
  files: Readonly<Record<string, string | null>>,
  live: Live | undefined,
): Pick<Change, 'filesBefore'> {
  // What nobody saw cannot be put back, and must not be taken for nothing.
  if (live?.filesUnreadable !== undefined) return {}
  const before = Object.keys(files).map(name => [name, live?.files?.[name] ?? null])
  return { filesBefore: Object.fromEntries(before) }
}
