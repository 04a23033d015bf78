import type { Blocked, BlockRule } from '../change.ts'

/** Rules that hold back what the service has no place for, or what nobody could look at. */
const noDifference: readonly BlockRule[] = [
  'not_kept',
  'not_offered',
  'not_seen',
  'source_unreadable',
  'unreadable',
]

/** Whether something blocked is a difference between what is declared and what is live. */
export function isDifference({ rule }: Blocked): boolean {
  return !noDifference.includes(rule)
}
