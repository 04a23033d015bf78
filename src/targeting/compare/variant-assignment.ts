import { canonicalText } from '../../model/json/json.ts'
import type { EvaluationRules } from '../../services/engines.ts'
import { bucketText, quoted } from '../describe/value-words.ts'
import {
  countedTypes,
  evaluationOrder,
  isReaching,
  type Release,
  type ReleaseCondition,
  type ReleaseVariant,
} from '../release.ts'
import { meaningOf } from './meaning.ts'

/**
 * Why people who have the flag may find another value behind it, as sentences. None promises that everybody who has
 * it before and after keeps the value: the variant of a person depends on the weights, on who is counted, and on
 * the conditions that force one.
 */
export function assignmentChanges(before: Release, after: Release, rules: EvaluationRules): string[] {
  if (!before.conditions.some(isReaching) || !after.conditions.some(isReaching)) return []
  return [
    ...bucketChange(before, after),
    ...variantChanges(before, after),
    ...forcedChange(before, after, rules),
  ]
}

const consequence = 'people who have the flag may get another value'

function bucketChange(before: Release, after: Release): string[] {
  const [was, becomes] = [bucketsText(before), bucketsText(after)]
  return was === becomes ? [] : [`bucketing changed from ${was} to ${becomes}: ${consequence}`]
}

/** All that the conditions count: `persons and groups of type 1`. */
export function bucketsText(release: Release): string {
  const types = countedTypes(release)
  const ofGroups = types.filter(type => type !== undefined).sort()
  return [...(types.includes(undefined) ? [undefined] : []), ...ofGroups].map(bucketText).join(' and ')
}

function variantChanges(before: Release, after: Release): string[] {
  const [was, becomes] = [weighted(before), weighted(after)]
  if (canonicalText(was) === canonicalText(becomes)) return []
  const [old, now] = [was.map(([key]) => key), becomes.map(([key]) => key)]
  if (old.length === 0) return [`variants added: people who got true get one of ${list(now)}`]
  if (now.length === 0) return [`variants removed: people who got ${list(old)} get true`]
  const gone = old.filter(key => !now.includes(key))
  const fresh = now.filter(key => !old.includes(key))
  if (gone.length > 0 || fresh.length > 0) {
    const changes = [
      ...(fresh.length > 0 ? [`${list(fresh)} added`] : []),
      ...(gone.length > 0 ? [`${list(gone)} removed`] : []),
    ]
    return [`variants changed (${changes.join(', ')}): ${consequence}`]
  }
  const isReordered = canonicalText(old) !== canonicalText(now)
  return [`${isReordered ? 'order' : 'weights'} of variants changed: ${consequence}`]
}

function forcedChange(before: Release, after: Release, rules: EvaluationRules): string[] {
  const outcomes = new Set([...outcomesOf(before), ...outcomesOf(after)])
  // When all conditions give the same, it does not matter which of them somebody meets first.
  if (outcomes.size <= 1 || canonicalText(forcing(before, rules)) === canonicalText(forcing(after, rules)))
    return []
  return [`conditions that force a variant changed: ${consequence}`]
}

/** The variants that people can land in; one without weight takes no place on the line. */
function weighted({ variants }: Release): (readonly [string, number])[] {
  return variants.filter(({ percent }) => percent > 0).map(({ key, percent }) => [key, percent] as const)
}

function outcomesOf(release: Release): string[] {
  return release.conditions.filter(isReaching).map(condition => outcome(release.variants, condition))
}

function outcome(variants: readonly ReleaseVariant[], { variant }: ReleaseCondition): string {
  return variants.some(({ key }) => key === variant) ? `variant ${variant}` : 'by weight'
}

/** The conditions that are met before the first of those after which only weights decide. */
function forcing({ conditions, variants }: Release, rules: EvaluationRules): string[] {
  const tried = evaluationOrder(conditions.filter(isReaching), rules).map(condition => ({
    outcome: outcome(variants, condition),
    text: canonicalText([
      condition.properties?.map(property => meaningOf(property, rules)) ?? null,
      condition.percent,
      outcome(variants, condition),
    ]),
  }))
  const last = tried.findLastIndex(condition => condition.outcome !== 'by weight')
  return tried.slice(0, last + 1).map(({ text }) => text)
}

function list(keys: readonly string[]): string {
  return keys.map(quoted).join(', ')
}
