/**
 * The steps to remove a flag, in order. Each is a change of the files that is applied before the next.
 *
 * | step     | is done if                                                                                       |
 * |----------|--------------------------------------------------------------------------------------------------|
 * | `decide` | everybody gets the same value: on, one variant, or off                                           |
 * | `code`   | no code names it                                                                                 |
 * | `off`    | it is declared off                                                                               |
 * | `absent` | it is declared absent                                                                            |
 * | `forget` | no file declares it                                                                              |
 */
export const retireSteps = ['decide', 'code', 'off', 'absent', 'forget'] as const
export type RetireStep = (typeof retireSteps)[number]

/** The obstacles to the removal of a flag. */
export const holdKinds = [
  'values',
  'permanent',
  'live_edit',
  'reference',
  'protected',
  'dependent',
  'audience',
  'experiment',
  'survey',
  'feature',
  'can_edit',
  'blocked',
  'unapplied',
  'waiting',
  'elsewhere',
] as const
export type HoldKind = (typeof holdKinds)[number]

/** References in code are no rule of plans, but can be allowed like one. */
export const allowedReferences = { rule: 'references', doc: 'going on while code names the flag' } as const

/** The result of a step in one call: done before, not checkable, written now, held, or for later. */
export const stepStates = ['done', 'unknown', 'written', 'held', 'later'] as const
export type StepState = (typeof stepStates)[number]

/** Whether undeclared objects are deleted: never, those with the ownership tag, or all. */
export const pruneModes = ['never', 'owned', 'all'] as const

export type PruneMode = (typeof pruneModes)[number]

export function isPruneMode(value: unknown): value is PruneMode {
  return pruneModes.some(mode => mode === value)
}

/** How Terraform destroys what it cannot create: leave it, restore its earlier state, or delete it. */
export const destroyWays = ['forget', 'restore', 'delete'] as const
