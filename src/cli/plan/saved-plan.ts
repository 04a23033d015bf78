import { resolve } from 'node:path'
import {
  PlanFileError,
  readPlanDocument,
  requireTarget,
  type SavedPlan,
} from '../../core/record/plan-file.ts'
import { unsealed, valuesName } from '../../core/record/sealed-plan.ts'
import type { Target } from '../../core/target.ts'
import { FileError } from '../../model/files/read-regular-file.ts'
import { readTextFile } from '../../model/files/read-text-file.ts'
import { largestAnswer } from '../../model/limits.ts'
import { CommandError, exitCode } from '../host/exit-code.ts'
import { readNamedFile } from '../host/files/read-named-file.ts'
import type { Host } from '../host/host.ts'

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

/** The same with the values that it hides, which are in a file beside it. What it hides is hidden from now on. */
export async function readWholePlan(host: Host, name: string): Promise<PlanFile> {
  const file = await readPlanFile(host, name)
  const { redacted } = file.plan
  if (!redacted) return file
  host.redaction.add(redacted.parts)
  return { ...file, plan: await withValuesBeside(host, name, file.plan).catch(unusable(name)) }
}

/** A plan with the values that it hides. Throws a `PlanFileError` where the file beside it does not have them. */
export async function withValuesBeside(host: Host, name: string, plan: SavedPlan): Promise<SavedPlan> {
  if (!plan.redacted) return plan
  const beside = valuesName(name)
  const text = await readTextFile(resolve(host.directory, beside), largestAnswer).catch(error => {
    if (!(error instanceof FileError)) throw error
    const why = `its values are in a file of their own, and "${beside}" ${error.message}`
    throw new PlanFileError('values', `${why}; bring it along, or plan again`)
  })
  return unsealed(plan, text)
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
