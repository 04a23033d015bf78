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
import { switchedShares } from './switched-shares.ts'

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
  const effect = switchWords(before, after)
  if (gone.length > 0 || fresh.length > 0) {
    const changes = [
      ...(fresh.length > 0 ? [`${list(fresh)} added`] : []),
      ...(gone.length > 0 ? [`${list(gone)} removed`] : []),
    ]
    return [`variants changed (${changes.join(', ')}): ${effect}`]
  }
  const isReordered = canonicalText(old) !== canonicalText(now)
  return [`${isReordered ? 'order' : 'weights'} of variants changed: ${effect}`]
}

/** So many kinds of switches are told one by one. */
const mostSwitches = 4

/** How many people get another variant, where that can be worked out: not where others are counted than before. */
function switchWords(before: Release, after: Release): string {
  if (bucketsText(before) !== bucketsText(after)) return consequence
  const shares = switchedShares(before, after)
  const total = Number(shares.reduce((sum, { points }) => sum + points, 0).toFixed(6))
  const isForced = [before, after].some(release => outcomesOf(release).some(each => each !== byWeight))
  const whom = isForced ? 'those whose variant the weights decide' : 'people who have the flag'
  const told = shares
    .slice(0, mostSwitches)
    .map(
      ({ from, to, points }) =>
        `${shares.length === 1 ? '' : `${points}% `}from ${valueName(from)} to ${valueName(to)}`,
    )
  const more = shares.length > told.length ? [`and ${shares.length - told.length} more`] : []
  return `${total}% of ${whom} get another value (${[...told, ...more].join(', ')})`
}

function valueName(variant: string | undefined): string {
  return variant === undefined ? 'true' : quoted(variant)
}

function forcedChange(before: Release, after: Release, rules: EvaluationRules): string[] {
  const outcomes = new Set([...outcomesOf(before), ...outcomesOf(after)])
  // When all conditions give the same, it does not matter which of them somebody meets first.
  if (outcomes.size <= 1) return []
  if (canonicalText(forcing(before, rules)) === canonicalText(forcing(after, rules))) return []
  return [
    `conditions that force a variant changed: ${consequence}`,
    ...changedOrder(triedIn(before, rules), triedIn(after, rules)),
  ]
}

/** So many pairs of conditions are told that changed places; nobody reads more. */
const mostPairs = 3

/** Of conditions that give different values, those that are tried the other way round: whoever meets both gets another. */
function changedOrder(was: readonly Tried[], becomes: readonly Tried[]): string[] {
  // Of equal ones the first.
  const places = new Map(
    becomes.map((condition, place) => [condition.text, { ...condition, place }] as const).toReversed(),
  )
  const kept = was.slice(0, mostOrdered).flatMap(condition => {
    const later = places.get(condition.text)
    return later ? [{ ...condition, later }] : []
  })
  return kept
    .flatMap((first, at) =>
      kept
        .slice(at + 1)
        .flatMap(second =>
          second.later.place < first.later.place && second.outcome !== first.outcome
            ? [
                `condition ${second.later.index + 1} is tried before condition ${first.later.index + 1} now: who meets both may get ${second.outcome} in place of ${first.outcome}`,
              ]
            : [],
        ),
    )
    .slice(0, mostPairs)
}

/** So many conditions are compared with each other: people write some tens, programs any number. */
const mostOrdered = 50

/** The variants that people can land in; one without weight takes no place on the line. */
function weighted({ variants }: Release): (readonly [string, number])[] {
  return variants.filter(({ percent }) => percent > 0).map(({ key, percent }) => [key, percent] as const)
}

function outcomesOf(release: Release): string[] {
  return release.conditions.filter(isReaching).map(condition => outcome(release.variants, condition))
}

/** What people in a condition get that names no variant. */
const byWeight = 'a variant by weight'

function outcome(variants: readonly ReleaseVariant[], { variant }: ReleaseCondition): string {
  return variants.some(({ key }) => key === variant) ? `variant ${quoted(variant ?? '')}` : byWeight
}

interface Tried {
  /** The place among the conditions as they are written, from 0. */
  readonly index: number
  readonly outcome: string
  /** The same for conditions that give the same to the same people. */
  readonly text: string
}

function triedIn({ conditions, variants }: Release, rules: EvaluationRules): readonly Tried[] {
  return evaluationOrder(conditions.filter(isReaching), rules).map(condition => ({
    index: condition.index,
    outcome: outcome(variants, condition),
    text: canonicalText([
      condition.properties?.map(property => meaningOf(property, rules)) ?? null,
      condition.percent,
      outcome(variants, condition),
    ]),
  }))
}

/** The conditions that are met before the first of those after which only weights decide. */
function forcing(release: Release, rules: EvaluationRules): readonly string[] {
  const tried = triedIn(release, rules)
  const last = tried.findLastIndex(condition => condition.outcome !== byWeight)
  return tried.slice(0, last + 1).map(({ text }) => text)
}

function list(keys: readonly string[]): string {
  return keys.map(quoted).join(', ')
}

/** Whether it depends on a draw who gets what: on the place that everybody has by the key and who is counted. */
export function dependsOnDraw({ conditions, variants }: Release): boolean {
  const shares = variants.filter(({ percent }) => percent > 0)
  return conditions
    .filter(isReaching)
    .some(
      condition =>
        condition.percent < 100 ||
        (outcome(variants, condition) === byWeight && shares.length > 0 && (shares[0]?.percent ?? 0) < 100),
    )
}
