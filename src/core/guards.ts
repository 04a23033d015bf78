import type { JsonObject } from '../model/json.ts'
import type { Action, ExposureChange, WithheldRule } from './change.ts'
import type { Desired, GuardRule } from './desired.ts'
import { hasAny, type Live } from './live.ts'
import type { Policy } from './policy.ts'

/**
 * What a guard looks at. Guards see only what the list has already returned, so that no guard costs a request.
 *
 * | rule         | holds back                                   | because                                         |
 * |--------------|----------------------------------------------|-------------------------------------------------|
 * | protected    | deletion, switching off                      | the declaration says `protect: true`            |
 * | can_edit     | any change of a live flag                    | the service says that this key may not edit it  |
 * | experiment   | deletion, switching off                      | an experiment runs on it                        |
 * | survey       | deletion, switching off                      | a survey is shown by it                         |
 * | feature      | deletion, switching off                      | an early access feature stands behind it        |
 * | rollback     | any widening                                 | the service turned it off by itself             |
 * | rollout_step | a widening past the limit, on a live flag    | nobody should go from 10% to 100% unnoticed     |
 */
export interface GuardedChange {
  readonly action: Action
  readonly desired?: Desired
  readonly live?: Live
  /** The declared values of the fields that change. */
  readonly after: JsonObject
  readonly exposure?: ExposureChange
}

export interface Objection {
  readonly rule: Extract<WithheldRule, GuardRule | 'protected'>
  readonly reason: string
  readonly wayPast: string
}

/** Every guard that objects to a change, whether or not it was waved through. */
export function objectionsTo(change: GuardedChange, policy: Policy): Objection[] {
  return [
    ...(isProtected(change) ? [protection] : []),
    ...linkedObjections(change),
    ...(isForbidden(change) ? [forbidden] : []),
    ...(isRolledBack(change) ? [rolledBack] : []),
    ...stepObjection(change, policy),
  ]
}

const protection: Objection = {
  rule: 'protected',
  reason: 'the declaration protects it from being deleted or turned off',
  wayPast: 'remove `protect: true` first, in a change of its own',
}

const forbidden: Objection = {
  rule: 'can_edit',
  reason: 'the service says that this key may not edit it',
  wayPast: 'grant the role, or plan with --allow can_edit when another key applies',
}

const rolledBack: Objection = {
  rule: 'rollback',
  reason: 'the service rolled it back by itself; this would widen it again',
  wayPast: 'look into the rollback, then --allow rollback or `acknowledge: [rollback]`',
}

const links = [
  { rule: 'experiment', field: 'experiment_set', what: 'an experiment runs on it' },
  { rule: 'survey', field: 'surveys', what: 'a survey is shown by it' },
  { rule: 'feature', field: 'features', what: 'an early access feature stands behind it' },
] as const

function linkedObjections({ action, live, after }: GuardedChange): Objection[] {
  if (!live || !turnsOff(action, after)) return []
  return links
    .filter(({ field }) => hasAny(live.record, field))
    .map(({ rule, what }) => ({
      rule,
      reason: what,
      wayPast: `end that first, or --allow ${rule}`,
    }))
}

function isProtected({ action, desired, after }: GuardedChange): boolean {
  return desired?.protect === true && turnsOff(action, after)
}

function isForbidden({ action, live }: GuardedChange): boolean {
  return action !== 'create' && live?.record.can_edit === false
}

function isRolledBack({ live, exposure }: GuardedChange): boolean {
  return (
    live?.record.performed_rollback === true &&
    (exposure?.direction === 'wider' || exposure?.direction === 'mixed')
  )
}

function stepObjection({ action, exposure }: GuardedChange, { limits }: Policy): Objection[] {
  const limit = limits.rolloutStep
  if (limit === undefined || action !== 'update' || !exposure || exposure.step <= limit) return []
  return [
    {
      rule: 'rollout_step',
      reason: `widens by ${exposure.step} points in one step, past the limit of ${limit}`,
      wayPast: 'go in smaller steps, or --allow rollout_step or `acknowledge: [rollout_step]`',
    },
  ]
}

function turnsOff(action: Action, after: JsonObject): boolean {
  return action === 'delete' || after.active === false
}
