import type { Source } from '../../model/problem.ts'
import type { Level } from '../../policies/policy.ts'

export { existsField } from '../../model/live-edit-policy.ts'

/**
 * What a plan does with a field that differs, if not only the repository has changed it.
 *
 * | treatment  | the field                                                                 |
 * |------------|---------------------------------------------------------------------------|
 * | `held`     | was changed in the product, and keeps its live value; it is not sent      |
 * | `merged`   | was changed on both sides, and both changes are merged and sent           |
 * | `reverted` | was changed in the product, and is set to the declared value              |
 * | `conflict` | was changed on both sides, and they contradict each other; it is not sent |
 * | `behind`   | has the value of a commit that this branch lacks; it is not sent          |
 */
export type Treatment = 'held' | 'merged' | 'reverted' | 'conflict' | 'behind'

/** The evidence that a field was changed outside of the repository. */
export type Evidence =
  /** Its live value is neither the base nor the declared value. */
  | 'base'
  /** The newest row of the activity trail for it is by a person, not by automation. */
  | 'trail'
  /** `vexil undo` or `vexil disable` has set it, or the last apply held it, and that run is on record. */
  | 'run'
  /** No evidence, but the plan would turn a flag on, in an environment with recorded runs. */
  | 'off'

/** A run that has set a field without a declaration. */
export interface SettingRun {
  readonly command: 'undo' | 'disable'
  readonly run: string
}

/** Who changed a field in the product, if the activity trail or a record shows it. */
export interface Author {
  readonly name?: string
  /** Milliseconds since 1970. */
  readonly at?: number
  readonly reason?: string
}

/** One field of a live edit. The field `exists` stands for the object itself. */
export interface LiveEditField {
  readonly field: string
  readonly treatment: Treatment
  readonly evidence?: Evidence
  /** For a `reverted` field: whether the repository has changed it too. */
  readonly isOnBothSides?: true
  /** Its change in words, the most important first. */
  readonly summary: readonly string[]
  readonly author?: Author
  /** The run on record that proves it, if there is one. */
  readonly setBy?: SettingRun
  /** When the first run that held it ended, in milliseconds since 1970. */
  readonly heldSince?: number
  /** The level of the policy `longest_hold`, if the field is held longer than it allows; the summary mentions it. */
  readonly overdue?: Level
  /** For a field that is behind: the commit that declared the live value. */
  readonly commit?: string
}

/** The changes of one declared object in the product. */
export interface LiveEdit {
  readonly address: string
  readonly kind: string
  readonly fields: readonly LiveEditField[]
  /** The remedies, a command or an edit on each line. */
  readonly remedies: readonly string[]
  readonly source?: Source
}

/** How many objects have a field that is held, in conflict, and so on; treatments without objects are absent. */
export type LiveEditCounts = Readonly<Partial<Record<Treatment, number>>>

export function countsOfLiveEdits(liveEdits: readonly LiveEdit[]): LiveEditCounts {
  const counts: Partial<Record<Treatment, number>> = {}
  for (const { fields } of liveEdits) {
    for (const treatment of new Set(fields.map(each => each.treatment))) {
      counts[treatment] = (counts[treatment] ?? 0) + 1
    }
  }
  return counts
}

/** Whether a field was changed on both sides, so that a person must decide. */
function hasConflict(liveEdits: readonly LiveEdit[]): boolean {
  return countsOfLiveEdits(liveEdits).conflict !== undefined
}

/** Whether a person must decide first: there is a conflict, or a field is held longer than the settings allow. */
export function needsDecision(liveEdits: readonly LiveEdit[]): boolean {
  return hasConflict(liveEdits) || liveEdits.some(({ fields }) => fields.some(isOverdue))
}

function isOverdue({ overdue }: LiveEditField): boolean {
  return overdue === 'error'
}

/** Whether a plan does not send some declared values because of edits in the product or on another branch. */
export function leavesOut(liveEdits: readonly LiveEdit[]): boolean {
  const { held, conflict, behind } = countsOfLiveEdits(liveEdits)
  return held !== undefined || conflict !== undefined || behind !== undefined
}

/** By address, the declared fields that a plan does not send: they keep their base. */
export function leftOutFields(
  liveEdits: readonly LiveEdit[],
): readonly { readonly address: string; readonly fields: readonly string[] }[] {
  return liveEdits.flatMap(({ address, fields }) => {
    const names = fields.filter(({ treatment }) => isLeftOut(treatment)).map(({ field }) => field)
    return names.length === 0 ? [] : [{ address, fields: names }]
  })
}

/** Whether a field with this treatment keeps its live value. */
export function isLeftOut(treatment: Treatment): boolean {
  switch (treatment) {
    case 'held':
    case 'conflict':
    case 'behind':
      return true
    case 'merged':
    case 'reverted':
      return false
  }
}
