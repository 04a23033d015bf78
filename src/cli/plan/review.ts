import { resolve } from 'node:path'
import type { Plan } from '../../core/change.ts'
import { isAsReviewed, type Review, reviewOf } from '../../core/plan/reviewed.ts'
import {
  PlanFileError,
  readPlanDocument,
  requireTarget,
  type SavedPlan,
} from '../../core/record/plan-file.ts'
import { unsealed, valuesName } from '../../core/record/sealed-plan.ts'
import type { Target } from '../../core/target.ts'
import { FileError, readRegularFile } from '../../model/files/read-regular-file.ts'
import type { JsonObject } from '../../model/json/json.ts'
import { largestAnswer } from '../../model/limits.ts'
import { listSome } from '../../model/text/list-names.ts'
import type { Host } from '../host/host.ts'
import { readNamedFile } from '../host/read-named-file.ts'

/** What is told of a plan beside the one that was reviewed. */
export interface ToldReview {
  readonly isAsReviewed: boolean
  /** One line. */
  readonly note: string
  /** The member `reviewed` of the document. */
  readonly json: JsonObject
}

/**
 * Reads the plan that people have looked at. One that cannot be compared, such as that of an earlier format, was reviewed
 * by nobody; only a file that cannot be read is an error.
 */
export async function openReviewed(
  host: Host,
  name: string,
): Promise<(plan: Plan, target: Target) => ToldReview> {
  const text = await readNamedFile(host, `the reviewed plan "${name}"`, name, largestAnswer)
  const beside = resolve(host.directory, valuesName(name))
  const values = await readRegularFile(beside, largestAnswer).catch(error => {
    if (error instanceof FileError) return undefined
    throw error
  })
  return ({ changes }, target) => {
    const reviewed = readReviewed(text, values?.toString('utf8'), target)
    if (!(reviewed instanceof PlanFileError)) return toldOf(name, reviewOf(reviewed.changes, changes))
    return {
      isAsReviewed: false,
      note: `not as reviewed: "${name}" cannot be compared: ${reviewed.message}`,
      json: { as_reviewed: false, reason: reviewed.message },
    }
  }
}

function readReviewed(text: string, values: string | undefined, target: Target): SavedPlan | PlanFileError {
  try {
    const plan = readPlanDocument(text)
    requireTarget(plan, target)
    if (!plan.redacted) return plan
    if (values === undefined) throw new PlanFileError('values', 'it hides values, and they are not beside it')
    return unsealed(plan, values)
  } catch (error) {
    if (error instanceof PlanFileError) return error
    throw error
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
