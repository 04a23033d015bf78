import type { Engine, EvaluationRules } from '../../services/engines.ts'
import { type AnySubject, type Evaluation, type EvaluationContext, evaluateFlag } from './evaluate-flag.ts'
import type { EvaluatedFlag } from './known-flags.ts'

/** What one engine gives somebody. */
export interface EngineValue {
  readonly engine: string
  readonly value: boolean | string
}

export interface EvaluationByEngines extends Evaluation {
  /** Who gives another value than the service, and which. Absent where nobody does. */
  readonly differs?: readonly EngineValue[]
  /** Who asks the service, and so gives what it does. Absent where nobody does. */
  readonly asks?: readonly string[]
}

/**
 * What the first engine, the service, gives somebody, with the others that would give something else. One that cannot
 * tell asks the service and so does not differ; where the service's own value is open, nothing is held against it.
 */
export function evaluateByEngines(
  flag: EvaluatedFlag,
  subject: AnySubject,
  context: Omit<EvaluationContext, 'rules'>,
  [service, ...others]: readonly [Engine, ...Engine[]],
): EvaluationByEngines {
  const evaluation = evaluateFlag(flag, subject, contextBy(context, service.rules, context.isComplete))
  if (evaluation.undecided !== undefined) return evaluation
  const differs: EngineValue[] = []
  const asks: string[] = []
  for (const { name, rules } of others) {
    // An SDK knows what it is told, and of what it is not told it cannot say that it is not there.
    const { value, undecided } = evaluateFlag(flag, subject, contextBy(context, rules, false))
    if (undecided !== undefined) asks.push(name)
    else if (value !== evaluation.value) differs.push({ engine: name, value })
  }
  return {
    ...evaluation,
    ...(differs.length === 0 ? {} : { differs }),
    ...(asks.length === 0 ? {} : { asks }),
  }
}

/** Member by member: it is made for each engine and test, and to copy an object and change it takes ten times as long. */
function contextBy(
  { now, groupTypes, cohorts, flags, zoneOffsetMinutes }: Omit<EvaluationContext, 'rules'>,
  rules: EvaluationRules,
  isComplete: boolean | undefined,
): EvaluationContext {
  // The zone is that of the project, which an SDK does not know.
  const zone = rules.definitions === undefined ? zoneOffsetMinutes : undefined
  return { now, groupTypes, cohorts, flags, isComplete, rules, zoneOffsetMinutes: zone }
}
