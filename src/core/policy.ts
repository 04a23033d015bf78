import type { SdkVersions } from '../model/connection.ts'
import { defaultLiveEdits, type LiveEditPolicy, layLiveEdits } from '../model/live-edit-policy.ts'
import type { PruneMode } from '../model/removal.ts'
import { defaultRisk, type RiskPolicy } from '../model/risk.ts'
import { shellWord } from '../model/text/printable.ts'
import type { PlannedPolicies } from '../policies/planned-policies.ts'
import type { GroupTypeNumbers } from '../targeting/index.ts'
import type { Desired, GuardRule } from './desired.ts'
import type { Redaction } from './redaction.ts'

/** What a repository allows its plans to do. */
export interface Policy {
  readonly ownership: {
    /** The ownership tag; without it none is added to anything. */
    readonly tag?: string
    readonly prune: PruneMode
  }
  readonly limits: {
    /** The most objects that one plan may prune. */
    readonly delete: number
    /** The largest widening of one condition in one plan, in percentage points; no limit when undefined. */
    readonly rolloutStep?: number
  }
  /** Permissions that the repository, or the person who runs the plan, gives for guards: for one address or for all. */
  readonly allow: readonly Allowance[]
  /** The treatment of fields that were changed in the product, if a declaration has no setting of its own. */
  readonly liveEdits: LiveEditPolicy
  /** The level that each rule gives to a change. */
  readonly risk: RiskPolicy
  /** The names of group types in the text of plans. */
  readonly groupTypes?: GroupTypeNumbers
  /** The names of cohorts there. */
  readonly cohorts?: GroupTypeNumbers
  /** The SDKs that evaluate flags beside the service; absent if the settings name none. */
  readonly sdks?: SdkVersions
  /** The policies of the settings about plans themselves. */
  readonly planned?: PlannedPolicies
  /** Permissions by name for undeclared objects that a plan finds. */
  readonly allowUndeclared?: (addresses: readonly string[]) => readonly Allowance[]
  /** The hidden values; the changes of the plan hold all values. */
  readonly redaction?: Redaction
  /** Options for the commands in a plan, so that they reach the same place: `--env production`. */
  readonly placeOptions?: string
  /** The current time, in milliseconds since 1970, for frozen times; absent if these block nothing, as in an undo. */
  readonly now?: number
}

export interface Allowance {
  readonly rule: GuardRule
  readonly address?: string
}

export const defaultPolicy: Policy = {
  ownership: { prune: 'never' },
  limits: { delete: 5 },
  allow: [],
  liveEdits: defaultLiveEdits,
  risk: defaultRisk,
}

/** Whether the person who runs the plan allowed a rule for an address. */
export function isAllowed(policy: Policy, rule: GuardRule, address: string): boolean {
  return policy.allow.some(
    ({ rule: allowed, address: only }) => allowed === rule && (only ?? address) === address,
  )
}

/** The treatment of the live edits of one object: its own setting overrides the setting of the repository. */
export function liveEditPolicyOf(
  { liveEdits }: Pick<Policy, 'liveEdits'>,
  desired: Pick<Desired, 'liveEdits'>,
): LiveEditPolicy {
  return layLiveEdits(liveEdits, desired.liveEdits)
}

/** The option that allows a rule for one address. */
export function allowFlag(rule: GuardRule, address: string): string {
  return `--allow ${shellWord(`${rule}=${address}`)}`
}

/** A command for the place that was planned: `vexil pull checkout --env production`. */
export function commandAt(command: string, placeOptions = ''): string {
  return `\`${placeOptions === '' ? command : `${command} ${placeOptions}`}\``
}
