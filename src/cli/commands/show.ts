import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { readPlanDocument } from '../../core/plan-file.ts'
import { planText } from '../../report/terminal-plan.ts'
import { CommandError, type ExitCode, exitCode } from '../exit-code.ts'
import type { Host } from '../host.ts'
import { commandStyle, type OutputFlags } from '../output.ts'

/** `vexil show PLAN`: a saved plan as text again, without asking the service anything. */
export async function runShow(host: Host, planFile: string, flags: OutputFlags): Promise<ExitCode> {
  const text = await readFile(resolve(host.directory, planFile), 'utf8').catch(() => {
    throw new CommandError(`the plan "${planFile}" cannot be read`)
  })
  const saved = readPlanDocument(text)
  if (flags.json) host.stdout.write(text.endsWith('\n') ? text : `${text}\n`)
  else {
    const unchanged = new Array<string>(saved.unchangedCount).fill('')
    const next = saved.changes.length > 0 ? `vexil apply ${planFile}` : undefined
    host.stdout.write(
      planText({ ...saved, unchanged }, { meta: saved.meta, style: commandStyle(host, flags), next }),
    )
  }
  return exitCode.done
}
