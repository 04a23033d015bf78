/**
 * The steps to remove a flag, in order. Each step changes files and must be applied before the next step.
 *
 * | step     | is done if                                             |
 * |----------|--------------------------------------------------------|
 * | `decide` | everybody gets the same value: on, one variant, or off |
 * | `code`   | no code names it                                       |
 * | `off`    | it is declared off                                     |
 * | `absent` | it is declared absent                                  |
 * | `forget` | no file declares it                                    |
 */
export const retireSteps = ['decide', 'code', 'off', 'absent', 'forget'] as const
export type RetireStep = (typeof retireSteps)[number]

/** What can block the removal of a flag. */
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

/** References in code do not block plans, but can be allowed in the same syntax. */
export const allowedReferences = {
  rule: 'references',
  doc: "continuing although code still contains the flag's key",
} as const

/** The result of a step in one call: already done, cannot be checked, written now, blocked, or later. */
export const stepStates = ['done', 'unknown', 'written', 'held', 'later'] as const
export type StepState = (typeof stepStates)[number]

/** Which undeclared objects are deleted: none, those with the ownership tag, or all. */
export const pruneModes = ['never', 'owned', 'all'] as const

export type PruneMode = (typeof pruneModes)[number]

export function isPruneMode(value: unknown): value is PruneMode {
  return pruneModes.some(mode => mode === value)
}

/** How Terraform's destroy treats an object that it cannot create. `restore`: its earlier values. */
export const destroyWays = ['forget', 'restore', 'delete'] as const
