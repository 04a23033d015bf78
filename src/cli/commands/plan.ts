import type { Plan } from '../../core/change.ts'
import { leavesOut, needsDecision } from '../../core/live-edits/live-edit.ts'
import { addEstimates } from '../../core/plan/estimate.ts'
import { changeToJson, liveEditToJson, sameForm, toDocument } from '../../core/record/change-json.ts'
import { isPlanText, writtenPlan } from '../../core/record/plan-file.ts'
import { redactedPlan } from '../../core/redaction.ts'
import type { Problem, Source } from '../../model/problem.ts'
import { once } from '../../model/runtime.ts'
import type { JsonObject } from '../../model/text/json.ts'
import { writeJson } from '../../model/text/json-text.ts'
import { escapeText } from '../../model/text/printable.ts'
import type { LocatedProblem } from '../../report/document.ts'
import { faultIn } from '../../report/line-text.ts'
import type { Flags } from '../command-options.ts'
import { type ExitCode, exitCode, mostImportant } from '../host/exit-code.ts'
import type { Host } from '../host/host.ts'
import { type OutFile, openOutFile } from '../host/out-file.ts'
import { print } from '../host/output.ts'
import { olderCommit } from '../past/recorded-runs.ts'
import { planFor } from '../plan/make-plan.ts'
import { refuseKeyOnRecord } from '../plan/run-record.ts'
import { authorsForReports, openReviewed } from '../plan/saved-plan.ts'
import { noteDeclarations, openRepository } from '../repository/repository.ts'
import { nextApply, type Repository } from '../repository/repository-settings.ts'
import { openSession, type Session, shownTarget } from '../repository/session.ts'

/** `vexil plan`: compares declarations with the live service. Its client cannot write. */
export async function runPlan(host: Host, flags: Flags): Promise<ExitCode> {
  const comparedReview = flags.reviewed === undefined ? undefined : await openReviewed(host, flags.reviewed)
  const repository = await openRepository(host, flags, { policiesWarn: false })
  const session = await openSession(host, flags, repository, { readOnly: true })
  try {
    const place = flags.out === undefined ? undefined : await openOutFile(host, planOut(flags.out))
    const { plan: made, meta, askAncestry, scope } = await planFor(host, session, repository, flags)
    const plan = flags.estimates ? await withEstimates(host, session, made) : made
    const shown = redactedPlan(plan, host.redaction)
    const warnings = repository.locate(warningsAbout(plan, repository))
    // Digests take as long as the plan itself, so they are computed only if needed.
    const { redaction } = host
    const written = (more: JsonObject = {}) => writtenPlan(plan, meta, { redaction, scope: scope(), more })
    const saved = once(() =>
      writtenPlan(plan, meta, { redaction, scope: scope(), options: optionsOnFile(flags) }),
    )
    if (flags.out !== undefined) refusePlanWithKey(host, plan)
    const review = comparedReview?.(plan, session.target)
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
    // An apply refuses a place from a variable, so a saved plan needs flags for it.
    const out = failure === undefined ? flags.out : undefined
    await print(host, flags, {
      is: 'plan',
      plan: shown,
      // The plan has just been made.
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
    await session.close()
  }
}

/**
 * The options that a saved plan with hidden values contains: an apply plans again with them. Options that
 * locate the declarations are not saved, since a file from another person must not name a command to run.
 */
function optionsOnFile({ target, owner, allow, base, prune }: Flags) {
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
    ...[...blocked, ...drift].map(each => toDocument(each, sameForm)),
    ...liveEdits.map(liveEditToJson),
  ]
  refuseKeyOnRecord(
    host,
    'refusing to save this plan',
    held.map(values => ({ address: String(values.address), values })),
  )
}

/** The largest number of estimates, so that hundreds of flags do not cost hundreds of requests. */
const estimateBudget = 40

async function withEstimates(host: Host, { client, connection }: Session, made: Plan): Promise<Plan> {
  const { redaction } = host
  const { parallelism } = connection
  const { plan, note } = await addEstimates(made, { client, parallelism, budget: estimateBudget, redaction })
  if (note !== undefined) host.log.warn(escapeText(note))
  return plan
}

function planCode(plan: Plan, flags: Flags): ExitCode {
  const codes: ExitCode[] = []
  // An unreadable kind has no plan, so it counts as a failure.
  const isPartial = plan.blocked.some(({ rule }) => rule === 'unreadable')
  // For an ambiguous object, it is unknown whether there is a change.
  const isUndecided = flags.detailedExitcode && plan.blocked.some(({ rule }) => rule === 'ambiguous')
  const isLeftOut = plan.blocked.length > 0 || leavesOut(plan.liveEdits)
  if (isPartial || isUndecided || needsDecision(plan.liveEdits) || (flags.failOnBlocked && isLeftOut))
    codes.push(exitCode.refused)
  if (flags.detailedExitcode && plan.changes.length > 0) codes.push(exitCode.changes)
  return mostImportant(codes)
}

function nextCommand(plan: Plan, flags: Flags): string | undefined {
  if (plan.changes.length === 0) return undefined
  return `${nextApply(flags)}${flags.out === undefined ? '' : '   (valid while these objects are unchanged)'}`
}

function planOut(name: string): OutFile {
  const failing = 'the plan cannot be saved as'
  return { name, failing, what: 'a plan', isEarlier: isPlanText, mode: 0o600 }
}

/**
 * The warnings about the objects in a plan. `validate` shows all warnings.
 *
 * | a warning that has          | is shown if                                    |
 * |-----------------------------|------------------------------------------------|
 * | an address                  | the plan contains that object                  |
 * | only a place, as in a stack | the plan contains an object of that place      |
 * | the place of a whole stack  | a stack is planned and the plan has any object |
 */
export function warningsAbout(plan: Plan, { warnings, stack }: Declared): readonly Problem[] {
  const { changes, blocked, liveEdits, drift } = plan
  const mentioned = [...changes, ...blocked, ...liveEdits, ...drift]
  // Reviewers of a grant look at its flag too.
  const flags = changes.flatMap(({ parent }) => (parent === undefined ? [] : [parent.$ref]))
  const addresses = new Set([...mentioned.map(({ address }) => address), ...flags])
  const places = new Set(mentioned.flatMap(({ source }) => (source ? [placeText(source)] : [])))
  return warnings.filter(({ address, source, isOfWholeFile }) => {
    if (address !== undefined) return addresses.has(address)
    if (source === undefined || isOfWholeFile) return stack !== undefined && mentioned.length > 0
    return places.has(placeText(source))
  })
}

type Declared = Pick<Repository, 'warnings' | 'stack'>

export function warningsMember(warnings: readonly LocatedProblem[]): JsonObject {
  if (warnings.length === 0) return {}
  // Faults contain only texts and numbers.
  return { warnings: warnings.map(({ problem }) => faultIn(problem)) as unknown as JsonObject[] }
}

function placeText({ file, line, column }: Source): string {
  return `${file}:${line}:${column}`
}
