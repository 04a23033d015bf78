import { shownPlan, shownText } from '../../core/record/plan-file.ts'
import { isSandbox } from '../../core/target.ts'
import { escapeText } from '../../model/text/printable.ts'
import type { Flags } from '../command-options.ts'
import { CommandError, type ExitCode, exitCode } from '../host/exit-code.ts'
import type { Host } from '../host/host.ts'
import { print } from '../host/output.ts'
import { authorsForReports, readPlanFile } from '../plan/saved-plan.ts'
import { openSettingsAt } from '../repository/repository.ts'
import { nextApply } from '../repository/repository-settings.ts'

/** `vexil show PLAN`: shows a saved plan without asking the service. */
export async function runShow(host: Host, planFile: string | undefined, flags: Flags): Promise<ExitCode> {
  const { terraformPlan } = flags
  if (terraformPlan !== undefined && planFile === undefined) {
    const { runShowTerraform } = await import('./show-terraform.ts')
    return runShowTerraform(host, terraformPlan, flags)
  }
  if (planFile === undefined || terraformPlan !== undefined)
    throw new CommandError('show takes one plan: a saved one, or --terraform-plan FILE', exitCode.usage)
  const { text, plan } = await readPlanFile(host, planFile)
  // Unreadable settings are an error, because they may hide values.
  await openSettingsAt(host, host.directory, plan.meta.environment)
  const { target } = plan.meta
  const next = plan.changes.length > 0 ? nextApply({ out: planFile, sandbox: isSandbox(target) }) : undefined
  for (const line of plan.meta.notes ?? []) host.log.warn(escapeText(line))
  const authors = await authorsForReports(host, host.directory, {
    plan,
    meta: plan.meta,
    ...flags,
    isFolderGuessed: true,
  })
  const { redaction } = host
  const shown = { plan: shownPlan(plan, redaction), text: shownText(text, plan, redaction) }
  await print(host, flags, { is: 'saved_plan', ...shown, next, ...authors })
  return exitCode.done
}
