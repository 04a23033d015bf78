import type { Change, Withheld } from '../../core/change.ts'
import { type PlanMeta, planDocument } from '../../core/plan-file.ts'
import { planText } from '../../report/terminal-plan.ts'
import { CommandError, type ExitCode, exitCode, mostImportant } from '../exit-code.ts'
import type { Host } from '../host.ts'
import { makePlan } from '../make-plan.ts'
import { commandStyle } from '../output.ts'
import { noteNothingDeclared, openRepository, type Repository } from '../repository.ts'
import { runChanges } from '../run-changes.ts'
import { type PlanFile, readPlanFile, requirePlanFor } from '../saved-plan.ts'
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
  const saved = planFile === undefined ? undefined : await readSaved(host, planFile, flags)
  const repository = await openRepository(host, flags, {
    needsDeclarations: saved === undefined,
    fallback: saved?.plan.meta.environment,
  })
  const session = await openSession(host, flags, repository, { readOnly: false })
  try {
    const approved = saved
      ? approvedBySaving(host, saved, session)
      : await planAndAsk(host, session, repository, flags)
    if (!approved) return exitCode.refused
    const code = await runChanges(host, session, {
      changes: approved.changes,
      directory: repository.directory,
      environment: repository.environment,
      planDigest: approved.planDigest,
      json: flags.json ?? false,
      style: commandStyle(host, flags),
    })
    return mostImportant([code, withheldCode(approved.withheld)])
  } finally {
    await session.close()
  }
}

/** A saved plan was decided on as it is; what would have made another one of it is a mistake now. */
async function readSaved(host: Host, planFile: string, flags: ApplyFlags): Promise<PlanFile> {
  const given = [
    ...(flags.target?.length ? ['--target'] : []),
    ...(flags.allow?.length ? ['--allow'] : []),
    ...(flags.prune === undefined ? [] : ['--prune']),
  ]
  if (given.length > 0) {
    const words = `${given.join(' and ')} cannot change a saved plan; give it to \`vexil plan\``
    throw new CommandError(words, exitCode.usage)
  }
  return readPlanFile(host, planFile)
}

function approvedBySaving(host: Host, saved: PlanFile, session: Session): Approved {
  requirePlanFor(saved, session.target)
  const { changes, withheld, digest } = saved.plan
  if (changes.length === 0) host.stderr.write('nothing to do: the plan has no changes\n')
  return { changes, withheld, planDigest: digest }
}

async function planAndAsk(
  host: Host,
  session: Session,
  repository: Repository,
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
  noteNothingDeclared(host, repository)
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
export function withheldCode(withheld: readonly Withheld[]): ExitCode {
  const refusals = new Set(['delete_limit', 'incomplete_inventory', 'nothing_declared', 'unreadable'])
  return withheld.some(({ rule }) => refusals.has(rule)) ? exitCode.refused : exitCode.done
}
