/** Whether objects that nobody declares are deleted: never, those with the ownership tag, or all. */
export const pruneModes = ['never', 'owned', 'all'] as const

export type PruneMode = (typeof pruneModes)[number]

export function isPruneMode(value: unknown): value is PruneMode {
  return pruneModes.some(mode => mode === value)
}
