import { doubleOf } from '../hcl/json.ts'
import { isJsonNumber, isJsonObject, type Json, type JsonObject } from './text/json.ts'

/** How much harm a change may do to people, from the least to the most. */
export const risks = ['low', 'medium', 'high', 'critical'] as const

export type Risk = (typeof risks)[number]

/** A level for more than a number of percentage points: `{ medium: 0, high: 25 }`. */
export type RiskSteps = Readonly<Partial<Record<Risk, number>>>

interface Rule {
  /** The subject of the rule. */
  readonly doc: string
  /** The default level. */
  readonly level: Risk | RiskSteps
}

/**
 * What makes a change risky, and how much. The risk of a change is the highest level of all rules that apply
 * to it, so raising a rule never lowers anything. A rule with steps looks at the widening of the condition
 * that widens most, in percentage points.
 */
export const riskRules = {
  widened: {
    doc: 'a condition gives the flag to more people: to more than so many percentage points of those whom it means',
    level: { medium: 0, high: 25 },
  },
  everyone: {
    doc: 'everybody gets the flag from now on, in a step of 75 points or more',
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
    doc: 'people who have the flag may get another value of it: variants, their weights, who is counted',
    level: 'high',
  },
  renamed: { doc: 'an object gets another name, by which code asks for it', level: 'high' },
  created: { doc: 'a new flag that somebody gets, or a new object of another kind', level: 'medium' },
  unlimited: { doc: 'a new flag is on, and no `filters` are declared that limit who gets it', level: 'high' },
  deleted: { doc: 'a flag that somebody gets is deleted, or a plugin', level: 'high' },
  deleted_unused: {
    doc: 'a flag that nobody gets is deleted, or what the service makes again by itself',
    level: 'medium',
  },
  source_changed: {
    doc: 'source files of a live plugin change, or a new plugin has some: nobody reviews its code when it is turned on',
    level: 'high',
  },
  changed: {
    doc: 'another field changes, or `filters` in a way that gives the flag to nobody else',
    level: 'medium',
  },
  granted: { doc: 'a role may edit a flag, or gets another level', level: 'low' },
  revoked: { doc: 'a role may edit a flag no more', level: 'low' },
  unnoticed: {
    doc: 'only descriptions and tags change, or a new flag that nobody gets',
    level: 'low',
  },
  undecided: {
    doc: 'who gets the flag is known only when it is applied, as in plans of Terraform',
    level: 'high',
  },
} as const satisfies Readonly<Record<string, Rule>>

export type RiskRule = keyof typeof riskRules

// The table has these keys and no others.
export const riskRuleNames = Object.keys(riskRules) as readonly RiskRule[]

/** The level of each rule. */
export type RiskPolicy = Readonly<Record<RiskRule, Risk | RiskSteps>>

export const defaultRisk: RiskPolicy = mapRules(rule => riskRules[rule].level)

/** Whether the level of a rule depends on the points of a widening. */
export function hasSteps(rule: RiskRule): boolean {
  return typeof riskRules[rule].level !== 'string'
}

/**
 * A policy with the settings, rule by rule: a level replaces the previous one, steps are merged over it.
 * Invalid parts are skipped: the schema has reported them.
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

/** The level of a rule; undefined if its steps begin higher. `points` are those of a widening. */
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
