import type { Change, Plan } from '../../core/change.ts'
import { frozenSince } from '../../core/plan/guards.ts'
import type { Policy } from '../../core/policy.ts'
import { isAsReviewed, readablePlan, reviewOf, shownText, writtenPlan } from '../../core/record/plan-file.ts'
import { redactedPlan } from '../../core/redaction.ts'
import { targetIdentity, targetText } from '../../core/target.ts'
import { listSome } from '../../model/text/names.ts'
import { liveEditParts } from '../../report/lines/plan-sections.ts'
import type { Flags } from '../command-options.ts'
import { blockedCode, CommandError, type ExitCode, exitCode, mostImportant } from '../host/exit-code.ts'
import type { Host } from '../host/host.ts'
import { present } from '../host/output.ts'
import { refuseOlder } from '../past/recorded-runs.ts'
import { planFor } from '../plan/make-plan.ts'
import { type RunInput, runChanges } from '../plan/run-changes.ts'
import { requireApproval, revisionFor, type Widen, withLock } from '../plan/run-record.ts'
import {
  authorsForReports,
  type PlanFile,
  readPlanFile,
  requirePlanFor,
  withPlannedValues,
} from '../plan/saved-plan.ts'
import { noteDeclarations, openRepository, openSettings } from '../repository/repository.ts'
import type { Repository, RepositorySettings } from '../repository/repository-settings.ts'
import { type Session, shownTarget, usingSession } from '../repository/session.ts'
import { refusedFor, storeOf } from '../repository/shared-store.ts'

type Approved = Omit<RunInput, 'command' | 'place' | 'flags'>

/** `vexil apply [PLAN]`: carries out a saved plan, or makes a plan, asks for approval, and carries it out. */
export async function runApply(host: Host, planFile: string | undefined, flags: Flags): Promise<ExitCode> {
  return planFile === undefined ? applyDeclared(host, flags) : applySaved(host, planFile, flags)
}

async function applyDeclared(host: Host, flags: Flags): Promise<ExitCode> {
  const repository = await openRepository(host, flags, { policiesWarn: false })
  return usingSession(host, flags, repository, { readOnly: false }, session => {
    requireOwnPlace(host, session, flags.env)
    return withLock(host, session, repository, 'apply', async (held, widen) => {
      const approved = await planAndAsk(held, session, repository, flags, widen)
      return carryOut(held, session, repository, approved, flags)
    })
  })
}

/** Two environments with one place would undo the changes of each other. */
function requireOwnPlace({ several }: Host, { target }: Session, environment: string | undefined): void {
  const first = several?.once(`place ${targetIdentity(target)}`, () => environment)
  if (!several || first === environment) return
  const words = `it is the same place as "${first}": ${targetText(target)}; give each its own project in vexil.yaml`
  throw new CommandError(words, exitCode.refused)
}

async function applySaved(host: Host, planFile: string, flags: Flags): Promise<ExitCode> {
  const saved = await readSaved(host, planFile, flags)
  const settings = await openSettings(host, flags, saved.plan.meta.environment)
  return usingSession(host, flags, settings, { readOnly: false, namesPlace: true }, async session => {
    requirePlanFor(saved, session.target)
    // The target of a saved plan may be from an environment variable.
    session.requireNamedPlace()
    return withLock(host, session, settings, 'apply', async (held, widen) => {
      const { meta, liveEdits, changes } = saved.plan
      await widen(changes)
      refuseFrozen(saved, { ...settings.policy, now: host.runtime.now() })
      await refuseOlder(
        held,
        { ...meta, directory: settings.directory, liveEdits },
        { ...meta, isSaved: true },
      )
      const whole = await withPlannedValues(held, session, saved, flags)
      const approved = await approvedBySaving(held, { plan: whole, text: saved.text }, flags)
      const authors = await authorsForReports(held, settings.directory, { ...saved.plan, ...saved, ...flags })
      return carryOut(held, session, settings, { ...approved, ...authors }, flags)
    })
  })
}

async function carryOut(
  host: Host,
  session: Session,
  place: RepositorySettings,
  approved: Approved,
  flags: Flags,
): Promise<ExitCode> {
  const { allOrNothing, failOnBlocked } = flags
  const code = await runChanges(host, session, { ...approved, command: 'apply', place, flags, allOrNothing })
  return mostImportant([code, blockedCode(approved.plan, failOnBlocked)])
}

/** Reads a saved plan. Options that would change it are errors. */
async function readSaved(host: Host, planFile: string, flags: Flags): Promise<PlanFile> {
  const choosing = ['target', 'owner', 'allow', 'base', 'prune'] as const
  const given = choosing.filter(name => flags[name]?.length).map(name => `--${name}`)
  if (given.length > 0) {
    const words = `${given.join(' and ')} cannot change a saved plan; give it to \`vexil plan\``
    throw new CommandError(words, exitCode.usage)
  }
  const saved = await readPlanFile(host, planFile)
  host.redaction.add(saved.plan.redacted?.parts ?? [])
  return saved
}

/** Refuses a saved plan during a freeze, which may have begun since. */
function refuseFrozen({ name, plan }: PlanFile, policy: Policy): void {
  const frozen = frozenSince(plan.changes, policy)
  if (!frozen) return
  const words = `the plan "${name}" is not applied: ${frozen.reason}; wait until the freeze ends, or plan again with --allow frozen`
  throw new CommandError(words, exitCode.refused)
}

async function approvedBySaving(
  host: Host,
  { plan: saved, text }: Pick<PlanFile, 'plan' | 'text'>,
  flags: Flags,
): Promise<Approved> {
  const { redaction } = host
  const plan = readablePlan(saved, redaction)
  const { changes, blocked, liveEdits, ownershipTag, groupTypes, owners, meta } = plan
  const shown = { plan: redactedPlan(plan, redaction), text: shownText(text, saved, redaction) }
  await present(host, flags, { is: 'saved_plan', ...shown, isBrief: true })
  if (changes.length === 0) {
    const left = [...(blocked.length > 0 ? [`${blocked.length} blocked`] : []), ...liveEditParts(liveEdits)]
    host.log.info(`nothing to do: ${['the plan has no changes', ...left].join(', and ')}`)
  }
  return {
    plan: { changes, blocked, liveEdits, ownershipTag, groupTypes, owners },
    planDigest: plan.digest,
    unchanged: plan.unchangedCount,
    scope: plan.scope,
    isOfSavedPlan: true,
    allowed: meta.allowed,
    ...revisionFor(meta),
  }
}

async function planAndAsk(
  host: Host,
  session: Session,
  repository: Repository,
  flags: Flags,
  widen: Widen,
): Promise<Approved> {
  const planNow = async () => {
    const made = await planFor(host, session, repository, flags)
    // Without the records of others, their held edits would be overwritten.
    if (made.unshared !== undefined && storeOf(host, repository) !== undefined)
      throw refusedFor(made.unshared)
    return made
  }
  let first = await planNow()
  if (await widen(first.plan.changes)) first = await planNow()
  const { plan: planned, meta, askAncestry } = first
  const { directory } = repository
  await refuseOlder(host, { ...meta, directory, liveEdits: planned.liveEdits, askAncestry }, meta)
  noteDeclarations(host, repository, flags)
  const authors = await authorsForReports(host, directory, { plan: planned, meta, ...flags })
  const { redaction } = host
  const shown = redactedPlan(planned, redaction)
  const written = (made = first) => writtenPlan(made.plan, made.meta, { redaction, scope: made.scope() })
  await present(host, flags, {
    is: 'plan',
    plan: shown,
    // The plan has just been made.
    meta: { ...meta, target: shownTarget(session), createdAt: undefined, now: host.runtime.now() },
    ...authors,
    get saved() {
      return written()
    },
  })
  let made = first
  if (!host.several) await requireApproval(host, 'apply', flags, planned.changes)
  else if (await host.several.approve(planned.changes, session.target, host.stop)) {
    made = await planNow()
    requireApproved(host, shown.changes, made.plan)
  }
  const { plan, scope, unshared } = made
  return {
    plan,
    planDigest: String(written(made).digest),
    unchanged: plan.unchanged.length,
    scope: scope(),
    ...authors,
    unshared,
    allowed: meta.allowed,
    ...revisionFor(meta),
  }
}

/** Throws if a plan that was made again does more than the approved one. */
function requireApproved({ redaction }: Host, changes: readonly Change[], again: Plan): void {
  const { parts, salt } = redaction
  const review = reviewOf({ changes, redacted: { parts, salt } }, again.changes)
  if (isAsReviewed(review)) return
  const addresses = listSome([...review.added, ...review.changed], 'and')
  throw new CommandError(
    `another environment has changed the organization since the plan, which is now different for ${addresses}; plan again`,
    exitCode.stale,
  )
}
