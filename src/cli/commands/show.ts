import { isSandbox } from '../../core/target.ts'
import { type ExitCode, exitCode } from '../exit-code.ts'
import type { Host } from '../host.ts'
import { nextApply } from '../next-command.ts'
import { type OutputFlags, print } from '../output.ts'
import { readPlanFile } from '../saved-plan.ts'

/** `vexil show PLAN`: a saved plan as text again, without asking the service anything. */
export async function runShow(host: Host, planFile: string, flags: OutputFlags): Promise<ExitCode> {
  const { text, plan } = await readPlanFile(host, planFile)
  const { target } = plan.meta
  const next = plan.changes.length > 0 ? nextApply({ out: planFile, sandbox: isSandbox(target) }) : undefined
  await print(host, flags, { is: 'saved_plan', plan, text, next })
  return exitCode.done
}
