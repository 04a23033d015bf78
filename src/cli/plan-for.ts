import type { Plan } from '../core/change.ts'
import type { PlanMeta } from '../core/plan-file.ts'
import type { Host } from './host.ts'
import { makePlan } from './make-plan.ts'
import { type PolicyFlags, settlePolicy, withoutPrune } from './policy.ts'
import type { Repository } from './repository.ts'
import type { Session } from './session.ts'
import { onlyTargets } from './target-filter.ts'
import { version } from './version.ts'

/** What the command line says of a plan beside where it is for. */
export interface ChoiceFlags extends PolicyFlags {
  readonly target?: readonly string[]
}

/** The plan that `plan` shows and `apply` carries out, and what it is on record with. */
export async function planFor(
  host: Host,
  session: Session,
  repository: Repository,
  flags: ChoiceFlags,
): Promise<{ readonly plan: Plan; readonly meta: PlanMeta }> {
  const { target: targets = [] } = flags
  const policy = settlePolicy(repository.policy, flags)
  const plan = await makePlan(host, session, {
    directory: repository.directory,
    refuse: repository.refuse,
    declarations: onlyTargets(repository.declarations, targets),
    // A plan of a part must not prune the rest.
    policy: targets.length === 0 ? policy : withoutPrune(policy),
  })
  const meta: PlanMeta = {
    toolVersion: version,
    target: session.target,
    environment: repository.environment,
    commit: commitIn(host.env),
  }
  return { plan, meta }
}

/** The commit that a pipeline is running for, as the common ones tell it. */
function commitIn(env: Host['env']): string | undefined {
  const sha = env.VEXIL_COMMIT ?? env.GITHUB_SHA ?? env.CI_COMMIT_SHA ?? env.BUILDKITE_COMMIT
  return sha && /^[0-9a-f]{7,64}$/i.test(sha) ? sha.slice(0, 12) : undefined
}
