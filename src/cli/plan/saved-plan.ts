import { plannedAgain } from '../../core/plan/reviewed.ts'
import {
  PlanFileError,
  readPlanDocument,
  requireTarget,
  type SavedPlan,
} from '../../core/record/plan-file.ts'
import type { Target } from '../../core/target.ts'
import { largestSaved } from '../../model/limits.ts'
import { listSome } from '../../model/text/list-names.ts'
import type { RepositoryFlags } from '../connection/repository-settings.ts'
import type { Session } from '../connection/session.ts'
import { CommandError, exitCode } from '../host/exit-code.ts'
import { readNamedFile } from '../host/files/read-named-file.ts'
import type { Host } from '../host/host.ts'
import { openRepository } from '../repository/repository.ts'
import { planFor } from './plan-for.ts'

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
 * A saved plan with the values that it hides: the plan is made again from the declarations of this folder, with the
 * options that it was made with, and has to do the same. Ends in 5 before anything is written if it does not.
 */
export async function withPlannedValues(
  host: Host,
  session: Session,
  { name, plan }: PlanFile,
  flags: RepositoryFlags,
): Promise<SavedPlan> {
  const { redacted, meta } = plan
  if (!redacted) return plan
  const { salt, options } = redacted
  const refuse = (why: string) => unusable(name)(new PlanFileError('values', `${why}; plan again`))
  if (salt === undefined) return refuse('it was printed and not saved by --out, and its values are hidden')
  const asked: RepositoryFlags = { ...flags, ...options, env: flags.env ?? meta.environment }
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

/** Refuses a plan that was made for somewhere else. */
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
