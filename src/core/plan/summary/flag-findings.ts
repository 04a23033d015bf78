import {
  type DeclarableKind,
  identityField,
  isDescription,
  switchField,
  targetingField,
} from '../../../model/kind.ts'
import { compareTexts } from '../../../model/text/compare-texts.ts'
import type { ConditionReach, Exposure, ExposureComparison, Widening } from '../../../targeting/index.ts'
import type { ExposureChange } from '../../change.ts'
import type { RiskFinding } from './risk-reasons.ts'
import { type ReleaseUpdate, unreachedChanges } from './unreached-changes.ts'

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
      ? [{ rule: 'turned_off', reason: turnedOff(before.conditions.length, before.maxPercent) }]
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

function turnedOff(conditions: number, percent: number): string {
  const stop =
    conditions === 1
      ? `1 condition of ${percent}% stops`
      : `${conditions} conditions of up to ${percent}% stop`
  return `nobody gets it any more: ${stop}`
}

/** That a new flag is not for nobody. */
export function createdFinding({ conditions, maxPercent, everyone }: Exposure): RiskFinding[] {
  if (maxPercent === 0) return []
  if (everyone) return [{ rule: 'created', reason: 'it is new, and everyone gets it' }]
  const [only, ...others] = conditions
  const reason =
    only && others.length === 0
      ? `, and ${maxPercent}% of ${isForAll(only) ? 'all people' : 'the people of its condition'} get it`
      : `: ${sharesText(conditions)} get it`
  return [{ rule: 'created', reason: `it is new${reason}` }]
}

/** So many conditions have their own share told. */
const mostShares = 3

/** `5% of everyone, and 100% of the people of condition 1`: those for everyone first, then the largest. */
function sharesText(conditions: readonly ConditionReach[]): string {
  const told = [...conditions]
    .sort(
      (left, right) =>
        Number(isForAll(right)) - Number(isForAll(left)) ||
        right.percent - left.percent ||
        left.index - right.index,
    )
    .slice(0, mostShares)
    .map(
      one => `${one.percent}% of ${isForAll(one) ? 'everyone' : `the people of condition ${one.index + 1}`}`,
    )
  const more = conditions.length - told.length
  const parts =
    more > 0 ? [...told, `people of ${more} other ${more === 1 ? 'condition' : 'conditions'}`] : told
  return `${parts.slice(0, -1).join(', ')}, and ${parts.at(-1)}`
}

function isForAll({ people }: ConditionReach): boolean {
  return people === 'everyone'
}

/** What is told by whom it reaches is no field that changes beside that. */
export function fieldFindings(
  kind: DeclarableKind,
  update: ReleaseUpdate,
  exposure: ExposureChange,
): RiskFinding[] {
  const { fields } = update
  const told = [identityField(kind), kind.lifecycle.ownedBy, switchField(kind), targetingField(kind)]
  return [
    ...(fields.includes(identityField(kind))
      ? [{ rule: 'renamed' as const, reason: 'code asks for it by another name from now on' }]
      : []),
    ...changedFinding(
      fields.filter(name => !told.includes(name) && !isDescription(kind, name)),
      exposure.direction === 'none' ? unreachedChanges(kind, update, exposure) : [],
    ),
  ]
}

/** What changes, in words, and fields that have none. */
export function changedFinding(fields: readonly string[], words: readonly string[] = []): RiskFinding[] {
  const names = [...fields].sort(compareTexts).join(', ')
  const all = [...words, ...(fields.length > 0 ? [`it changes ${names}`] : [])]
  return all.length === 0 ? [] : [{ rule: 'changed', reason: all.join('; ') }]
}

/** `everyone: 10% -> 60%`. */
export function stepText({ people, before, after }: Widening): string {
  return `${people}: ${before}% -> ${after}%`
}
