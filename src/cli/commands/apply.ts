import type { Change, Withheld } from '../../core/change.ts'
import { type PlanMeta, planDocument } from '../../core/plan-file.ts'
import { planText } from '../../report/terminal-plan.ts'
import { type ApprovalFlags, isApproved } from '../approval.ts'
import { CommandError, type ExitCode, exitCode, mostImportant } from '../exit-code.ts'
import type { Host } from '../host.ts'
import { makePlan } from '../make-plan.ts'
import { commandStyle } from '../output.ts'
import { settlePolicy } from '../policy.ts'
import { noteDeclarations, openRepository, type Repository } from '../repository.ts'
import { runChanges } from '../run-changes.ts'
import { type PlanFile, readPlanFile, requirePlanFor } from '../saved-plan.ts'
import { openSession, type Session, shownTarget } from '../session.ts'
import { onlyTargets, withoutPrune } from '../target-filter.ts'
import { version } from '../version.ts'
import { withheldCode, withheldText } from '../withheld.ts'
import { commitIn, type PlanFlags } from './plan.ts'

export interface ApplyFlags extends PlanFlags, ApprovalFlags {}

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
  const namesPlace = saved !== undefined
  const session = await openSession(host, flags, repository, { readOnly: false, namesPlace })
  try {
    const approved = saved
      ? approvedBySaving(host, saved, session, flags)
      : await planAndAsk(host, session, repository, flags)
    if (!approved) return exitCode.refused
    const code = await runChanges(host, session, {
      changes: approved.changes,
      withheld: approved.withheld,
      directory: repository.directory,
      environment: repository.environment,
      planDigest: approved.planDigest,
      json: flags.json ?? false,
      style: commandStyle(host, flags),
    })
    return mostImportant([code, withheldCode(approved.withheld, flags.failOnWithheld)])
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

function approvedBySaving(host: Host, saved: PlanFile, session: Session, flags: ApplyFlags): Approved {
  requirePlanFor(saved, session.target)
  const { changes, withheld, digest } = saved.plan
  if (changes.length === 0) {
    const held = withheld.length > 0 ? `, and ${withheld.length} withheld` : ''
    host.stderr.write(`nothing to do: the plan has no changes${held}\n`)
    if (!flags.json) host.stdout.write(withheldText(withheld, commandStyle(host, flags)))
  }
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
  noteDeclarations(host, repository, flags)
  // With --json the result is a stream of events; the plan that is asked about goes to the person.
  const shown = flags.json ? host.stderr : host.stdout
  const style = commandStyle(host, flags)
  shown.write(planText(plan, { meta: { ...meta, target: shownTarget(session) }, style }))
  const approved = { changes: plan.changes, withheld: plan.withheld, planDigest: String(document.digest) }
  if (plan.changes.length === 0 || flags.autoApprove) return approved
  return (await isApproved(host, 'apply', flags)) ? approved : undefined
}
