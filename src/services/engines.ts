import { type Profile, profiles, type SdkVersions } from '../model/connection.ts'
import { behaviourOf } from './differences.ts'
import { type EvaluationRules, type Sdk, type SdkRange, sdks } from './sdks.ts'

export type { EvaluationRules } from './sdks.ts'

/** The engine that answers `/flags`; the others evaluate loaded flags, and ask it if they cannot. */
export const serviceEngine = 'the service'

export interface Engine {
  /** The service, or an SDK with its version: `posthog-go 1.5.2`. */
  readonly name: string
  readonly rules: EvaluationRules
}

export type Engines = readonly [Engine, ...Engine[]]

/** The project setting for true and false, as in the definitions for SDKs. [service-today 10] */
export type PropertyMatchingVersion = 1 | 2

interface EngineOptions {
  /** Those of the service, if they differ from its profile, as in a configured sandbox. */
  readonly rules?: EvaluationRules | undefined
  readonly version?: PropertyMatchingVersion | undefined
  readonly sdks?: SdkVersions | undefined
}

/**
 * The engines that may evaluate a flag of a service, the service itself first. The SDKs are those that a team
 * uses or, if none are named, the newest of each on the service of today.
 */
export function enginesOf(profile: Profile, options: EngineOptions = {}): Engines {
  const { rules, version, sdks: used } = options
  const isUsual = rules === undefined && version === undefined
  const known = isUsual ? (used ? enginesFor(used) : usualEngines).get(profile) : undefined
  return known ?? enginesBy(profile, options)
}

function enginesBy(
  profile: Profile,
  { rules = behaviourOf(profile), version, sdks: used }: EngineOptions,
): Engines {
  const others = used ? sdksIn(used) : profile === 'posthog-2026' ? newestSdks : []
  const service = { name: serviceEngine, rules: version === 2 ? withTexts(rules, 'text') : rules }
  if (version !== 2) return [service, ...others]
  return [service, ...others.map(({ name, rules: own }) => ({ name, rules: withTexts(own, 'empty_list') }))]
}

/** Engines that compare true and false by their truth compare texts in a project of version 2. */
function withTexts(rules: EvaluationRules, how: 'text' | 'empty_list'): EvaluationRules {
  return rules.truth_values === 'truth' ? { ...rules, truth_values: how } : rules
}

/** The SDKs that settings name, one for each range of versions that may be meant. */
function sdksIn(used: SdkVersions): readonly Engine[] {
  return Object.entries(used).flatMap(([name, versions]) =>
    versions.flatMap(({ version, from }) => {
      const range = sdkNamed(name)?.ranges.find(each => each.from === from)
      return range ? [engineOf(name, range, version)] : []
    }),
  )
}

/** Every SDK that reads `not_in` of a cohort as `in`, and the version that stops doing so: `posthog-go`. */
export const readNotInAsIn: readonly string[] = Object.entries<Sdk>(sdks).map(([name, { obeysNotIn }]) =>
  obeysNotIn === undefined ? name : `${name} before ${obeysNotIn}`,
)

/** The measurements of an SDK by its name; undefined for one that was never run. */
export function sdkNamed(name: string): Sdk | undefined {
  return Object.entries<Sdk>(sdks).find(([known]) => known === name)?.[1]
}

function engineOf(name: string, range: SdkRange, version: string): Engine {
  return { name: `${name} ${version}`, rules: rulesOf(range) }
}

function rulesOf({ rules }: SdkRange): EvaluationRules {
  return { ...behaviourOf('posthog-2026'), definitions: 'listed', ...rules }
}

const newestSdks = Object.entries<Sdk>(sdks).map(([name, { newest, ranges }]) =>
  engineOf(name, ranges[0], newest),
)

/** Created once: a check needs them for each flag. */
const usualEngines = new Map(profiles.map(profile => [profile, enginesBy(profile, {})]))

/** The same for the SDKs of settings. */
const enginesWith = new WeakMap<SdkVersions, ReadonlyMap<Profile, Engines>>()

function enginesFor(used: SdkVersions): ReadonlyMap<Profile, Engines> {
  const known = enginesWith.get(used)
  if (known) return known
  const made = new Map(profiles.map(profile => [profile, enginesBy(profile, { sdks: used })]))
  enginesWith.set(used, made)
  return made
}
