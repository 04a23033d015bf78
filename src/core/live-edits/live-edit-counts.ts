import type { LiveEdit, LiveEditField, Treatment } from './live-edit.ts'

/** How many objects have a field that is held, that is in conflict, and so on; those of which there are none are left out. */
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

/** Whether a field was changed on both sides, and nobody can tell which of them is meant. */
function hasConflict(liveEdits: readonly LiveEdit[]): boolean {
  return countsOfLiveEdits(liveEdits).conflict !== undefined
}

/** Whether somebody has to decide before this is as it should be: a conflict, or what the settings let nobody hold any longer. */
export function needsDecision(liveEdits: readonly LiveEdit[]): boolean {
  return hasConflict(liveEdits) || liveEdits.some(({ fields }) => fields.some(isOverdue))
}

function isOverdue({ overdue }: LiveEditField): boolean {
  return overdue === 'error'
}

/** Whether anything of what is declared is left out of a plan because of what was done in the product, or elsewhere. */
export function leavesOut(liveEdits: readonly LiveEdit[]): boolean {
  const { held, conflict, behind } = countsOfLiveEdits(liveEdits)
  return held !== undefined || conflict !== undefined || behind !== undefined
}

/** By address, the fields that a plan does not send though they are declared: they keep the base that they have. */
export function leftOutFields(
  liveEdits: readonly LiveEdit[],
): readonly { readonly address: string; readonly fields: readonly string[] }[] {
  return liveEdits.flatMap(({ address, fields }) => {
    const names = fields.filter(({ treatment }) => isLeftOut(treatment)).map(({ field }) => field)
    return names.length === 0 ? [] : [{ address, fields: names }]
  })
}

/** Whether a field with this treatment stays as it is live. */
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
