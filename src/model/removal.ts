/**
 * The steps in which a flag is removed, in their order. Each is a change of the files that is applied before the next.
 *
 * | step     | is done where                                                                                    |
 * |----------|--------------------------------------------------------------------------------------------------|
 * | `decide` | everybody gets the same of it: on, one variant, or off                                           |
 * | `code`   | no code names it                                                                                 |
 * | `off`    | it is declared off                                                                               |
 * | `absent` | it is declared absent                                                                            |
 * | `forget` | no file declares it                                                                              |
 */
export const retireSteps = ['decide', 'code', 'off', 'absent', 'forget'] as const
export type RetireStep = (typeof retireSteps)[number]

/** What can hold a flag. */
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

/** What became of a step in one call: it was done before or nobody could look, was written, is held, or comes later. */
export const stepStates = ['done', 'unknown', 'written', 'held', 'later'] as const
export type StepState = (typeof stepStates)[number]

/** Whether objects that nobody declares are deleted: never, those with the ownership tag, or all. */
export const pruneModes = ['never', 'owned', 'all'] as const

export type PruneMode = (typeof pruneModes)[number]

export function isPruneMode(value: unknown): value is PruneMode {
  return pruneModes.some(mode => mode === value)
}

/** The ways in which Terraform can let go of what it cannot create: left as it is, put back as it was, or deleted. */
export const destroyWays = ['forget', 'restore', 'delete'] as const
