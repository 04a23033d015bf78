import type { BaseObject, OutsideWrite } from './base.ts'
import { type Verdict, verdictOf } from './verdict.ts'

/** Whether an object is there, of the three that decide. A soft-deleted one is absent. */
export interface Existence {
  readonly base: BaseObject | undefined
  readonly declared: BaseObject['ensure']
  readonly live: BaseObject['ensure']
  /** Those of its fields that were changed in the product: see `editedFields`. */
  readonly edited: readonly string[]
}

/**
 * The verdict on the existence of an object, which is a field like any other.
 *
 * | base    | declared | live              | verdict              | under `hold`         | under `revert`        |
 * |---------|----------|-------------------|----------------------|----------------------|-----------------------|
 * | present | present  | absent            | `live_changed`       | it is not restored   | restored, or created  |
 * | absent  | absent   | present           | `live_changed`       | it is not deleted    | deleted               |
 * | absent  | present  | absent            | `repository_changed` | created, or restored | the same              |
 * | present | absent   | present           | `repository_changed` | deleted              | the same              |
 * | present | absent   | present, edited   | `conflict`           | it is not deleted    | deleted               |
 * | any     | present  | present           | both are the same    |                      |                       |
 * | any     | absent   | absent            | both are the same    |                      |                       |
 * | none    | present  | absent            | `two_way`            | created, or restored | the same              |
 * | none    | absent   | present           | `two_way`            | deleted              | the same              |
 */
export function existenceVerdict({ base, declared, live, edited }: Existence): Exclude<Verdict, 'behind'> {
  const verdict = verdictOf({ base: base?.ensure, declared, live })
  const isRetired = verdict === 'repository_changed' && declared === 'absent'
  return isRetired && edited.length > 0 ? 'conflict' : verdict
}

/**
 * The fields of a living object in which it is not as it was declared when it last converged. What `vexil undo` and
 * `vexil disable` have set is no edit of the product: who retires the object knows of it from each plan. `live` has a
 * digest for each of its fields.
 */
export function editedFields(
  base: BaseObject | undefined,
  live: Readonly<Record<string, string | undefined>>,
  write: OutsideWrite | undefined,
): string[] {
  return Object.entries(base?.fields ?? {}).flatMap(([name, field]) => {
    const now = live[name]
    // A field that the service does not show tells nothing.
    if (field === undefined || now === undefined || now === field.digest) return []
    return write?.fields[name] === now ? [] : [name]
  })
}
