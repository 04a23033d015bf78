import {
  greaterRisk,
  levelOf,
  type Risk,
  type RiskPolicy,
  type RiskRule,
  riskRuleNames,
  risks,
} from '../../../model/safety/risk.ts'

/** A rule of risk that applies to a change, with what it has found. */
export interface RiskReason {
  readonly rule: RiskRule
  readonly level: Risk
  /** `everyone: 10% -> 100%`. */
  readonly reason: string
}

export interface RiskFinding {
  readonly rule: RiskRule
  readonly reason: string
  /** Of a widening, in percentage points. */
  readonly points?: number
}

export interface JudgedRisk {
  readonly risk: Risk
  /** The highest level first, and then in the order of the rules; those of the risk itself are the first ones. */
  readonly riskReasons: readonly RiskReason[]
}

/** What a policy makes of what was found: the highest level of all. */
export function judgeRisk(findings: readonly RiskFinding[], policy: RiskPolicy): JudgedRisk {
  const riskReasons = findings
    .flatMap(({ rule, reason, points }): RiskReason[] => {
      const level = levelOf(policy, rule, points)
      return level === undefined ? [] : [{ rule, level, reason }]
    })
    .sort(
      (left, right) =>
        risks.indexOf(right.level) - risks.indexOf(left.level) ||
        riskRuleNames.indexOf(left.rule) - riskRuleNames.indexOf(right.rule),
    )
  return { risk: riskReasons.reduce<Risk>((risk, { level }) => greaterRisk(risk, level), 'low'), riskReasons }
}
