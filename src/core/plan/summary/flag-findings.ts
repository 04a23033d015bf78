import {
  type DeclarableKind,
  identityField,
  isDescription,
  switchField,
  targetingField,
} from '../../../model/kind.ts'
import { compareTexts } from '../../../model/text/compare-texts.ts'
import type { ExposureComparison, Widening } from '../../../targeting/index.ts'
import type { ExposureChange } from '../../change.ts'
import type { RiskFinding } from './risk-reasons.ts'

/** From this step on, in percentage points, a flag that reaches everybody does so in one leap. */
const leap = 75

export const mixed: RiskFinding = {
  rule: 'mixed',
  reason: 'people may get it who did not have it, and others lose it',
}

export const unnoticed: RiskFinding = { rule: 'unnoticed', reason: 'nobody gets anything else than before' }

export function reachFindings({ direction, step, before, after, widest }: ExposureComparison): RiskFinding[] {
  if (direction === 'none') return []
  if (direction === 'narrower') {
    return after.maxPercent === 0 && before.maxPercent > 0
      ? [{ rule: 'turned_off', reason: 'nobody gets it any more' }]
      : [{ rule: 'narrowed', reason: 'some people lose it' }]
  }
  return [
    ...(widest ? [{ rule: 'widened' as const, reason: stepText(widest), points: step }] : []),
    ...(after.everyone && step >= leap
      ? [{ rule: 'everyone' as const, reason: `everybody gets it from now on, ${step} points at once` }]
      : []),
    ...(direction === 'mixed' ? [mixed] : []),
  ]
}

/** What is told by whom it reaches is no field that changes beside that. */
export function fieldFindings(
  kind: DeclarableKind,
  fields: readonly string[],
  { direction }: ExposureChange,
): RiskFinding[] {
  const told = [
    identityField(kind),
    kind.lifecycle.ownedBy,
    ...(direction === 'none' ? [] : [switchField(kind), targetingField(kind)]),
  ]
  return [
    ...(fields.includes(identityField(kind))
      ? [{ rule: 'renamed' as const, reason: 'code asks for it by another name from now on' }]
      : []),
    ...changedFinding(fields.filter(name => !told.includes(name) && !isDescription(kind, name))),
  ]
}

export function changedFinding(fields: readonly string[]): RiskFinding[] {
  const names = [...fields].sort(compareTexts).join(', ')
  return fields.length === 0 ? [] : [{ rule: 'changed', reason: `it changes ${names}` }]
}

/** `everyone: 10% -> 60%`. */
export function stepText({ people, before, after }: Widening): string {
  return `${people}: ${before}% -> ${after}%`
}
