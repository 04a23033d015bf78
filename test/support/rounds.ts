import { env } from 'node:process'
import { isPlain, suiteVariable } from '../suites.ts'

/** Which part of its rounds a property is tried in, by the suite: the oftener one waits for it, the fewer. */
const parts: Readonly<Record<string, number>> = { full: 1, unit: 1 / 10 }

/** How often a property is tried: in full by `npm run test:full`, by `npm test` a quarter as often. */
export function rounds(inFull: number): number {
  return Math.ceil(inFull * (parts[env[suiteVariable] ?? ''] ?? 1 / 4))
}

/**
 * The same for a property of which each round is long, since it runs several commands: by `npm test` an eighth as often.
 * Not for one that asserts what its rounds have seen.
 */
export function longRounds(inFull: number): number {
  return Math.ceil(rounds(inFull) * (isPlain() ? 1 / 2 : 1))
}

/** Ways that come to the same: all of them, and in `npm test` the first. For what starts processes for each. */
export function ways<Way>(all: readonly Way[]): readonly Way[] {
  return isPlain() ? all.slice(0, 1) : all
}
