import type { Plan } from '../../core/change.ts'
import { isAsReviewed, plannedAgain, type Review, reviewOf } from '../../core/plan/reviewed.ts'
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
import { CommandError, exitCode } from '../host/exit-code.ts'
import type { Flags } from '../host/flags.ts'
import { type Host, readNamedFile } from '../host/host.ts'
import { openRepository } from '../repository/repository.ts'
import type { Session } from '../repository/session.ts'
import { planFor } from './make-plan.ts'

export interface PlanFile {
  readonly name: string
  readonly text: string
  readonly plan: SavedPlan
}

/** Reads a plan that `vexil plan --out` wrote; refuses one that was edited or is of another format. */
export async function readPlanFile(host: Host, name: string): Promise<PlanFile> {
  const text = await readNamedFile(host, `the plan "${name}"`, name, largestSaved)
  return { name, text, plan: named(name, () => readPlanDocument(text)) }
}

/**
 * A saved plan with the values that it hides. The plan is made again from the declarations of this folder,
 * with its own options. If the new plan does something else, the command ends in 5 before it writes anything.
 */
export async function withPlannedValues(
  host: Host,
  session: Session,
  { name, plan }: PlanFile,
  flags: Flags,
): Promise<SavedPlan> {
  const { redacted, meta } = plan
  if (!redacted) return plan
  const { salt, options } = redacted
  const refuse = (why: string) => unusable(name)(new PlanFileError('values', `${why}; plan again`))
  if (salt === undefined) return refuse(printed)
  const asked: Flags = { ...flags, ...options, env: flags.env ?? meta.environment }
  const again = await planFor(
    host,
    session,
    await openRepository(host, asked, { policiesWarn: false }),
    asked,
  )
  if (again.meta.commit !== meta.commit)
    return refuse(
      `it hides values, and these declarations are of another commit than ${meta.commit ?? 'its own'}`,
    )
  const { changes, doneCount, different } = plannedAgain(plan, again.plan)
  if (different.length > 0)
    return refuse(`it hides values, and what it would do to ${listSome(different, 'and')} has changed since`)
  return { ...plan, changes, unchangedCount: plan.unchangedCount + doneCount, scope: again.scope() }
}

/** Refuses a plan for another place. */
export function requirePlanFor({ name, plan }: PlanFile, target: Target): void {
  named(name, () => requireTarget(plan, target))
}

function named<T>(name: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    return unusable(name)(error)
  }
}

function unusable(name: string): (error: unknown) => never {
  return error => {
    if (!(error instanceof PlanFileError)) throw error
    const code = error.code === 'no_plan' ? exitCode.error : exitCode.stale
    throw new CommandError(`the plan "${name}" cannot be used: ${error.message}`, code)
  }
}

const printed = 'it was printed and not saved by --out, and its values are hidden'

/** What is reported about the comparison with the reviewed plan. */
export interface ReviewSummary {
  readonly isAsReviewed: boolean
  /** One line. */
  readonly note: string
  /** The member `reviewed` of the document. */
  readonly json: JsonObject
}

/**
 * Reads the plan that was reviewed. A plan that cannot be compared counts as not reviewed. Only a file that
 * cannot be read is an error.
 */
export async function openReviewed(
  host: Host,
  name: string,
): Promise<(plan: Plan, target: Target) => ReviewSummary> {
  const text = await readNamedFile(host, `the reviewed plan "${name}"`, name, largestSaved)
  return ({ changes }, target) => {
    try {
      const plan = readPlanDocument(text)
      if (plan.redacted && plan.redacted.salt === undefined) throw new PlanFileError('values', printed)
      requireTarget(plan, target)
      return summarizeReview(name, reviewOf(plan, changes))
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

function summarizeReview(name: string, review: Review): ReviewSummary {
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
