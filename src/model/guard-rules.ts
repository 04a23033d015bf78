import type { FieldGuard } from './field.ts'
import { type DeclarableKind, guardedFields, hasTargeting } from './kind.ts'
import { oncePer } from './runtime.ts'

interface Guard {
  /** What it blocks. */
  readonly doc: string
  /** The kinds that the guard checks; all if absent. For a grant, it checks the flag. */
  readonly looksAt?: (kind: DeclarableKind) => boolean
  /** The guard checks more than objects: the limits of a repository, or the results of its runs. */
  readonly needsRepository?: true
  /** The guard checks a plan as a whole, and is allowed for the whole plan or not at all. */
  readonly ofPlan?: true
  /** Blocks objects that a key may not see. It is decided once, the same for all objects. */
  readonly ofKey?: true
}

const hasField = (guard: FieldGuard) => (kind: DeclarableKind) => guardedFields(kind, guard).length > 0
const isDeletedSoftly = ({ lifecycle }: DeclarableKind) => lifecycle.softDelete !== undefined
const hasFiles = ({ lifecycle }: DeclarableKind) => lifecycle.files !== undefined

/**
 * The guards that a person can allow by name, and what each guard blocks. `protect: true` is not among them:
 * only removing it from the declaration lifts it.
 */
export const guards = {
  approval_pending: {
    looksAt: hasTargeting,
    doc: 'requesting a change again that already waits for approval in the service',
  },
  can_edit: {
    looksAt: hasField('can_edit'),
    doc: 'any change of a live flag and of its grants, while the service reports that this key may not edit it',
  },
  delete_limit: {
    needsRepository: true,
    ofPlan: true,
    doc: 'deleting more undeclared objects than `limits.delete` allows',
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
    doc: 'any change during a time in `policies.frozen`',
  },
  live_edit: {
    needsRepository: true,
    doc: 'overwriting an edit from the product since the last apply, if the edit is held or in conflict',
  },
  not_kept: {
    needsRepository: true,
    doc: 'sending a value again that the service accepted before but did not store',
  },
  older_commit: {
    needsRepository: true,
    ofPlan: true,
    doc: 'applying a commit that is older than the last commit applied to this target',
  },
  protected_keys: {
    needsRepository: true,
    doc: 'changing, deleting or granting a live object with a name in `policies.protected_keys`',
  },
  rollback: {
    looksAt: hasField('rollback'),
    doc: 'widening a flag that the service has turned off automatically',
  },
  rollout_step: {
    looksAt: hasTargeting,
    needsRepository: true,
    doc: 'widening a condition of a live flag by more than `limits.rollout_step` at once',
  },
  soft_deleted: {
    looksAt: isDeletedSoftly,
    doc: 'renaming a flag to the key of a soft-deleted flag, which the service then destroys with its grants',
  },
  source_unreadable: {
    looksAt: hasFiles,
    ofKey: true,
    doc: 'writing source files of a live plugin whose current files cannot be read for a comparison',
  },
  survey: {
    looksAt: hasField('survey'),
    doc: 'deleting a flag or turning it off while a survey uses it',
  },
  trail_unreadable: {
    looksAt: isDeletedSoftly,
    ofKey: true,
    doc: 'giving a flag a key that a soft-deleted flag may have, which would be destroyed',
  },
  undeclared_majority: {
    needsRepository: true,
    ofPlan: true,
    doc: 'deleting more undeclared objects with the ownership tag than there are declared objects',
  },
} as const satisfies Readonly<Record<string, Guard>>

export type GuardRule = keyof typeof guards

// The table has exactly these keys.
export const guardRules = Object.keys(guards) as readonly GuardRule[]

export function isGuardRule(rule: string): rule is GuardRule {
  return Object.hasOwn(guards, rule)
}

/** The guards that check only objects. They also apply outside a repository. */
export function objectGuards(): readonly GuardRule[] {
  return guardRules.filter(rule => {
    const guard: Guard = guards[rule]
    return !guard.needsRepository
  })
}

export function isOfKey(rule: GuardRule): boolean {
  const guard: Guard = guards[rule]
  return guard.ofKey === true
}

export function isOfPlan(rule: GuardRule): boolean {
  const guard: Guard = guards[rule]
  return guard.ofPlan === true
}

/** The guards that may block an object of a kind that was declared outside a repository. */
export const guardsOfKind = oncePer((kind: DeclarableKind): readonly GuardRule[] =>
  objectGuards().filter(rule => {
    const guard: Guard = guards[rule]
    return guard.looksAt?.(kind) === true
  }),
)
