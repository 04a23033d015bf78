import { driftSides, foundDrift, hasDrift } from '../../core/plan/found-drift.ts'
import { planDocument } from '../../core/record/plan-file.ts'
import { redactedPlan } from '../../core/redaction.ts'
import { version } from '../../model/version.ts'
import { policiesOfHolds } from '../../policies/planned-policies.ts'
import type { Flags } from '../command-options.ts'
import { type ExitCode, exitCode, mostImportant } from '../host/exit-code.ts'
import type { Host } from '../host/host.ts'
import { print } from '../host/output.ts'
import { baseOnRecord, chooseBase } from '../past/past-declarations.ts'
import { makePlan } from '../plan/make-plan.ts'
import { authorsForReports } from '../plan/saved-plan.ts'
import { onlyChosen, resolvePolicy, withoutPrune } from '../plan/target-filter.ts'
import { noteDeclarations, openRepository, revisionOf } from '../repository/repository.ts'
import { placeOptions } from '../repository/repository-settings.ts'
import { shownTarget, usingSession } from '../repository/session.ts'

/**
 * `vexil drift`: shows live changes that differ from the declarations. It only reads, and ends in 6 if there
 * are any. Unapplied changes of the repository are counted separately.
 */
export async function runDrift(host: Host, flags: Flags): Promise<ExitCode> {
  const repository = await openRepository(host, flags)
  return usingSession(host, flags, repository, { readOnly: true }, async session => {
    const policy = resolvePolicy(repository.policy, flags)
    const { directory, past } = repository
    const base = await chooseBase(host, directory, past, flags)
    const place = placeOptions({ ...flags, ...session.placeFlags })
    const revision = revisionOf(host, directory)
    const {
      plan: made,
      records,
      measuring,
    } = await makePlan(host, session, {
      repository,
      base,
      placeOptions: place,
      revision,
      declarations: onlyChosen(repository.declarations, flags),
      isLookedAt: true,
      // Nothing is applied, so guards must not hide differences.
      policy: {
        ...withoutPrune(policy),
        limits: { delete: policy.limits.delete },
        planned: policy.planned && policiesOfHolds(policy.planned),
        now: host.runtime.now(),
      },
    })
    const meta = {
      toolVersion: version,
      target: session.target,
      environment: repository.environment,
      ...baseOnRecord(base),
      ...measuring,
      requests: session.client.requestCount + (repository.requests ?? 0),
    }
    const shown = redactedPlan(made, host.redaction)
    const found = foundDrift(shown, records)
    noteDeclarations(host, repository, flags)
    const authors = await authorsForReports(host, directory, { plan: made, meta: await revision, ...flags })
    await print(host, flags, {
      is: 'drift',
      ...authors,
      plan: shown,
      found,
      placeOptions: place,
      meta: { ...meta, target: shownTarget(session), now: host.runtime.now() },
      get saved() {
        return planDocument(shown, meta, undefined, { sides: driftSides(found) })
      },
    })
    const isPartial = made.blocked.some(({ rule }) => rule === 'unreadable')
    return mostImportant([
      hasDrift(found) ? exitCode.drift : exitCode.done,
      isPartial ? exitCode.refused : exitCode.done,
    ])
  })
}
