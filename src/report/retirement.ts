import type { FlagValue, Hold, Standing, Unchecked } from '../core/retire/retirement.ts'
import type { RetireStep, StepState } from '../model/removal/retire-steps.ts'

/** `vexil retire`: where the removal of a flag stands. */
export interface Retirement {
  readonly address: string
  /** The next step, and what became of it in this call. */
  readonly step: RetireStep
  readonly steps: readonly { readonly step: RetireStep; readonly state: StepState }[]
  readonly environments: readonly RetiredIn[]
  /** All that holds it, with what holds only later steps. */
  readonly holds: readonly (Hold & { readonly isNow: boolean })[]
  readonly unchecked: readonly Unchecked[]
}

export interface RetiredIn extends Standing {
  /** Since when it is off, in milliseconds since 1970. */
  readonly offSince?: number | undefined
}

/** The same as `--json` prints it. */
export function retireMembers({ address, step, steps, environments, holds, unchecked }: Retirement) {
  return {
    address,
    step,
    steps,
    environments: environments.map(({ environment = null, declared, value, offSince }) => ({
      environment,
      declared,
      value: valueMember(value),
      off_since: offSince === undefined ? null : new Date(offSince).toISOString(),
    })),
    holds: holds.map(({ kind, environment = null, place, what, remedy, isAllowed = false, isNow }) => ({
      kind,
      environment,
      ...(place ? { source: place } : {}),
      what,
      remedy,
      allowed: isAllowed,
      now: isNow,
    })),
    unchecked: unchecked.map(({ environment = null, what, reason }) => ({ environment, what, reason })),
  }
}

function valueMember(value: FlagValue | undefined): FlagValue | null {
  return value ?? null
}
