import {
  PlanFileError,
  readPlanDocument,
  requireTarget,
  type SavedPlan,
} from '../../core/record/plan-file.ts'
import type { Target } from '../../core/target.ts'
import { largestAnswer } from '../../model/limits.ts'
import { CommandError, exitCode } from '../host/exit-code.ts'
import type { Host } from '../host/host.ts'
import { readNamedFile } from '../host/read-named-file.ts'

export interface PlanFile {
  readonly name: string
  readonly text: string
  readonly plan: SavedPlan
}

/** Reads a plan that `vexil plan --out` wrote; refuses one that was edited or is of another format. */
export async function readPlanFile(host: Host, name: string): Promise<PlanFile> {
  const text = await readNamedFile(host, `the plan "${name}"`, name, largestAnswer)
  return { name, text, plan: named(name, () => readPlanDocument(text)) }
}

/** Refuses a plan that was made for somewhere else. */
export function requirePlanFor({ name, plan }: PlanFile, target: Target): void {
  named(name, () => requireTarget(plan, target))
}

function named<T>(name: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof PlanFileError)) throw error
    const code = error.code === 'no_plan' ? exitCode.error : exitCode.stale
    throw new CommandError(`the plan "${name}" cannot be used: ${error.message}`, code)
  }
}
