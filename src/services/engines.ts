import type { Profile } from '../model/profile.ts'
import { behaviourOf, type EvaluationBehaviour } from './index.ts'

/** What only SDKs do that evaluate flags by themselves. */
interface SdkWays {
  /** As numbers wherever both begin like one, else as texts. */
  readonly number_comparison: 'parsed'
  /** As one that matches nobody but with `is_not`. */
  readonly null_properties: 'no_match'
  /** ISO dates in UTC; what JavaScript reads, which takes milliseconds for numbers and its own zone for times. */
  readonly date_forms: 'iso_utc' | 'javascript'
  /** Patterns in which JavaScript and Rust agree. */
  readonly pattern_dialect: 'portable'
  /** Versions without leading zeros, compared by their three numbers; wildcards are read in two ways. */
  readonly later_operators: 'node' | 'python'
  readonly condition_groups: 'ignored'
  readonly early_exit: 'ignored'
  readonly holdouts: 'ignored'
  readonly enrolment: 'ignored'
}

type WayOf<Name> = Name extends keyof SdkWays ? SdkWays[Name] : never

/** How one engine evaluates flags, rule by rule. */
export type EvaluationRules = {
  readonly [Name in keyof EvaluationBehaviour]: EvaluationBehaviour[Name] | WayOf<Name>
}

/** The engine that answers `/flags`; the others evaluate what they have loaded, and ask it where they cannot. */
export const serviceEngine = 'the service'

/** The SDKs whose rules are known, by name and version, and what each does otherwise than the service. [service-today 10] */
const sdks = {
  'posthog-node 5': {
    number_comparison: 'parsed',
    date_forms: 'javascript',
    pattern_dialect: 'portable',
    later_operators: 'node',
    enrolment: 'ignored',
  },
  'posthog-python 7': {
    truth_values: 'text',
    number_comparison: 'mixed',
    letter_case: 'unicode',
    null_properties: 'no_match',
    date_forms: 'iso_utc',
    pattern_dialect: 'python',
    later_operators: 'python',
    holdouts: 'ignored',
    enrolment: 'ignored',
  },
} as const satisfies Readonly<Record<string, Partial<EvaluationRules>>>

/** SDKs from before September 2025, which are still in use, go by the rules of 2024. */
const olderSdks = {
  name: 'SDKs before September 2025',
  rules: {
    ...behaviourOf('posthog'),
    condition_groups: 'ignored',
    early_exit: 'ignored',
    holdouts: 'ignored',
    enrolment: 'ignored',
  },
} as const satisfies Engine

export interface Engine {
  readonly name: string
  readonly rules: EvaluationRules
}

/** Who may evaluate a flag of a service, the service itself first. Of the one of 2024 nobody is known to differ. */
export function enginesOf(profile: Profile): readonly Engine[] {
  const rules = behaviourOf(profile)
  const service = { name: serviceEngine, rules }
  if (profile !== 'posthog-2026') return [service]
  const others = Object.entries<Partial<EvaluationRules>>(sdks)
  return [service, ...others.map(([name, own]) => ({ name, rules: { ...rules, ...own } })), olderSdks]
}
