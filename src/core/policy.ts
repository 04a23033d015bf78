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
    readonly tag?: string
    readonly prune: PruneMode
  }
  readonly limits: {
    /** The most objects that one plan may prune. */
    readonly delete: number
    /** The largest widening of one condition in one plan, in percentage points; no limit when undefined. */
    readonly rolloutStep?: number
  }
  /** Permissions for guards, from the repository or the command line: for one address or for all. */
  readonly allow: readonly Allowance[]
  /** How live edits are treated, if the declaration does not set this. */
  readonly liveEdits: LiveEditPolicy
  readonly risk: RiskPolicy
  /** The names of group types in the text of plans. */
  readonly groupTypes?: GroupTypeNumbers
  readonly cohorts?: GroupTypeNumbers
  /** The SDKs that evaluate flags beside the service; absent if the settings name none. */
  readonly sdks?: SdkVersions
  /** The policies of the settings about plans themselves. */
  readonly planned?: PlannedPolicies
  /** Permissions by name for undeclared objects that a plan finds. */
  readonly allowUndeclared?: (addresses: readonly string[]) => readonly Allowance[]
  /** The hidden values; the changes of the plan hold all values. */
  readonly redaction?: Redaction
  /** Options for commands in messages, so that they use the same place: `--env production`. */
  readonly placeOptions?: string
  /** The current time for freezes, in milliseconds since 1970; absent if none blocks, as in an undo. */
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

export function isAllowed(policy: Policy, rule: GuardRule, address: string): boolean {
  return policy.allow.some(
    ({ rule: allowed, address: only }) => allowed === rule && (only ?? address) === address,
  )
}

/** How the live edits of an object are treated: its own setting, or else that of the repository. */
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

/** A command with the options of the planned place: `vexil pull checkout --env production`. */
export function commandAt(command: string, placeOptions = ''): string {
  return `\`${placeOptions === '' ? command : `${command} ${placeOptions}`}\``
}
