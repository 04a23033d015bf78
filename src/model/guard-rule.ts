/**
 * The guards that a person can wave through by naming them, and what each holds back. `protect: true` is none of
 * them: only taking it away lifts it.
 */
export const guardDocs = {
  can_edit:
    'any change of a live flag and of its grants, while the service says that this key may not edit it',
  delete_limit: 'deleting more of what is declared nowhere than `limits.delete` allows',
  experiment: 'deleting a flag or turning it off while an experiment runs on it',
  feature: 'deleting a flag or turning it off while an early access feature stands behind it',
  not_kept: 'sending a value once more that the service took before and did not keep',
  rollback: 'widening a flag that the service has turned off by itself',
  rollout_step: 'widening a condition of a live flag by more than `limits.rollout_step` at once',
  source_unreadable: 'writing source files of a live plugin that cannot be read for comparison',
  survey: 'deleting a flag or turning it off while a survey is shown by it',
} as const

export type GuardRule = keyof typeof guardDocs

// The table has these keys and no others.
export const guardRules = Object.keys(guardDocs) as readonly GuardRule[]

export function isGuardRule(rule: string): rule is GuardRule {
  return Object.hasOwn(guardDocs, rule)
}
