import type { Runtime } from '../model/runtime/runtime.ts'

/**
 * How long to wait before another look at the service, in milliseconds: twice as long each time, and up to half of it
 * less by chance, so that runs which look at the same time part.
 */
export function backoffMs(firstMs: number, attempt: number, { random }: Pick<Runtime, 'random'>): number {
  return Math.round(firstMs * 2 ** attempt * (0.5 + random() / 2))
}
