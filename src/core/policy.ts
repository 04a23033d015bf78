import type { PruneMode } from '../model/prune.ts'
import { shellWord } from '../model/text/shell-word.ts'
import type { GuardRule } from './desired.ts'

/** What a repository allows its plans to do. */
export interface Policy {
  readonly ownership: {
    /** The ownership tag; without it none is put on anything. */
    readonly tag?: string
    readonly prune: PruneMode
  }
  readonly limits: {
    /** The most objects that one plan may prune. */
    readonly delete: number
    /** The largest widening of one condition in one plan, in percentage points; no limit when undefined. */
    readonly rolloutStep?: number
  }
  /** Guards that the repository, or the person who runs the plan, lets changes past: for one address or for all. */
  readonly allow: readonly Allowance[]
}

export interface Allowance {
  readonly rule: GuardRule
  readonly address?: string
}

export const defaultPolicy: Policy = {
  ownership: { prune: 'never' },
  limits: { delete: 5 },
  allow: [],
}

/** Whether the person who runs the plan allowed a rule for an address. */
export function isAllowed(policy: Policy, rule: GuardRule, address: string): boolean {
  return policy.allow.some(
    ({ rule: allowed, address: only }) => allowed === rule && (only ?? address) === address,
  )
}

/** What to type so that a rule is allowed for one address. */
export function allowFlag(rule: GuardRule, address: string): string {
  return `--allow ${shellWord(`${rule}=${address}`)}`
}
