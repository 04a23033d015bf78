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
  const differs = others.flatMap(({ name, rules }) => {
    // An SDK knows what it is told, and of what it is not told it cannot say that it is not there.
    const { value, undecided } = evaluateFlag(flag, subject, contextBy(context, rules, false))
    return undecided === undefined && value !== evaluation.value ? [{ engine: name, value }] : []
  })
  return differs.length === 0 ? evaluation : { ...evaluation, differs }
}

/** Member by member: it is made for each engine and test, and to copy an object and change it takes ten times as long. */
function contextBy(
  { now, groupTypes, cohorts, flags, zoneOffsetMinutes }: Omit<EvaluationContext, 'rules'>,
  rules: EvaluationRules,
  isComplete: boolean | undefined,
): EvaluationContext {
  return { now, groupTypes, cohorts, flags, isComplete, rules, zoneOffsetMinutes }
}
