import type { Change, Plan } from '../change.ts'
import { digestOf } from '../diff.ts'
import { changeToJson, valuesToJson, withValues } from '../record/change-json.ts'
import type { RedactedMember } from '../record/plan-file.ts'
import { Redaction, redactedChanges } from '../redaction.ts'

/**
 * Compares a plan with an earlier one that people have reviewed. All are addresses.
 *
 * | the plan's change of an object                                | is        |
 * |---------------------------------------------------------------|-----------|
 * | does the same to the same live object, with equal permissions | equal     |
 * | does something else, or the object has changed in between     | `changed` |
 * | is of an object that the earlier plan did not change          | `added`   |
 * | exists no more: it is done, or no longer declared             | `gone`    |
 */
export interface Review {
  readonly added: readonly string[]
  readonly changed: readonly string[]
  readonly gone: readonly string[]
}

export function reviewOf(
  {
    changes: reviewed,
    redacted,
  }: { readonly changes: readonly Change[]; readonly redacted?: RedactedMember },
  changes: readonly Change[],
): Review {
  const planned = redactedChanges(changes, redactionOf(redacted))
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

/** Whether a plan does only things that the earlier one would have done too. */
export function isAsReviewed({ added, changed }: Review): boolean {
  return added.length === 0 && changed.length === 0
}

/** The result of making a saved plan with hidden values again. */
export interface PlannedAgain {
  /** Its changes with their values. */
  readonly changes: readonly Change[]
  /** How many of its objects are now as declared. */
  readonly doneCount: number
  /** Addresses of objects whose change would be different now. */
  readonly different: readonly string[]
}

export function plannedAgain(
  { changes: saved, redacted }: { readonly changes: readonly Change[]; readonly redacted?: RedactedMember },
  again: Pick<Plan, 'changes' | 'unchanged'>,
): PlannedAgain {
  const redaction = redactionOf(redacted)
  const same = new Set(redactedChanges(again.changes, redaction).map(doneBy))
  const values = valuesToJson(again.changes, redaction)
  const done = new Set(again.unchanged)
  const left = saved.filter(({ address }) => !done.has(address))
  return {
    changes: left.map(change => withValues(change, values)),
    doneCount: saved.length - left.length,
    different: left.filter(change => !same.has(doneBy(change))).map(({ address }) => address),
  }
}

/** A redaction that gives hidden values the same digests as in a saved plan. */
function redactionOf({ parts = [], salt = '' }: Partial<RedactedMember> = {}): Redaction {
  const redaction = new Redaction(() => salt)
  redaction.add(parts)
  return redaction
}

/** The whole change except for its summary and its place in the files. */
function doneBy(change: Change): string {
  const {
    summary,
    source,
    alert,
    audiences,
    exposure,
    flipped_tests,
    risk,
    risk_reasons,
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
