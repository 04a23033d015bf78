import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Change, Withheld } from '../../core/change.ts'
import { type PlanMeta, planDocument, readPlanDocument, requireTarget } from '../../core/plan-file.ts'
import { planText } from '../../report/terminal-plan.ts'
import { CommandError, type ExitCode, exitCode, mostImportant } from '../exit-code.ts'
import type { Host } from '../host.ts'
import { makePlan } from '../make-plan.ts'
import { commandStyle } from '../output.ts'
import { openRepository } from '../repository.ts'
import { runChanges } from '../run-changes.ts'
import { openSession, type Session, settlePolicy } from '../session.ts'
import { onlyTargets, withoutPrune } from '../target-filter.ts'
import { version } from '../version.ts'
import { commitIn, type PlanFlags } from './plan.ts'

export interface ApplyFlags extends PlanFlags {
  readonly autoApprove?: boolean
  readonly input?: boolean
}

interface Approved {
  readonly changes: readonly Change[]
  readonly withheld: readonly Withheld[]
  readonly planDigest: string
}

/** `vexil apply [PLAN]`: carries out a saved plan, or makes one, asks, and carries it out. */
export async function runApply(
  host: Host,
  planFile: string | undefined,
  flags: ApplyFlags,
): Promise<ExitCode> {
  const repository = await openRepository(host, flags, { needsDeclarations: planFile === undefined })
  const session = await openSession(host, flags, repository, { readOnly: false })
  const style = commandStyle(host, flags)
  try {
    const approved =
      planFile === undefined
        ? await planAndAsk(host, session, repository, flags)
        : await readSaved(host, planFile, session)
    if (!approved) return exitCode.refused
    const code =
      approved.changes.length === 0
        ? exitCode.done
        : await runChanges(host, session, {
            changes: approved.changes,
            directory: repository.directory,
            environment: repository.environment,
            planDigest: approved.planDigest,
            json: flags.json ?? false,
            style,
          })
    return mostImportant([code, withheldCode(approved.withheld)])
  } finally {
    await session.close()
  }
}

async function readSaved(host: Host, planFile: string, session: Session): Promise<Approved> {
  const path = resolve(host.directory, planFile)
  const text = await readFile(path, 'utf8').catch(() => {
    throw new CommandError(`the plan "${planFile}" cannot be read`)
  })
  const saved = readPlanDocument(text)
  requireTarget(saved, session.target)
  if (saved.changes.length === 0) host.stderr.write('nothing to do: the plan has no changes\n')
  return { changes: saved.changes, withheld: saved.withheld, planDigest: saved.digest }
}

async function planAndAsk(
  host: Host,
  session: Session,
  repository: Awaited<ReturnType<typeof openRepository>>,
  flags: ApplyFlags,
): Promise<Approved | undefined> {
  const targets = flags.target ?? []
  const plan = await makePlan(host, session, {
    directory: repository.directory,
    declarations: onlyTargets(repository.declarations, targets),
    policy: withoutPrune(settlePolicy(repository.policy, flags), targets),
  })
  const meta: PlanMeta = {
    toolVersion: version,
    target: session.target,
    environment: repository.environment,
    commit: commitIn(host.env),
  }
  const document = planDocument(plan, meta)
  // With --json the result is a stream of events; the plan that is asked about goes to the person.
  const shown = flags.json ? host.stderr : host.stdout
  shown.write(planText(plan, { meta, style: commandStyle(host, flags) }))
  const approved = { changes: plan.changes, withheld: plan.withheld, planDigest: String(document.digest) }
  if (plan.changes.length === 0 || flags.autoApprove) return approved
  return (await isApproved(host, flags)) ? approved : undefined
}

/** Asks the person at the terminal; refuses where nobody can be asked. */
export async function isApproved(host: Host, flags: ApplyFlags): Promise<boolean> {
  if (!host.ask || host.env.CI || flags.input === false) {
    throw new CommandError(
      'nobody can be asked here; apply a saved plan (`vexil plan --out FILE`, `vexil apply FILE`) or pass --auto-approve',
      exitCode.refused,
    )
  }
  const answer = await host.ask('Apply these changes? Only "yes" goes on: ')
  if (answer.trim() === 'yes') return true
  host.stderr.write('nothing was applied\n')
  return false
}

/** What was withheld because a limit or the inventory refused it fails an apply; other guards only report. */
function withheldCode(withheld: readonly Withheld[]): ExitCode {
  const refusals = new Set(['delete_limit', 'incomplete_inventory', 'nothing_declared'])
  return withheld.some(({ rule }) => refusals.has(rule)) ? exitCode.refused : exitCode.done
}
