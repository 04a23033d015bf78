interface Guard {
  /** What it holds back. */
  readonly doc: string
  /** The kind whose objects it looks at; any kind where it names none. For a grant, its flag is looked at. */
  readonly kind?: string
  /** Set where it looks at more than objects: at the limits of a repository, or at what its runs have seen. */
  readonly needsRepository?: true
}

/**
 * The guards that a person can wave through by naming them, and what each holds back. `protect: true` is none of
 * them: only taking it away lifts it.
 */
export const guards = {
  can_edit: {
    kind: 'feature_flag',
    doc: 'any change of a live flag and of its grants, while the service says that this key may not edit it',
  },
  delete_limit: {
    needsRepository: true,
    doc: 'deleting more of what is declared nowhere than `limits.delete` allows',
  },
  experiment: {
    kind: 'feature_flag',
    doc: 'deleting a flag or turning it off while an experiment runs on it',
  },
  feature: {
    kind: 'feature_flag',
    doc: 'deleting a flag or turning it off while an early access feature stands behind it',
  },
  not_kept: {
    needsRepository: true,
    doc: 'sending a value once more that the service took before and did not keep',
  },
  rollback: {
    kind: 'feature_flag',
    doc: 'widening a flag that the service has turned off by itself',
  },
  rollout_step: {
    kind: 'feature_flag',
    needsRepository: true,
    doc: 'widening a condition of a live flag by more than `limits.rollout_step` at once',
  },
  source_unreadable: {
    kind: 'plugin',
    doc: 'writing source files of a live plugin that cannot be read for comparison',
  },
  survey: {
    kind: 'feature_flag',
    doc: 'deleting a flag or turning it off while a survey is shown by it',
  },
} as const satisfies Readonly<Record<string, Guard>>

export type GuardRule = keyof typeof guards

// The table has these keys and no others.
export const guardRules = Object.keys(guards) as readonly GuardRule[]

export function isGuardRule(rule: string): rule is GuardRule {
  return Object.hasOwn(guards, rule)
}

/** The guards that may hold back an object of a kind that was declared outside of a repository. */
export function guardsOfKind(kind: string): readonly GuardRule[] {
  return guardRules.filter(rule => {
    const guard: Guard = guards[rule]
    return guard.kind === kind && !guard.needsRepository
  })
}
