import type { Change } from '../change.ts'
import { digestOf } from '../fingerprint.ts'
import { changeToJson } from '../record/change-json.ts'

/**
 * How a plan stands to an earlier one that people have looked at. All are addresses.
 *
 * | the plan's change of an object                                    | is        |
 * |-------------------------------------------------------------------|-----------|
 * | does the same, on the same live object, with the same allowed     | as it was |
 * | does something else, or on an object that has changed in between  | `changed` |
 * | is of an object that the earlier plan left alone                  | `added`   |
 * | is there no more: it is done, or nobody asks for it               | `gone`    |
 */
export interface Review {
  readonly added: readonly string[]
  readonly changed: readonly string[]
  readonly gone: readonly string[]
}

export function reviewOf(reviewed: readonly Change[], planned: readonly Change[]): Review {
  const seen = new Set(reviewed.map(doneBy))
  const addresses = new Set(reviewed.map(({ address }) => address))
  const unseen = planned.filter(change => !seen.has(doneBy(change))).map(({ address }) => address)
  const left = new Set(planned.map(({ address }) => address))
  return {
    added: distinct(unseen.filter(address => !addresses.has(address))),
    changed: distinct(unseen.filter(address => addresses.has(address))),
    gone: distinct([...addresses].filter(address => !left.has(address))),
  }
}

/** Whether a plan does nothing but what the earlier one would have done too. */
export function isAsReviewed({ added, changed }: Review): boolean {
  return added.length === 0 && changed.length === 0
}

/** All of a change but how it is told, and where it stands in the files. */
function doneBy(change: Change): string {
  const {
    summary,
    source,
    alert,
    audiences,
    exposure,
    flipped_tests,
    risk,
    riskReasons,
    label,
    rename_of,
    hidden,
    ...done
  } = changeToJson(change)
  return digestOf(done)
}

function distinct(addresses: readonly string[]): string[] {
  return [...new Set(addresses)]
}
