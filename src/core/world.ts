import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { World } from '../model/world.ts'

/** The real clock, timer and randomness. */
export const realWorld: World = {
  now: () => Date.now(),
  sleep: (ms, signal) => wait(ms, undefined, { signal }),
  random: () => Math.random(),
  uniqueId: () => randomUUID(),
}
