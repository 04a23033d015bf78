import type { Change, Drift, Plan } from '../../core/change.ts'
import type { Engine, ExactJson } from '../../hcl/index.ts'
import { type Profile, profileNamed } from '../../model/connection.ts'
import type { Problem } from '../../model/problem.ts'
import { defaultRisk } from '../../model/risk.ts'
import { version } from '../../model/version.ts'
import { isOurType } from '../../schema/terraform/terraform-names.ts'
import { behaviourOf } from '../../services/index.ts'
import { resourceSchemas } from '../evaluate/attributes.ts'
import { blockMembers } from '../read/stack-file.ts'
import { changesOf, driftOf, type TellingManner } from './change-of.ts'
import type { PlannedChange } from './planned-change.ts'
import { ourProvidersIn, ownersIn } from './planned-providers.ts'
import { missingIn, readTerraformPlan, type TerraformPlan } from './read-plan.ts'

/** What a Terraform plan does, in the words of Vexil's own plans. */
export interface TerraformChanges {
  /** The engine that made it, with its version. */
  readonly engine: Engine
  readonly version: string
  /** What it omits from the configuration; undefined for a whole plan. */
  readonly partial: string | undefined
  /** The service that the provider is configured for, if the plan contains it. */
  readonly profile: Profile
  /** The changes of our resources. */
  readonly changes: readonly Change[]
  /** The edits of our resources in the product since the last apply. */
  readonly drift: readonly Drift[]
  /** The owners of the listed resources, by address. */
  readonly owners: Plan['owners']
  /** The Terraform addresses of unchanged resources. */
  readonly unchanged: readonly string[]
  /** The number of those that are only imported into the state. */
  readonly imported: number
  /** The number of changed resources of other providers, by action; unchanged ones are not counted. */
  readonly others: Readonly<Record<string, number>>
  /** Failed checks of the configuration. */
  readonly failedChecks: TerraformPlan['failedChecks']
}

/**
 * Reads the file that `terraform show -json` has written, or returns the problem if it is not a plan. By
 * default the usual risk policy counts.
 */
export async function readTerraformChanges(
  path: string,
  shownAs: string,
  how: Partial<Omit<TellingManner, 'rules' | 'engine'>> = {},
): Promise<{
  readonly told?: TerraformChanges
  readonly text: string
  readonly problems: readonly Problem[]
}> {
  const { plan, text, problems } = await readTerraformPlan(path, shownAs)
  if (plan === undefined) return { text, problems }
  const unknown = plan.changes.find(({ type }) => isOurType(type) && !resourceSchemas.has(type))
  if (unknown === undefined) return { told: toldIn(plan, { risk: defaultRisk, ...how }), text, problems }
  const { address, type } = unknown
  const problem: Problem = {
    code: 'terraform-plan',
    severity: 'error',
    message: `${address}: this Vexil (${version}) does not know the resource type "${type}"`,
    hint: 'show the plan with the version of Vexil that the provider has',
    source: { file: shownAs, line: 1, column: 1 },
  }
  return { text, problems: [problem] }
}

function toldIn(plan: TerraformPlan, how: Omit<TellingManner, 'rules' | 'engine'>): TerraformChanges {
  const ours = plan.changes.filter(({ type }) => isOurType(type))
  const isSame = ({ actions }: PlannedChange) => actions.length === 1 && actions[0] === 'no-op'
  const unchanged = ours.filter(isSame)
  const profile = profileOf(plan)
  const manner = { rules: behaviourOf(profile), engine: plan.engine, ...how }
  const changes = ours.filter(each => !isSame(each)).flatMap(each => changesOf(each, plan, manner))
  const drift = plan.drifted
    .filter(({ type }) => isOurType(type))
    .flatMap(each => driftOf(each, plan, manner))
  return {
    ...{ engine: plan.engine, version: plan.version, partial: missingIn(plan) },
    profile,
    changes,
    drift,
    owners: ownersIn(plan, { changes, drift }),
    unchanged: unchanged.map(({ address }) => address),
    imported: unchanged.filter(({ importing }) => importing !== undefined).length,
    others: countsOf(plan.changes.filter(each => !isOurType(each.type) && !isSame(each))),
    failedChecks: plan.failedChecks,
  }
}

function countsOf(changes: readonly PlannedChange[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const { actions } of changes) {
    const name = actions.length === 2 ? 'replace' : (actions[0] ?? 'no-op')
    counts[name] = (counts[name] ?? 0) + 1
  }
  return counts
}

/** The provider's configured service, if the plan contains it; evaluation hardly differs between services. */
function profileOf(plan: TerraformPlan): Profile {
  const said = [...ourProvidersIn(plan).values()].map(({ expressions }) =>
    constantIn(blockMembers(expressions).profile),
  )
  return profileNamed(said.find(profile => profile !== undefined)) ?? 'documented'
}

function constantIn(expression: ExactJson | undefined): string | undefined {
  const { constant_value: value } = blockMembers(expression)
  return typeof value === 'string' ? value : undefined
}
