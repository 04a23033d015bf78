import { decidingCondition } from '../../targeting/index.ts'
import { reachableVariants, readRelease } from '../../targeting/release.ts'
import type { TestedFlag } from './run-tests.ts'

/** What of a flag the people of its tests reach. */
export interface FlagCoverage {
  /** Every condition, from 0, and those that decide for nobody in a test. */
  readonly conditions: number
  readonly missedConditions: readonly number[]
  /** How many variants somebody can get at all, and those of them that nobody in a test gets. */
  readonly variants: number
  readonly missedVariants: readonly string[]
}

/**
 * The conditions and variants of a flag that no test reaches, whether or not it passes. A condition is reached by somebody for
 * whom it decides, also outside of its percentage. Nobody reaches a flag that is off or absent, and nothing of it counts.
 */
export function coverageOf({ desired, tests }: TestedFlag): FlagCoverage {
  const { ensure, fields } = desired
  if (ensure === 'absent' || fields.active === false || fields.filters === undefined) return nothing
  const release = readRelease(fields.filters)
  const told = tests.map(({ evaluation }) => evaluation).filter(({ undecided }) => undecided === undefined)
  const deciding = new Set(told.map(decidingCondition))
  const values = new Set(told.map(({ value }) => value))
  const variants = reachableVariants(release)
  return {
    conditions: release.conditions.length,
    missedConditions: release.conditions.map(({ index }) => index).filter(index => !deciding.has(index)),
    variants: variants.length,
    missedVariants: variants.filter(key => !values.has(key)),
  }
}

const nothing: FlagCoverage = { conditions: 0, missedConditions: [], variants: 0, missedVariants: [] }

export interface Shares {
  readonly total: number
  readonly reached: number
}

/** What is reached of several flags, and how much of all that is, in percent; where there is nothing to reach, all of it. */
export function coverageOfAll(flags: readonly FlagCoverage[]): {
  readonly percent: number
  readonly conditions: Shares
  readonly variants: Shares
} {
  const sum = (count: (flag: FlagCoverage) => number) => flags.reduce((all, flag) => all + count(flag), 0)
  const shares = (total: number, missed: number) => ({ total, reached: total - missed })
  const conditions = shares(
    sum(flag => flag.conditions),
    sum(flag => flag.missedConditions.length),
  )
  const variants = shares(
    sum(flag => flag.variants),
    sum(flag => flag.missedVariants.length),
  )
  const total = conditions.total + variants.total
  // Rounded down: 100 is all of it.
  const percent =
    total === 0 ? 100 : Math.floor((1000 * (conditions.reached + variants.reached)) / total) / 10
  return { percent, conditions, variants }
}
