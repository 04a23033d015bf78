import type { Change } from '../../core/change.ts'
import { escapeText } from '../../model/text/escape-text.ts'
import { nameOf } from '../object-names.ts'

/**
 * The widenings of a plan that nobody may overlook, in the words of the plan itself, the largest step first: every
 * form of a plan shows them above anything that could push them out of sight.
 */
export function alertsOf(changes: readonly Change[]): string[] {
  return changes
    .flatMap(change =>
      change.alert === undefined
        ? []
        : [{ step: change.exposure?.step ?? 0, text: `${nameOf(change)}  ${escapeText(change.alert)}` }],
    )
    .sort((left, right) => right.step - left.step || (left.text < right.text ? -1 : 1))
    .map(({ text }) => text)
}
