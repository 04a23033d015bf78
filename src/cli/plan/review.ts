import type { Plan } from '../../core/change.ts'
import { isAsReviewed, type Review, reviewOf } from '../../core/plan/reviewed.ts'
import {
  PlanFileError,
  readPlanDocument,
  requireTarget,
  type SavedPlan,
} from '../../core/record/plan-file.ts'
import type { Target } from '../../core/target.ts'
import type { JsonObject } from '../../model/json/json.ts'
import { largestSaved } from '../../model/limits.ts'
import { listSome } from '../../model/text/list-names.ts'
import { readNamedFile } from '../host/files/read-named-file.ts'
import type { Host } from '../host/host.ts'

/** What is told of a plan beside the one that was reviewed. */
export interface ToldReview {
  readonly isAsReviewed: boolean
  /** One line. */
  readonly note: string
  /** The member `reviewed` of the document. */
  readonly json: JsonObject
}

/**
 * Reads the plan that people have looked at. One that cannot be compared was reviewed by nobody; only a file that cannot
 * be read is an error.
 */
export async function openReviewed(
  host: Host,
  name: string,
): Promise<(plan: Plan, target: Target) => ToldReview> {
  const text = await readNamedFile(host, `the reviewed plan "${name}"`, name, largestSaved)
  const reviewed = readReviewed(text)
  return ({ changes }, target) => {
    try {
      const plan = reviewed()
      requireTarget(plan, target)
      return toldOf(name, reviewOf(plan, changes))
    } catch (error) {
      if (!(error instanceof PlanFileError)) throw error
      return {
        isAsReviewed: false,
        note: `not as reviewed: "${name}" cannot be compared: ${error.message}`,
        json: { as_reviewed: false, reason: error.message },
      }
    }
  }
}

/** It throws what is wrong with the file when it is asked, since the plan beside it is shown first. */
function readReviewed(text: string): () => SavedPlan {
  try {
    const plan = readPlanDocument(text)
    if (plan.redacted && plan.redacted.salt === undefined)
      throw new PlanFileError('values', 'it was printed and not saved by --out, and its values are hidden')
    return () => plan
  } catch (error) {
    return () => {
      throw error
    }
  }
}

function toldOf(name: string, review: Review): ToldReview {
  const { added, changed, gone } = review
  const isSame = isAsReviewed(review)
  const parts = isSame
    ? [`as reviewed: every change is in "${name}" as well`]
    : [
        ...(added.length === 0 ? [] : [`not as reviewed: "${name}" does not change ${listSome(added)}`]),
        ...(changed.length === 0
          ? []
          : [`not as reviewed: in "${name}" is another change of ${listSome(changed)}`]),
      ]
  const rest = gone.length === 0 ? [] : [`no longer needed: ${listSome(gone, 'and')}`]
  return {
    isAsReviewed: isSame,
    note: [...parts, ...rest].join('; '),
    json: { as_reviewed: isSame, added: [...added], changed: [...changed], gone: [...gone] },
  }
}
