import type { FieldGuard } from './field.ts'
import { type DeclarableKind, guardedFields, hasTargeting } from './kind.ts'
import { oncePer } from './runtime.ts'

interface Guard {
  /** What it blocks. */
  readonly doc: string
  /** The kinds that it checks; all if absent. For a grant, it checks the flag. */
  readonly looksAt?: (kind: DeclarableKind) => boolean
  /** Set if it checks more than objects: the limits of a repository, or the results of its runs. */
  readonly needsRepository?: true
  /** Set if it checks a plan as a whole, and so is allowed for all of it or not at all. */
  readonly ofPlan?: true
  /** Set if it blocks objects that a key may not see: that is the same for all objects, and decided once. */
  readonly ofKey?: true
}

const hasField = (guard: FieldGuard) => (kind: DeclarableKind) => guardedFields(kind, guard).length > 0
const isDeletedSoftly = ({ lifecycle }: DeclarableKind) => lifecycle.softDelete !== undefined
const hasFiles = ({ lifecycle }: DeclarableKind) => lifecycle.files !== undefined

/**
 * The guards that a person can allow by name, and what each blocks. `protect: true` is none of them: only
 * removing it from the declaration lifts it.
 */
export const guards = {
  approval_pending: {
    looksAt: hasTargeting,
    doc: 'asking once more for a change that waits for approval in the service',
  },
  can_edit: {
    looksAt: hasField('can_edit'),
    doc: 'any change of a live flag and of its grants, while the service reports that this key may not edit it',
  },
  delete_limit: {
    needsRepository: true,
    ofPlan: true,
    doc: 'deleting more of what is declared nowhere than `limits.delete` allows',
  },
  experiment: {
    looksAt: hasField('experiment'),
    doc: 'deleting a flag or turning it off while an experiment runs on it',
  },
  feature: {
    looksAt: hasField('feature'),
    doc: 'deleting a flag or turning it off while it belongs to an early access feature',
  },
  frozen: {
    needsRepository: true,
    doc: 'any change in a time that `policies.frozen` names',
  },
  live_edit: {
    needsRepository: true,
    doc: 'writing over what was changed in the product since an apply, where that is held or a conflict',
  },
  not_kept: {
    needsRepository: true,
    doc: 'sending a value once more that the service took before and did not keep',
  },
  older_commit: {
    needsRepository: true,
    ofPlan: true,
    doc: 'applying a commit that is older than the one that was applied to this place last',
  },
  protected_keys: {
    needsRepository: true,
    doc: 'changing, deleting or granting what is live and has a name of `policies.protected_keys`',
  },
  rollback: {
    looksAt: hasField('rollback'),
    doc: 'widening a flag that the service has turned off by itself',
  },
  rollout_step: {
    looksAt: hasTargeting,
    needsRepository: true,
    doc: 'widening a condition of a live flag by more than `limits.rollout_step` at once',
  },
  soft_deleted: {
    looksAt: isDeletedSoftly,
    doc: 'renaming a flag to the key of a soft-deleted one, which the service destroys with its grants',
  },
  source_unreadable: {
    looksAt: hasFiles,
    ofKey: true,
    doc: 'writing source files of a live plugin that cannot be read for comparison',
  },
  survey: {
    looksAt: hasField('survey'),
    doc: 'deleting a flag or turning it off while a survey uses it',
  },
  trail_unreadable: {
    looksAt: isDeletedSoftly,
    ofKey: true,
    doc: 'giving a flag a key that a soft-deleted flag may hold, which would be destroyed',
  },
  undeclared_majority: {
    needsRepository: true,
    ofPlan: true,
    doc: 'deleting more objects with the ownership tag that are declared nowhere than there are declared',
  },
} as const satisfies Readonly<Record<string, Guard>>

export type GuardRule = keyof typeof guards

// The table has these keys and no others.
export const guardRules = Object.keys(guards) as readonly GuardRule[]

export function isGuardRule(rule: string): rule is GuardRule {
  return Object.hasOwn(guards, rule)
}

/** The guards that check only objects, as they also apply outside of a repository. */
export function objectGuards(): readonly GuardRule[] {
  return guardRules.filter(rule => {
    const guard: Guard = guards[rule]
    return !guard.needsRepository
  })
}

/** Whether a guard is decided once for everything rather than for each object. */
export function isOfKey(rule: GuardRule): boolean {
  const guard: Guard = guards[rule]
  return guard.ofKey === true
}

/** Whether a guard checks a plan as a whole rather than each object. */
export function isOfPlan(rule: GuardRule): boolean {
  const guard: Guard = guards[rule]
  return guard.ofPlan === true
}

/** The guards that may block an object of a kind that was declared outside of a repository. */
export const guardsOfKind = oncePer((kind: DeclarableKind): readonly GuardRule[] =>
  objectGuards().filter(rule => {
    const guard: Guard = guards[rule]
    return guard.looksAt?.(kind) === true
  }),
)
