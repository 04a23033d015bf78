import { resolve } from 'node:path'
import type { Plan } from '../../core/change.ts'
import { writtenPlan } from '../../core/record/plan-file.ts'
import { type Redaction, redactedPlan } from '../../core/redaction.ts'
import { version } from '../../model/version.ts'
import { readTerraformChanges, type TerraformChanges } from '../../stack/index.ts'
import type { Flags } from '../command-options.ts'
import { CommandError, type ExitCode, exitCode } from '../host/exit-code.ts'
import type { Host } from '../host/host.ts'
import { print } from '../host/output.ts'
import { refuseProblems } from '../repository/problems.ts'
import { readStackSettings } from '../repository/repository.ts'

/**
 * `vexil show --terraform-plan FILE`: shows what a plan of Terraform does to our resources. It asks no
 * service, and only Terraform can apply the plan. A `vexil.yaml` in the folder sets risks and hidden values;
 * with several environments, the risks that all of them set, and everything that any of them hides.
 */
export async function runShowTerraform(host: Host, file: string, flags: Flags): Promise<ExitCode> {
  const path = resolve(host.directory, file)
  const { settings, problems: beside, texts } = await readStackSettings(host, {})
  refuseProblems(host, beside, { directory: settings.directory, texts })
  const { policy } = settings
  const { redaction } = host
  const { shown, text, problems } = await readTerraformChanges(path, file, {
    risk: policy.risk,
    groupTypes: policy.groupTypes,
    redaction,
  })
  refuseProblems(host, problems, { directory: host.directory, texts: new Map([[file, text]]) })
  if (!shown) throw new CommandError(`"${file}" does not contain a plan of Terraform`)
  const plan: Plan = {
    changes: shown.changes,
    blocked: [],
    drift: shown.drift,
    liveEdits: [],
    unchanged: shown.unchanged,
    inventory: {},
    owners: shown.owners,
    groupTypes: policy.groupTypes,
  }
  // Not the target of a service, so that no apply accepts the plan.
  const meta = {
    toolVersion: version,
    target: { baseUrl: `terraform:${shown.version}`, profile: shown.profile },
  }
  const note = noteOf(shown, redaction)
  await print(host, flags, {
    is: 'plan',
    plan: redactedPlan(plan, redaction),
    meta: { ...meta, name: `${shown.engine} ${shown.version}, ${file}` },
    get saved() {
      return writtenPlan(plan, meta, { redaction })
    },
    note,
  })
  return exitCode.done
}

/** Notes: counts of other providers' resources, and failed checks of Terraform. */
function noteOf(
  { others, imported, failedChecks, partial }: TerraformChanges,
  redaction: Redaction,
): string | undefined {
  const counts = Object.entries(others).map(([action, count]) => `${count} to ${action}`)
  const lines = [
    ...(partial === undefined
      ? []
      : [`the plan ${partial}, like one with -target or -exclude: the rest is not shown`]),
    ...(counts.length > 0 ? [`of other providers: ${counts.join(', ')}`] : []),
    ...(imported > 0 ? [`${imported} only imported into the state`] : []),
    ...failedChecks.map(({ address, message }) => `check ${address} failed: ${redaction.foreign(message)}`),
  ]
  return lines.length === 0 ? undefined : lines.join('; ')
}
