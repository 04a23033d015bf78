import { type Profile, profiles, type SdkVersions } from '../model/connection.ts'
import { behaviourOf } from './differences.ts'
import { type EvaluationRules, type Sdk, type SdkRange, sdks } from './sdks.ts'

export type { EvaluationRules } from './sdks.ts'

/** Answers `/flags`. The other engines evaluate loaded flags, and ask this one if they cannot. */
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
  /** The rules of the service, if they differ from its profile, as in a configured sandbox. */
  readonly rules?: EvaluationRules | undefined
  readonly version?: PropertyMatchingVersion | undefined
  readonly sdks?: SdkVersions | undefined
}

/**
 * The engines that may evaluate a service's flags, starting with the service itself. The SDKs are the team's
 * or, if none are named, the newest of each for the service of 2026.
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

/** In a project of version 2, engines that compare true and false by truth compare texts instead. */
function withTexts(rules: EvaluationRules, how: 'text' | 'empty_list'): EvaluationRules {
  return rules.truth_values === 'truth' ? { ...rules, truth_values: how } : rules
}

/** The SDKs in settings: one entry for each range of versions that may be in use. */
function sdksIn(used: SdkVersions): readonly Engine[] {
  return Object.entries(used).flatMap(([name, versions]) =>
    versions.flatMap(({ version, from }) => {
      const range = sdkNamed(name)?.ranges.find(each => each.from === from)
      return range ? [engineOf(name, range, version)] : []
    }),
  )
}

/** Every SDK that treats `not_in` of a cohort as `in`, and the first correct version: `posthog-go`. */
export const readNotInAsIn: readonly string[] = Object.entries<Sdk>(sdks).map(([name, { obeysNotIn }]) =>
  obeysNotIn === undefined ? name : `${name} before ${obeysNotIn}`,
)

/** The measurements of an SDK by name; undefined if the SDK was never tested. */
export function sdkNamed(name: string): Sdk | undefined {
  return Object.entries<Sdk>(sdks).find(([known]) => known === name)?.[1]
}

function engineOf(name: string, range: SdkRange, version: string): Engine {
  return { name: `${name} ${version}`, rules: rulesOf(range) }
}

/** All rules of a range of versions. */
export function rulesOf({ rules }: SdkRange): EvaluationRules {
  return { ...behaviourOf('posthog-2026'), definitions: 'listed', ...rules }
}

const newestSdks = Object.entries<Sdk>(sdks).map(([name, { newest, ranges }]) =>
  engineOf(name, ranges[0], newest),
)

/** Created once, because a check needs them for each flag. */
const usualEngines = new Map(profiles.map(profile => [profile, enginesBy(profile, {})]))

/** Engines by the SDK versions in settings. */
const enginesWith = new WeakMap<SdkVersions, ReadonlyMap<Profile, Engines>>()

function enginesFor(used: SdkVersions): ReadonlyMap<Profile, Engines> {
  const known = enginesWith.get(used)
  if (known) return known
  const made = new Map(profiles.map(profile => [profile, enginesBy(profile, { sdks: used })]))
  enginesWith.set(used, made)
  return made
}
