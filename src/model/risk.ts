import { doubleOf } from '../hcl/json.ts'
import { isJsonNumber, isJsonObject, type Json, type JsonObject } from './text/json.ts'

/** How much harm a change may do to people, from least to most. */
export const risks = ['low', 'medium', 'high', 'critical'] as const

export type Risk = (typeof risks)[number]

/** For each level, the number of percentage points above which it applies: `{ medium: 0, high: 25 }`. */
export type RiskSteps = Readonly<Partial<Record<Risk, number>>>

interface Rule {
  /** When the rule applies. */
  readonly doc: string
  /** The default level. */
  readonly level: Risk | RiskSteps
}

/**
 * The rules for the risk of a change. The highest level of all matching rules counts, so raising a rule never
 * lowers a risk. A rule with steps uses the largest widening of a condition, in percentage points.
 */
export const riskRules = {
  widened: {
    doc: 'a condition gives the flag to more people; the level depends on the number of percentage points',
    level: { medium: 0, high: 25 },
  },
  everyone: {
    doc: 'everybody gets the flag after a step of 75 points or more',
    level: 'critical',
  },
  mixed: {
    doc: 'some people get the flag and others lose it, or the filters alone do not show who',
    level: 'high',
  },
  narrowed: { doc: 'some people lose the flag', level: 'medium' },
  turned_off: {
    doc: 'nobody gets the flag any more: it is turned off, or its conditions reach nobody',
    level: 'high',
  },
  reassigned: {
    doc: 'people who have the flag may get another value: the variants, their weights or the counted subject change',
    level: 'high',
  },
  renamed: { doc: 'an object is renamed, and code uses its name', level: 'high' },
  created: { doc: 'a new flag reaches somebody, or an object of another kind is created', level: 'medium' },
  unlimited: { doc: 'a new flag is on, and no declared `filters` limit who gets it', level: 'high' },
  deleted: { doc: 'a plugin is deleted, or a flag that somebody gets', level: 'high' },
  deleted_unused: {
    doc: 'a flag that nobody gets is deleted, or an object that the service creates again automatically',
    level: 'medium',
  },
  source_changed: {
    doc: 'source files of a live plugin change, or a new plugin has source files: nobody reviews code when a plugin is turned on',
    level: 'high',
  },
  changed: {
    doc: 'another field changes, or `filters` change without giving the flag to other people',
    level: 'medium',
  },
  granted: { doc: 'a role may edit a flag, or its level changes', level: 'low' },
  revoked: { doc: 'a role may no longer edit a flag', level: 'low' },
  unnoticed: {
    doc: 'only descriptions and tags change, or a new flag reaches nobody',
    level: 'low',
  },
  undecided: {
    doc: 'who gets the flag is known only during the apply, as in Terraform plans',
    level: 'high',
  },
} as const satisfies Readonly<Record<string, Rule>>

export type RiskRule = keyof typeof riskRules

// The table has exactly these keys.
export const riskRuleNames = Object.keys(riskRules) as readonly RiskRule[]

export type RiskPolicy = Readonly<Record<RiskRule, Risk | RiskSteps>>

export const defaultRisk: RiskPolicy = mapRules(rule => riskRules[rule].level)

/** Whether the level of a rule depends on the points of a widening. */
export function hasSteps(rule: RiskRule): boolean {
  return typeof riskRules[rule].level !== 'string'
}

/**
 * Merges a policy with settings, rule by rule. A level replaces the earlier one; steps are merged. Invalid
 * parts are skipped, because the schema has reported them.
 */
export function layRisk(policy: RiskPolicy, given: Json | undefined): RiskPolicy {
  if (given === undefined || !isJsonObject(given)) return policy
  return mapRules(rule => {
    const own = given[rule]
    if (own === undefined) return policy[rule]
    if (isRisk(own)) return own
    return isJsonObject(own) ? { ...stepsOf(policy[rule]), ...stepsIn(own) } : policy[rule]
  })
}

/** The level of a rule for a widening of `points`. Undefined if the steps begin higher. */
export function levelOf(policy: RiskPolicy, rule: RiskRule, points = 0): Risk | undefined {
  const level = policy[rule]
  if (isRisk(level)) return level
  return risks.findLast(risk => points > (level[risk] ?? Number.POSITIVE_INFINITY))
}

export function greaterRisk(left: Risk, right: Risk): Risk {
  return risks.indexOf(left) >= risks.indexOf(right) ? left : right
}

export function isRisk(value: unknown): value is Risk {
  return risks.some(risk => risk === value)
}

function stepsOf(level: Risk | RiskSteps): RiskSteps {
  return isRisk(level) ? { [level]: 0 } : level
}

function stepsIn(given: JsonObject): RiskSteps {
  const entries = risks.flatMap(risk => {
    const points = given[risk]
    const from = points !== undefined && isJsonNumber(points) ? doubleOf(points) : undefined
    return from === undefined ? [] : [[risk, from] as const]
  })
  return Object.fromEntries(entries)
}

function mapRules<Value>(toValue: (rule: RiskRule) => Value): Readonly<Record<RiskRule, Value>> {
  // The rules are all of the keys.
  return Object.fromEntries(riskRuleNames.map(rule => [rule, toValue(rule)])) as Record<RiskRule, Value>
}
