import { isSandbox } from '../../core/target.ts'
import { escapeJson } from '../../report/json-text.ts'
import { planText } from '../../report/terminal-plan.ts'
import { type ExitCode, exitCode } from '../exit-code.ts'
import type { Host } from '../host.ts'
import { nextApply } from '../next-command.ts'
import { commandStyle, type OutputFlags } from '../output.ts'
import { readPlanFile } from '../saved-plan.ts'

/** `vexil show PLAN`: a saved plan as text again, without asking the service anything. */
export async function runShow(host: Host, planFile: string, flags: OutputFlags): Promise<ExitCode> {
  const { text, plan } = await readPlanFile(host, planFile)
  if (flags.json) {
    host.stdout.write(escapeJson(text.endsWith('\n') ? text : `${text}\n`))
    return exitCode.done
  }
  const unchanged = new Array<string>(plan.unchangedCount).fill('')
  const absent = new Array<string>(plan.absentCount).fill('')
  const { target } = plan.meta
  const next = plan.changes.length > 0 ? nextApply({ out: planFile, sandbox: isSandbox(target) }) : undefined
  host.stdout.write(
    planText({ ...plan, unchanged, absent }, { meta: plan.meta, style: commandStyle(host, flags), next }),
  )
  return exitCode.done
}
