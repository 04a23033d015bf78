import { declarableKind } from '../../kinds/index.ts'
import { type DeclarableKind, guardedFields, switchField, targetingField } from '../../model/kind.ts'
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../model/text/json.ts'
import { fitsAnyGlob } from '../../model/text/names.ts'
import { shellWord } from '../../model/text/printable.ts'
import { type FrozenWindow, windowAt, windowText } from '../../policies/frozen-window.ts'
import type { PlannedPolicy } from '../../policies/planned-policies.ts'
import type { Level } from '../../policies/policy.ts'
import type { Widening } from '../../targeting/compare/exposure.ts'
import { countsGroups, variantKeys } from '../../targeting/release.ts'
import { visible } from '../../targeting/value-words.ts'
import type { Action, Block, Change, ExposureChange } from '../change.ts'
import { type Desired, type GuardRule, parentKey } from '../desired.ts'
import { usesOf } from '../flag-links.ts'
import type { Live } from '../live.ts'
import { allowFlag, commandAt, type Policy } from '../policy.ts'
import type { Shadowed } from '../read/find-soft-deleted.ts'

/**
 * The input of a guard. Guards use only what the snapshot has already read, so that no guard costs a request.
 *
 * | rule              | holds back                                | because                                        |
 * |-------------------|-------------------------------------------|------------------------------------------------|
 * | protected         | deletion, switching off                   | the declaration has `protect: true`            |
 * | can_edit          | any change of a live flag and its grants  | the service reports that this key may not edit |
 * | experiment        | deletion, switching off, the loss of a    | an experiment runs on it                       |
 * |                   | variant                                   |                                                |
 * | survey            | deletion, switching off                   | a survey is shown by it                        |
 * | feature           | deletion, switching off, groups           | an early access feature uses it                |
 * | rollback          | any widening                              | the service turned it off by itself            |
 * | rollout_step      | a widening past the limit, on a live flag | nobody should go from 10% to 100% unnoticed    |
 * | not_kept          | the same value of a field once more       | the service took it before and did not keep it |
 * | approval_pending  | the same change once more                 | somebody has to approve it in the service      |
 * | source_unreadable | source files of a live plugin             | nobody knows whether they differ               |
 * | soft_deleted      | a rename to a soft-deleted one's name     | the service destroys that one                  |
 * | trail_unreadable  | a creation, a rename                      | nobody knows what it would destroy             |
 * | frozen            | every change                              | the settings name such a time                  |
 * | protected_keys    | any change of what is live                | the settings protect its name                  |
 */
export interface GuardedChange {
  readonly kind: DeclarableKind
  readonly action: Action
  readonly desired?: Desired
  readonly live?: Live
  /** For a grant: its flag. */
  readonly parent?: Live
  /** The declared values of the fields that change. */
  readonly after: JsonObject
  readonly exposure?: ExposureChange
  /** The condition that widens most. */
  readonly widest?: Widening
  /** See `Policy`. */
  readonly placeOptions?: string
  /** The changing fields whose value the service took before and did not keep. */
  readonly notKept?: readonly string[]
  /** The request for just this change that waits for approval in the service. */
  readonly changeRequest?: string
  readonly writesFiles?: boolean
  /** A hidden object that has the new name of this change already. */
  readonly shadowed?: Shadowed
}

export type GuardBlock = Block<GuardRule | 'protected'>

/** Every guard that objects to a change, whether or not it is allowed. */
export function blocksOf(change: GuardedChange, policy: Policy): GuardBlock[] {
  return [
    ...(isProtected(change) ? [protection] : []),
    ...linkedBlocks(change),
    ...(isForbidden(change) ? [forbidden(change)] : []),
    ...(isRolledBack(change) ? [rolledBack(change)] : []),
    ...stepBlock(change, policy),
    ...notKeptBlock(change),
    ...pendingBlock(change),
    ...unseenFilesBlock(change),
    ...shadowBlock(change),
    ...plannedBlocks(change, policy).flatMap(({ level, block }) => (level === 'error' ? [block] : [])),
  ]
}

/** Rules for which the settings only warn. */
export function remarksOn(change: GuardedChange, policy: Policy): string[] {
  return plannedBlocks(change, policy).flatMap(({ level, block }) =>
    level === 'warning' ? [`although ${block.reason} (policy ${block.rule})`] : [],
  )
}

const protection: GuardBlock = {
  rule: 'protected',
  reason: 'the declaration protects it from being deleted or turned off',
  remedy: 'remove `protect: true` first, in a change of its own',
}

function forbidden(change: GuardedChange): GuardBlock {
  return {
    rule: 'can_edit',
    reason: 'the service reports that this key may not edit it',
    remedy: `grant the role, or plan with ${allowing('can_edit', change)} when another key applies`,
  }
}

function rolledBack(change: GuardedChange): GuardBlock {
  return {
    rule: 'rollback',
    reason: 'the service rolled it back by itself; this would widen it again',
    remedy: `look into the rollback, then ${allowing('rollback', change)} or \`allow: [rollback]\` in its declaration`,
  }
}

/** Objects that depend on an object and stop with it. */
const links = [
  { rule: 'experiment', what: 'an experiment runs on it' },
  { rule: 'survey', what: 'a survey is shown by it' },
  { rule: 'feature', what: 'it belongs to an early access feature' },
] as const

/** The guards for objects that depend on this one and would stop with it. */
export function linkedBlocks(change: GuardedChange) {
  const { kind, live } = change
  if (!live) return []
  if (!turnsOff(change)) return [...lostVariantBlock(change, live), ...groupsBlock(change, live)]
  return links
    .filter(({ rule }) => usesOf(kind, rule, live.record).length > 0)
    .map(({ rule, what }) => ({
      rule,
      reason: what,
      remedy: `end that first, or ${allowing(rule, change)}`,
    }))
}

/** Participants of an experiment would no longer get their variant. [service-today 3] */
function lostVariantBlock(change: GuardedChange, { record }: Live) {
  const { kind, after } = change
  const field = targetingField(kind) ?? ''
  const runs = usesOf(kind, 'experiment', record).length > 0
  if (!runs || !(field in after)) return []
  const left = variantsIn(after[field])
  const lost = variantsIn(record[field]).filter(key => !left.includes(key))
  if (lost.length === 0) return []
  return [
    {
      rule: 'experiment' as const,
      reason: `an experiment runs on it, and this takes variants from it: ${lost.map(visible).join(', ')}`,
      remedy: `keep them until it has ended, or ${allowing('experiment', change)}`,
    },
  ]
}

/** Only persons can enrol in an early access feature. [service-today 3] */
function groupsBlock(change: GuardedChange, { record }: Live) {
  const { kind, after } = change
  const field = targetingField(kind) ?? ''
  const [feature] = usesOf(kind, 'feature', record)
  if (feature === undefined || !(field in after) || !countsGroups(after[field] ?? null)) return []
  return [
    {
      rule: 'feature' as const,
      reason: 'it belongs to an early access feature, which no flag of groups can have',
      remedy: `count persons, end that first, or ${allowing('feature', change)}`,
    },
  ]
}

function variantsIn(filters: Json | undefined): string[] {
  return isJsonObject(filters) ? variantKeys(filters) : []
}

function isProtected(change: GuardedChange): boolean {
  const { action, desired } = change
  // A new object is not turned off by its creation.
  const isThere = action !== 'create' && action !== 'restore'
  return desired?.protect === true && isThere && turnsOff(change)
}

function isForbidden({ action, live, parent }: GuardedChange): boolean {
  const touched = action === 'create' ? [parent] : [live, parent]
  return touched.some(one => one && forbids(declarableKind(one.kind), one.record))
}

/** Whether a field reports that the caller may not change the object, in the terms of either service. */
function forbids(kind: DeclarableKind, record: JsonObject): boolean {
  return guardedFields(kind, 'can_edit').some(name => {
    const { forbidding = [false] } = kind.fields[name] ?? {}
    return forbidding.some(value => value === record[name])
  })
}

function isRolledBack({ kind, live, exposure }: GuardedChange): boolean {
  return (
    guardedFields(kind, 'rollback').some(name => live?.record[name] === true) &&
    (exposure?.direction === 'wider' || exposure?.direction === 'mixed')
  )
}

/** The guard for a widening that is larger than one plan allows. */
function stepBlock(
  change: Pick<GuardedChange, 'action' | 'exposure'> & TooWide,
  { limits }: Policy,
): GuardBlock[] {
  const { action, exposure } = change
  const limit = limits.rolloutStep
  if (limit === undefined || action !== 'update' || !exposure || exposure.step <= limit) return []
  return [
    {
      rule: 'rollout_step',
      reason: `widens by ${exposure.step} points in one step, past the limit of ${limit}`,
      remedy: `${smallerSteps(change, limit)}, or ${allowing('rollout_step', change)} or \`allow: [rollout_step]\` in its declaration`,
    },
  ]
}

function notKeptBlock(change: GuardedChange): GuardBlock[] {
  const { notKept = [] } = change
  if (notKept.length === 0) return []
  return [
    {
      rule: 'not_kept',
      reason: `the service took ${notKept.join(', ')} before and did not keep it`,
      remedy: `leave it out or add it to \`ignore\`; ${allowing('not_kept', change)} sends it once more`,
    },
  ]
}

function pendingBlock(change: GuardedChange): GuardBlock[] {
  const { changeRequest } = change
  if (changeRequest === undefined) return []
  return [
    {
      rule: 'approval_pending',
      reason: `it waits for approval in the service: change request ${changeRequest}`,
      remedy: `have that approved, which makes the change; where it was rejected and this key may not ask for that, ${allowing('approval_pending', change)} asks once more`,
    },
  ]
}

function unseenFilesBlock(change: GuardedChange): GuardBlock[] {
  const { live, writesFiles } = change
  if (!writesFiles || live?.filesUnreadable === undefined) return []
  return [
    {
      rule: 'source_unreadable',
      reason: `its source files cannot be compared: ${live.filesUnreadable}`,
      remedy: `use a key that may read them; ${allowing('source_unreadable', change)} writes them unseen`,
    },
  ]
}

/** The guards for objects that the service would destroy to make room for a name. */
export function shadowBlock(change: Pick<GuardedChange, 'action' | 'desired' | 'shadowed'>): GuardBlock[] {
  const { action, shadowed } = change
  if (shadowed?.is === 'unknown') {
    return [
      {
        rule: 'trail_unreadable',
        reason: `it may destroy a soft-deleted one of the same name: ${shadowed.reason}`,
        remedy: `use a key that may read the activity trail; ${allowing('trail_unreadable', change)} goes on, and \`allow: [trail_unreadable]\` in the settings always does`,
      },
    ]
  }
  // If no living object exists yet, that one is restored instead.
  if (shadowed?.is !== 'deleted' || action === 'create') return []
  return [
    {
      rule: 'soft_deleted',
      reason: `its new name is that of a soft-deleted one (id ${shadowed.live.id}), which would be destroyed`,
      remedy: `take another name, or restore that one first; ${allowing('soft_deleted', change)} destroys it`,
    },
  ]
}

/** The whole flag, ready to be typed; with the address if the object is known. */
function allowing(rule: GuardRule, { desired }: Pick<GuardedChange, 'desired'>): string {
  return desired ? allowFlag(rule, desired.address) : `--allow ${rule}`
}

function turnsOff({ kind, action, after }: GuardedChange): boolean {
  const turned = switchField(kind)
  return action === 'delete' || (turned !== undefined && after[turned] === false)
}

interface TooWide {
  readonly kind?: DeclarableKind
  readonly desired?: Desired
  readonly widest?: Widening
  readonly placeOptions?: string
}

/**
 * How to widen a flag within a limit. If the conditions are declared in YAML, this is the command that writes
 * the next step into the file. It counts conditions from 1, and an only condition needs no number.
 */
function smallerSteps({ kind, desired, widest, placeOptions }: TooWide, limit: number): string {
  const filters = desired?.fields[(kind && targetingField(kind)) ?? '']
  const groups = filters !== undefined && isJsonObject(filters) ? filters.groups : undefined
  const isInYaml = /\.ya?ml$/i.test(desired?.source?.file ?? '')
  if (!desired || !widest || limit <= 0 || !isInYaml || filters === undefined) return 'go in smaller steps'
  const to = Number((widest.before + limit).toFixed(6))
  const condition =
    groups !== undefined && isJsonArray(groups) && groups.length > 1 ? ` --condition ${widest.index + 1}` : ''
  const command = `vexil ramp ${shellWord(desired.address)} --to ${to}${condition}`
  return `go in smaller steps: ${commandAt(command, placeOptions)} writes the first one`
}

/** The policies that can block a change. */
type BlockingPolicy = 'frozen' | 'protected_keys'

/** The parts of a change that a policy reads. */
type PlannedChange = Pick<GuardedChange, 'action' | 'desired' | 'live' | 'parent'>

/**
 * The policies of the settings that block a change, each with its level.
 *
 * | policy           | holds back                                                      |
 * |------------------|-----------------------------------------------------------------|
 * | `frozen`         | every change, as long as a window lasts                         |
 * | `protected_keys` | any change of a live object with such a name, and of its grants |
 */
function plannedBlocks(
  change: PlannedChange,
  policy: Policy,
): { readonly level: Level; readonly block: Block<BlockingPolicy> }[] {
  const { frozen, protected_keys: keys } = policy.planned ?? {}
  if (!frozen && !keys) return []
  const name = nameOf(change)
  const found = (rule: BlockingPolicy, { level, remedy }: PlannedPolicy, reason: string) => ({
    level,
    block: { rule, reason, remedy: `${remedy}, or ${allowing(rule, change)}` },
  })
  const window = frozen && policy.now !== undefined ? windowAt(frozen.windows, policy.now) : undefined
  const isThere = change.action !== 'create' || change.parent !== undefined
  return [
    ...(frozen && window && !isLeftAlone(frozen, name) ? [found('frozen', frozen, reasonOf(window))] : []),
    ...(keys && isThere && fitsAnyGlob(keys.keys, name) && !isLeftAlone(keys, name)
      ? [found('protected_keys', keys, `the settings protect ${JSON.stringify(name)} from changes`)]
      : []),
  ]
}

/** The first change that is forbidden now, because a window has begun since it was planned; with its reason. */
export function frozenSince(
  changes: readonly Change[],
  policy: Policy,
): { readonly change: Change; readonly reason: string } | undefined {
  const { frozen } = policy.planned ?? {}
  const window = frozen && policy.now !== undefined ? windowAt(frozen.windows, policy.now) : undefined
  if (!window || frozen?.level !== 'error') return undefined
  const change = changes.find(
    ({ allowed, parent, identity }) =>
      !allowed.includes('frozen') && !isLeftAlone(frozen, parent?.identity ?? identity),
  )
  return change && { change, reason: reasonOf(window) }
}

function reasonOf(window: FrozenWindow): string {
  return `nothing is changed now: ${windowText(window)}`
}

/** A grant goes by its flag, and a renamed object by its present name. */
function nameOf({ desired, live, parent }: PlannedChange): string {
  const flag = parent?.identity ?? (desired && parentKey(desired))
  return flag ?? desired?.renamedFrom ?? live?.identity ?? desired?.identity ?? ''
}

function isLeftAlone({ except }: PlannedPolicy, name: string): boolean {
  return fitsAnyGlob(except, name)
}
