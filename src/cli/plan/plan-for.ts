import type { Plan } from '../../core/change.ts'
import { isAllowed } from '../../core/policy.ts'
import type { Snapshot } from '../../core/read/snapshot.ts'
import type { PlanMeta, PlanScope } from '../../core/record/plan-file.ts'
import { once } from '../../model/runtime/once.ts'
import { version } from '../../model/version.ts'
import type { Repository } from '../connection/repository-settings.ts'
import type { Session } from '../connection/session.ts'
import type { Host } from '../host/host.ts'
import { type BaseFlags, baseOnRecord, chooseBase } from '../past/base-choice.ts'
import { revisionOf } from '../repository/revision-of.ts'
import { type MadePlan, makePlan } from './make-plan.ts'
import { type PlaceFlags, placeOptions } from './place-options.ts'
import { type PolicyFlags, resolvePolicy, withoutPrune } from './resolve-policy.ts'
import { type Choice, isPart, onlyChosen } from './target-filter.ts'

/** What the command line says of a plan beside where it is for. */
export interface ChoiceFlags extends PolicyFlags, Choice, BaseFlags {}

export interface PlanFor extends Pick<MadePlan, 'askAncestry'> {
  readonly plan: Plan
  /** Why records of others could not be fetched. */
  readonly unshared: string | undefined
  /** What was read of the live service for it. */
  readonly snapshot: Snapshot
  readonly meta: PlanMeta
  /** What it was asked for. To work that out takes a while, and a plan that is only read does not need it. */
  readonly scope: () => PlanScope
}

/** The plan that `plan` shows and `apply` carries out, and what it is on record with. */
export async function planFor(
  host: Host,
  session: Session,
  repository: Repository,
  flags: ChoiceFlags & PlaceFlags,
): Promise<PlanFor> {
  const policy = { ...resolvePolicy(repository.policy, flags), now: host.runtime.now() }
  const declarations = onlyChosen(repository.declarations, flags)
  const { directory, past } = repository
  const base = await chooseBase(host, directory, past, flags)
  const revision = revisionOf(host, directory)
  const [{ plan, snapshot, askAncestry, declared, measuring, unshared, after }, commit] = await Promise.all([
    makePlan(host, session, {
      directory,
      environment: repository.environment,
      runs: repository.runs,
      past,
      base,
      revision,
      refuse: repository.refuse,
      declarations,
      placeOptions: placeOptions({ ...flags, ...session.placeFlags }),
      // A plan of a part must not prune the rest.
      policy: isPart(flags) ? withoutPrune(policy) : policy,
    }),
    commitOf(host, revision),
  ])
  const meta: PlanMeta = {
    toolVersion: version,
    target: session.target,
    environment: repository.environment,
    createdAt: host.runtime.now(),
    requests: session.client.requestCount + (repository.requests ?? 0),
    ...commit,
    ...baseOnRecord(base),
    ...measuring,
    ...(isAllowed(policy, 'older_commit', '') ? { allowed: ['older_commit'] as const } : {}),
  }
  const wanted = new Set(declarations.desired.map(({ address }) => address))
  const all = repository.declarations.desired.map(({ address }) => address)
  const notTargeted = all.filter(address => !wanted.has(address))
  const scope = once(() => ({ declared: declared(), notTargeted, after }))
  return { plan, snapshot, askAncestry, unshared, meta, scope }
}

/** The commit of the declarations: what git says and, where git says nothing, what the pipeline says. */
async function commitOf(
  host: Host,
  told: ReturnType<typeof revisionOf>,
): Promise<Pick<PlanMeta, 'commit' | 'dirty'>> {
  const revision = await told
  if (revision.commit !== undefined) return revision
  const commit = commitIn(host.env)
  return commit === undefined ? {} : { commit }
}

/** The commit that a pipeline is running for, as the common ones tell it. */
function commitIn(env: Host['env']): string | undefined {
  const sha = env.VEXIL_COMMIT ?? env.GITHUB_SHA ?? env.CI_COMMIT_SHA ?? env.BUILDKITE_COMMIT
  return sha && /^[0-9a-f]{7,64}$/i.test(sha) ? sha : undefined
}
