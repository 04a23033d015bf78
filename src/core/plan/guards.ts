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
 * The input of a guard. Guards use only the snapshot, so they cost no request.
 *
 * | rule              | blocks                                    | because                                        |
 * |-------------------|-------------------------------------------|------------------------------------------------|
 * | protected         | deletion, switching off                   | the declaration has `protect: true`            |
 * | can_edit          | any change of a live flag and its grants  | the service reports that this key may not edit |
 * | experiment        | deletion, switching off, the loss of a    | an experiment runs on it                       |
 * |                   | variant                                   |                                                |
 * | survey            | deletion, switching off                   | a survey uses it                               |
 * | feature           | deletion, switching off, groups           | an early access feature uses it                |
 * | rollback          | any widening                              | the service turned it off by itself            |
 * | rollout_step      | a widening past the limit, on a live flag | reviewers must notice a jump from 10% to 100%  |
 * | not_kept          | the same value of a field again           | the service accepted but did not store it      |
 * | approval_pending  | the same change again                     | it needs approval in the service               |
 * | source_unreadable | source files of a live plugin             | it is unknown whether they differ              |
 * | soft_deleted      | a rename to a soft-deleted object's name  | the service destroys that object               |
 * | trail_unreadable  | a creation, a rename                      | it is unknown what it would destroy            |
 * | frozen            | every change                              | the settings freeze changes now                |
 * | protected_keys    | any change of a live object               | the settings protect its name                  |
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
  readonly placeOptions?: string
  /** The changing fields whose value the service accepted before but did not store. */
  readonly notKept?: readonly string[]
  /** The pending request for the same change in the service. */
  readonly changeRequest?: string
  readonly writesFiles?: boolean
  /** A hidden object that already has the new name. */
  readonly shadowed?: Shadowed
}

export type GuardBlock = Block<GuardRule | 'protected'>

/** All guards that block a change, including allowed ones. */
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

/** Policies that only warn. */
export function remarksOn(change: GuardedChange, policy: Policy): string[] {
  return plannedBlocks(change, policy).flatMap(({ level, block }) =>
    level === 'warning' ? [`although ${block.reason} (policy ${block.rule})`] : [],
  )
}

const protection: GuardBlock = {
  rule: 'protected',
  reason: 'the declaration protects it from being deleted or turned off',
  remedy: 'remove `protect: true` first, in a separate change',
}

function forbidden(change: GuardedChange): GuardBlock {
  return {
    rule: 'can_edit',
    reason: 'the service reports that this key may not edit it',
    remedy: `grant the role, or plan with ${allowing('can_edit', change)} if another key will apply`,
  }
}

function rolledBack(change: GuardedChange): GuardBlock {
  return {
    rule: 'rollback',
    reason: 'the service rolled it back automatically; this would widen it again',
    remedy: `check why it was rolled back, then use ${allowing('rollback', change)} or \`allow: [rollback]\` in its declaration`,
  }
}

/** Uses of an object that stop with it. */
const links = [
  { rule: 'experiment', what: 'an experiment runs on it' },
  { rule: 'survey', what: 'a survey uses it' },
  { rule: 'feature', what: 'it belongs to an early access feature' },
] as const

/** The guards for experiments, surveys and features that would stop. */
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
      reason: `an experiment runs on it, and this change removes variants: ${lost.map(visible).join(', ')}`,
      remedy: `keep the variants until the experiment has ended, or ${allowing('experiment', change)}`,
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
      reason: 'it belongs to an early access feature, which needs a flag for persons',
      remedy: `use persons, end the feature first, or ${allowing('feature', change)}`,
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

/** Whether a record shows that the caller may not change the object, in any service version. */
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
      reason: `the service accepted ${notKept.join(', ')} before but did not store it`,
      remedy: `remove it from the declaration or add it to \`ignore\`; ${allowing('not_kept', change)} sends it again`,
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
      remedy: `have the request approved: then the service makes the change; if it was rejected and this key cannot see that, ${allowing('approval_pending', change)} sends a new request`,
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
      remedy: `use a key that may read them; ${allowing('source_unreadable', change)} overwrites them without a comparison`,
    },
  ]
}

/** The guards for soft-deleted objects that the service would destroy because of a name. */
export function shadowBlock(change: Pick<GuardedChange, 'action' | 'desired' | 'shadowed'>): GuardBlock[] {
  const { action, shadowed } = change
  if (shadowed?.is === 'unknown') {
    return [
      {
        rule: 'trail_unreadable',
        reason: `it may destroy a soft-deleted object of the same name: ${shadowed.reason}`,
        remedy: `use a key that may read the activity trail; ${allowing('trail_unreadable', change)} permits it once, \`allow: [trail_unreadable]\` in the settings always`,
      },
    ]
  }
  // A creation restores the soft-deleted object instead.
  if (shadowed?.is !== 'deleted' || action === 'create') return []
  return [
    {
      rule: 'soft_deleted',
      reason: `a soft-deleted object (id ${shadowed.live.id}) has its new name and would be destroyed`,
      remedy: `choose another name, or restore that object first; ${allowing('soft_deleted', change)} destroys it`,
    },
  ]
}

/** The complete option, with the address if the object is known. */
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
 * How to widen a flag within a limit. For conditions in YAML, the command that writes the next step into the
 * file. It counts conditions from 1.
 */
function smallerSteps({ kind, desired, widest, placeOptions }: TooWide, limit: number): string {
  const filters = desired?.fields[(kind && targetingField(kind)) ?? '']
  const groups = filters !== undefined && isJsonObject(filters) ? filters.groups : undefined
  const isInYaml = /\.ya?ml$/i.test(desired?.source?.file ?? '')
  if (!desired || !widest || limit <= 0 || !isInYaml || filters === undefined) return 'use smaller steps'
  const to = Number((widest.before + limit).toFixed(6))
  const condition =
    groups !== undefined && isJsonArray(groups) && groups.length > 1 ? ` --condition ${widest.index + 1}` : ''
  const command = `vexil ramp ${shellWord(desired.address)} --to ${to}${condition}`
  return `use smaller steps: ${commandAt(command, placeOptions)} writes the first one`
}

type BlockingPolicy = 'frozen' | 'protected_keys'

type PlannedChange = Pick<GuardedChange, 'action' | 'desired' | 'live' | 'parent'>

/**
 * The policies of the settings that block a change, each with its level.
 *
 * | policy           | blocks                                                          |
 * |------------------|-----------------------------------------------------------------|
 * | `frozen`         | every change during the window                                  |
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

/** The first change that a freeze forbids now, and the reason. The freeze may have begun after planning. */
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

/** The name of the object; for a grant that of its flag, for a renamed object the current one. */
function nameOf({ desired, live, parent }: PlannedChange): string {
  const flag = parent?.identity ?? (desired && parentKey(desired))
  return flag ?? desired?.renamedFrom ?? live?.identity ?? desired?.identity ?? ''
}

function isLeftAlone({ except }: PlannedPolicy, name: string): boolean {
  return fitsAnyGlob(except, name)
}
