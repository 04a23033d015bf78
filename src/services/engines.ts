import { type Profile, profiles } from '../model/connection/profile.ts'
import { behaviourOf, type EvaluationBehaviour } from './index.ts'

/** What only SDKs do that evaluate flags by themselves, in words. */
export const sdkWays = {
  number_comparison: {
    parsed: 'numbers wherever both sides begin like one, else texts',
    loose: 'as `mixed`, and true is 1, false 0',
  },
  null_properties: { no_match: 'a property that is null matches nothing but `is_not`' },
  date_forms: {
    iso_utc: 'ISO dates, in UTC',
    javascript:
      'what JavaScript reads: numbers are milliseconds, times without a zone in that of the machine',
  },
  pattern_dialect: { portable: 'plain patterns and ASCII alone; the service is asked about others' },
  later_operators: {
    node: 'versions by their three numbers, without leading zeros; of a wildcard the first two',
    python:
      'versions by their three numbers, without leading zeros; a wildcard without a star is that version',
  },
  condition_groups: {
    own_alone: 'each condition counts its own groups, and all of its properties are theirs',
    ignored: 'all conditions count what the flag does',
  },
  early_exit: { ignored: 'means nothing' },
  holdouts: { ignored: 'mean nothing' },
  enrolment: { ignored: 'means nothing' },
} as const satisfies { readonly [Name in keyof EvaluationBehaviour]?: Readonly<Record<string, string>> }

type WayOf<Name> = Name extends keyof typeof sdkWays ? keyof (typeof sdkWays)[Name] : never

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
    condition_groups: 'own_alone',
    enrolment: 'ignored',
  },
  'posthog-python 7': {
    truth_values: 'text',
    number_comparison: 'loose',
    letter_case: 'unicode',
    null_properties: 'no_match',
    date_forms: 'iso_utc',
    pattern_dialect: 'python',
    later_operators: 'python',
    condition_groups: 'own_alone',
    holdouts: 'ignored',
    enrolment: 'ignored',
  },
} as const satisfies Readonly<Record<string, Partial<EvaluationRules>>>

/** SDKs from before September 2025, which are still in use, go by the rules of 2024. */
const olderSdks = {
  name: 'SDKs before September 2025',
  rules: {
    ...behaviourOf('posthog'),
    number_comparison: 'loose',
    property_negation: 'ignored',
    condition_groups: 'ignored',
    early_exit: 'ignored',
    holdouts: 'ignored',
    enrolment: 'ignored',
  },
} as const satisfies Engine

/** SDKs that read `not_in` of a cohort as `in`, and no `negation` either. [service-today 10] */
export const readNotInAsIn: readonly string[] = [
  'posthog-node before June 2026',
  'posthog-python before August 2026',
  'posthog-go',
  'posthog-server (Java)',
]

export interface Engine {
  readonly name: string
  readonly rules: EvaluationRules
}

/**
 * Who may evaluate a flag of a service, the service itself first. Of the one of 2024 nobody is known to differ. A
 * service may have other rules than its profile, as a sandbox that is told so does.
 */
export function enginesOf(profile: Profile, rules?: EvaluationRules): readonly [Engine, ...Engine[]] {
  return rules ? enginesBy(profile, rules) : (usualEngines.get(profile) ?? enginesBy(profile))
}

function enginesBy(
  profile: Profile,
  rules: EvaluationRules = behaviourOf(profile),
): readonly [Engine, ...Engine[]] {
  const service = { name: serviceEngine, rules }
  if (profile !== 'posthog-2026') return [service]
  const others = Object.entries<Partial<EvaluationRules>>(sdks)
  return [service, ...others.map(([name, own]) => ({ name, rules: { ...rules, ...own } })), olderSdks]
}

/** What a project is set to do with true and false, as the definitions for SDKs tell. [service-today 10] */
export type PropertyMatchingVersion = 1 | 2

/** The rules of the service in a project with that version; undefined for a service that knows no such setting. */
export function rulesWithVersion(
  profile: Profile,
  version: PropertyMatchingVersion,
): EvaluationRules | undefined {
  if (profile !== 'posthog-2026') return undefined
  return { ...behaviourOf(profile), truth_values: version === 2 ? 'text' : 'truth' }
}

/** Made once: a check asks for them for each flag. */
const usualEngines = new Map(profiles.map(profile => [profile, enginesBy(profile)]))
