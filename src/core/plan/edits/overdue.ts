import { parentAddress } from '../../../kinds/index.ts'
import { durationText } from '../../../model/text/duration-text.ts'
import { fitsAnyGlob } from '../../../model/text/name-glob.ts'
import type { LiveEdit, LiveEditField } from '../../live-edits/live-edit.ts'
import type { Policy } from '../../policy.ts'

/**
 * Says of each field that is held longer than the policy `longest_hold` allows that it is. A hold counts from the end of
 * the first run that left the field as it was, so one that no run has met yet is not overdue.
 */
export function withOverdue(liveEdits: readonly LiveEdit[], { planned, now }: Policy): readonly LiveEdit[] {
  const rule = planned?.longest_hold
  if (!rule || now === undefined) return liveEdits
  const { level, within, except } = rule
  const words = `held longer than the ${durationText(within)} that the settings allow (policy longest_hold)`
  const told = (field: LiveEditField): LiveEditField =>
    field.heldSince === undefined || now - field.heldSince <= within
      ? field
      : { ...field, summary: [...field.summary, words], overdue: level }
  return liveEdits.map(edit =>
    fitsAnyGlob(except, nameOf(edit)) ? edit : { ...edit, fields: edit.fields.map(told) },
  )
}

/** A grant goes by its flag. */
function nameOf({ address }: LiveEdit): string {
  const own = parentAddress(address) ?? address
  return own.slice(own.indexOf('.') + 1)
}
