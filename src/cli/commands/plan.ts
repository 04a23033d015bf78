import type { Plan } from '../../core/change.ts'
import { leavesOut, needsDecision } from '../../core/live-edits/live-edit-counts.ts'
import { addEstimates } from '../../core/plan/estimate.ts'
import { blockedToJson, changeToJson, driftToJson } from '../../core/record/change-json.ts'
import { liveEditToJson } from '../../core/record/live-edit-json.ts'
import { isPlanText, writtenPlan } from '../../core/record/plan-file.ts'
import { writePrivately } from '../../core/record/run-folder.ts'
import { redactedPlan } from '../../core/redacted-plan.ts'
import type { JsonObject } from '../../model/json/json.ts'
import { writeJson } from '../../model/json/json-text.ts'
import { once } from '../../model/runtime/once.ts'
import { escapeText } from '../../model/text/escape-text.ts'
import { refuseKeyOnRecord } from '../apply/key-in-values.ts'
import type { RepositoryFlags } from '../connection/repository-settings.ts'
import { openSession, type Session, type SessionFlags, shownTarget } from '../connection/session.ts'
import { type ExitCode, exitCode, mostImportant } from '../host/exit-code.ts'
import { type OutPlace, openOutFile } from '../host/files/out-file.ts'
import type { Host } from '../host/host.ts'
import { type OutputFlags, print } from '../host/output/output.ts'
import { olderCommit } from '../past/older-commit.ts'
import { authorsForReports } from '../plan/declaration-authors.ts'
import { openRepositoryEarly } from '../plan/early-start.ts'
import { nextApply } from '../plan/next-command.ts'
import { type ChoiceFlags, planFor } from '../plan/plan-for.ts'
import { warningsAbout, warningsMember } from '../plan/plan-warnings.ts'
import { openReviewed } from '../plan/review.ts'
import { noteDeclarations } from '../repository/repository.ts'

export interface PlanFlags extends RepositoryFlags, SessionFlags, ChoiceFlags, OutputFlags {
  readonly out?: string
  /** The file of a plan that people have looked at. */
  readonly reviewed?: string
  readonly detailedExitcode?: boolean
  readonly failOnBlocked?: boolean
  readonly showUnchanged?: boolean
  /** Asks the service how many people the new conditions reach. */
  readonly estimates?: boolean
  readonly report?: readonly string[]
}

/** `vexil plan`: reads, compares, shows. Its client cannot write. */
export async function runPlan(host: Host, flags: PlanFlags): Promise<ExitCode> {
  const toldReview = flags.reviewed === undefined ? undefined : await openReviewed(host, flags.reviewed)
  const { repository, started } = await openRepositoryEarly(host, flags)
  const session = await openSession(host, flags, repository, { readOnly: true, ...(started && { started }) })
  try {
    const place = flags.out === undefined ? undefined : await openPlanOut(host, flags.out)
    const { plan: made, meta, askAncestry, scope } = await planFor(host, session, repository, flags)
    const plan = flags.estimates ? await withEstimates(host, session, made) : made
    const shown = redactedPlan(plan, host.redaction)
    const warnings = repository.told(warningsAbout(plan, repository))
    // To digest a plan takes as long as to make it; a plan that is only read needs none.
    const { redaction } = host
    const written = (more: JsonObject = {}) => writtenPlan(plan, meta, { redaction, scope: scope(), more })
    const saved = once(() =>
      writtenPlan(plan, meta, { redaction, scope: scope(), options: optionsOnFile(flags) }),
    )
    if (flags.out !== undefined) refusePlanWithKey(host, plan)
    const review = toldReview?.(plan, session.target)
    const failure = place && (place.failure ?? (await place.save(`${writeJson(saved(), 2)}\n`)))
    if (session.note !== undefined) host.log.info(escapeText(session.note))
    noteDeclarations(host, repository, flags)
    const older = await olderCommit(host, {
      ...meta,
      directory: repository.directory,
      liveEdits: plan.liveEdits,
      askAncestry,
    })
    if (older !== undefined) host.log.warn(older)
    const authors = await authorsForReports(host, repository.directory, { plan, meta, ...flags })
    // An apply goes where a variable says only when a flag says it too.
    const out = failure === undefined ? flags.out : undefined
    await print(host, flags, {
      is: 'plan',
      plan: shown,
      // It has just been made.
      meta: { ...meta, target: shownTarget(session), createdAt: undefined, now: host.runtime.now() },
      get saved() {
        const more = {
          ...(review === undefined ? {} : { reviewed: review.json }),
          ...warningsMember(warnings),
        }
        const isOnFile = place !== undefined && Object.keys(more).length === 0 && !saved().redacted
        return isOnFile ? saved() : written(more)
      },
      warnings,
      ...(review === undefined ? {} : { note: review.note }),
      next: nextCommand(plan, { ...flags, out, ...session.placeFlags }),
      showsUnchanged: flags.showUnchanged,
      ...authors,
      ...(failure === undefined ? {} : { errors: [{ code: 'failed', message: failure }] }),
    })
    return mostImportant([
      planCode(plan, flags),
      review === undefined || review.isAsReviewed ? exitCode.done : exitCode.stale,
      failure === undefined ? exitCode.done : exitCode.error,
    ])
  } finally {
    started?.lists.stop()
    await session.close()
  }
}

/**
 * What a plan that hides values was asked for: an apply makes it again. What says where declarations are is given again:
 * a file that somebody else has written must not name a command to run.
 */
function optionsOnFile({ target, owner, allow, base, prune }: PlanFlags) {
  const options = { target, owner, allow, base, prune }
  return Object.fromEntries(
    Object.entries(options).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, typeof value === 'string' ? value : [...value]] as const],
    ),
  )
}

function refusePlanWithKey(host: Host, { changes, blocked, drift, liveEdits }: Plan): void {
  const held = [
    ...changes.map(changeToJson),
    ...blocked.map(blockedToJson),
    ...drift.map(driftToJson),
    ...liveEdits.map(liveEditToJson),
  ]
  refuseKeyOnRecord(
    host,
    'refusing to save this plan',
    held.map(values => ({ address: String(values.address), values })),
  )
}

/** Enough for a plan that a person reads; a plan of hundreds of flags is not held up by hundreds of questions. */
const estimateBudget = 40

async function withEstimates(host: Host, { client, connection }: Session, made: Plan): Promise<Plan> {
  const { redaction } = host
  const { parallelism } = connection
  const { plan, note } = await addEstimates(made, { client, parallelism, budget: estimateBudget, redaction })
  if (note !== undefined) host.log.warn(escapeText(note))
  return plan
}

function planCode(plan: Plan, flags: PlanFlags): ExitCode {
  const codes: ExitCode[] = []
  // A kind that could not be read is a failure, and no plan of it.
  const isPartial = plan.blocked.some(({ rule }) => rule === 'unreadable')
  // Nobody can tell whether there is a change.
  const isUndecided = flags.detailedExitcode && plan.blocked.some(({ rule }) => rule === 'ambiguous')
  const isLeftOut = plan.blocked.length > 0 || leavesOut(plan.liveEdits)
  if (isPartial || isUndecided || needsDecision(plan.liveEdits) || (flags.failOnBlocked && isLeftOut))
    codes.push(exitCode.refused)
  if (flags.detailedExitcode && plan.changes.length > 0) codes.push(exitCode.changes)
  return mostImportant(codes)
}

function nextCommand(plan: Plan, flags: PlanFlags): string | undefined {
  if (plan.changes.length === 0) return undefined
  return `${nextApply(flags)}${flags.out === undefined ? '' : '   (valid while these objects are unchanged)'}`
}

/** Looks where a plan is going to be saved, before any work goes into it. */
function openPlanOut(host: Host, out: string): Promise<OutPlace> {
  const { hide } = host.secrets
  return openOutFile(host, {
    name: out,
    failing: 'the plan cannot be saved as',
    what: 'a plan',
    isEarlier: isPlanText,
    write: (path, text, unfinished) => writePrivately(path, text, { hide, unfinished }),
  })
}
