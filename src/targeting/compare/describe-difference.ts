import {
  isEmptyJson,
  isJsonArray,
  isJsonObject,
  isSameJson,
  type Json,
  type JsonObject,
  pickMembers,
} from '../../model/text/json.ts'
import type { EvaluationRules } from '../../services/engines.ts'
import {
  canonicalFilters,
  compactFilters,
  payloadValue,
  shownPayload,
  withTidyGroupTypes,
} from '../canonical-filters.ts'
import {
  describeCondition,
  detailsOfVariant,
  percentText,
  reachText,
  variantName,
  variantText,
  weightText,
} from '../describe.ts'
import {
  describeMemberDifference,
  describeValue,
  describeValueDifference,
  detailsOfCondition,
  differenceInDetails,
  word,
} from '../describe-condition.ts'
import { describedMembers } from '../filter-parts.ts'
import { documentedRules } from '../operators.ts'
import { readRelease } from '../release.ts'
import { quoted, valueText } from '../value-words.ts'
import { alignConditions, alignVariants, type Pair, peopleKey, spelledAs } from './align.ts'
import { bucketsText } from './exposure.ts'
import { isNarrowedTo, readPeople } from './meaning.ts'

/**
 * What changes between two filters, in plain words, one line each: conditions first, then variants, payloads and
 * the rest. Conditions are aligned by the people they mean, so inserting one does not look like changing all that
 * follow. If the properties of a condition show that it means fewer people than before, or more, its line adds
 * that. Empty exactly when the canonical forms are equal: a member without words of its own is still named.
 */
export function describeFilterDifference(
  before: Json,
  after: Json,
  rules: EvaluationRules = documentedRules,
): string[] {
  if (isSameJson(canonicalFilters(before), canonicalFilters(after))) return []
  const declared = compactFilters(after)
  const becomes = isJsonObject(declared) ? withTidyGroupTypes(declared) : declared
  const was = spelledAs(compactFilters(before), becomes)
  if (!isJsonObject(was) || !isJsonObject(becomes)) return describeValueDifference('filters', was, becomes)
  return memberNames(was, becomes).flatMap(name => {
    const [left, right] = [ownMember(was, name), ownMember(becomes, name)]
    if (isSameJson(left, right)) return []
    const lines = linesOf(name, left, right, { was, becomes, rules })
    return lines.length > 0 ? lines : describeMemberDifference(word(name), left, right)
  })
}

function memberNames(was: JsonObject, becomes: JsonObject): string[] {
  const others = [...new Set([...Object.keys(was), ...Object.keys(becomes)])]
    .filter(name => !describedMembers.includes(name))
    .sort()
  return [...describedMembers, ...others]
}

interface Compared {
  readonly was: JsonObject
  readonly becomes: JsonObject
  readonly rules: EvaluationRules
}

function linesOf(name: string, left: Json, right: Json, { was, becomes, rules }: Compared): string[] {
  switch (name) {
    case 'groups':
      return conditionLines(left, right, rules)
    case 'aggregation_group_type_index':
      return bucketLines(was, becomes)
    case 'multivariate':
      return variantLines(left, right)
    case 'payloads':
      return payloadLines(left, right)
    default:
      return []
  }
}

function conditionLines(left: Json, right: Json, rules: EvaluationRules): string[] {
  if (!isJsonArray(left) || !isJsonArray(right)) return describeValueDifference('conditions', left, right)
  const { pairs, removed, added } = alignConditions(left, right)
  const lines = [
    ...pairs.flatMap(pair =>
      pairLines(left[pair.before] ?? null, right[pair.after] ?? null, pair, rules).map(text => ({
        at: pair.after,
        text,
      })),
    ),
    ...added.flatMap(at =>
      [
        `condition ${at + 1} added: ${reachText(right[at] ?? null)}`,
        ...detailsOfCondition(right[at] ?? null),
      ].map(text => ({ at, text })),
    ),
  ]
  return [
    ...lines.sort((one, other) => one.at - other.at).map(({ text }) => text),
    ...removed.map(at => `condition ${at + 1} removed: ${reachText(left[at] ?? null)}`),
  ]
}

function pairLines(
  left: Json,
  right: Json,
  { before, after, isMoved }: Pair,
  rules: EvaluationRules,
): string[] {
  const moved = isMoved ? [`condition ${before + 1} moved to ${after + 1}`] : []
  if (isSameJson(left, right)) return moved
  const label = before === after || isMoved ? `${after + 1}` : `${after + 1} (was ${before + 1})`
  const { changes, details } = conditionChanges(left, right, rules)
  return [...moved, [`condition ${label}`, ...changes].join('  '), ...details]
}

interface ConditionChanges {
  /** Who, how many, and which variant: each text appears if it changed, and the first two also as context. */
  readonly changes: readonly string[]
  /** Separate lines for changes that those texts do not cover. */
  readonly details: readonly string[]
}

function conditionChanges(left: Json, right: Json, rules: EvaluationRules): ConditionChanges {
  if (!isJsonObject(left) || !isJsonObject(right))
    return {
      changes: [`${describeCondition(left)} -> ${describeCondition(right)}`],
      details: describeValueDifference('  written as', left, right),
    }
  const hasSame = (name: string) => isSameJson(ownMember(left, name), ownMember(right, name))
  const [who, percent] = [
    step(describeCondition(left), describeCondition(right)),
    step(percentText(left), percentText(right)),
  ]
  const hasSamePeople = hasSame('properties')
  // Both conditions match the same people, and an arrow would suggest a change.
  const isRespelled = !hasSamePeople && peopleKey(left) === peopleKey(right)
  return {
    changes: [
      hasSamePeople
        ? who.text
        : isRespelled || !who.isStep
          ? `${describeCondition(right)} (written differently)`
          : `${who.text}${peopleVerdict(left, right, rules)}`,
      ...(hasSame('rollout_percentage')
        ? hasSamePeople
          ? []
          : [`at ${percent.text}`]
        : [percent.isStep ? percent.text : `${percent.text} (written differently)`]),
      ...(hasSame('variant') ? [] : [`variant ${step(variantText(left), variantText(right)).text}`]),
    ],
    details: differenceInDetails(left, right, hasSamePeople || (who.isStep && !isRespelled)),
  }
}

/** Whether a condition matches fewer or more people; empty if the properties do not show it. */
function peopleVerdict(left: JsonObject, right: JsonObject, rules: EvaluationRules): string {
  const [before, after] = [left, right].map(({ properties = null }) =>
    isJsonArray(properties)
      ? readPeople(properties, rules)
      : isEmptyJson(properties)
        ? readPeople([], rules)
        : undefined,
  )
  if (!before || !after) return ''
  const [isNarrower, isWider] = [isNarrowedTo(before, after), isNarrowedTo(after, before)]
  if (isNarrower === isWider) return isWider ? ' (the same people)' : ''
  return isWider ? ' (more people)' : ' (fewer people)'
}

function bucketLines(was: JsonObject, becomes: JsonObject): string[] {
  const bucket = step(bucketsText(readRelease(was)), bucketsText(readRelease(becomes)))
  return bucket.isStep ? [`bucketing ${bucket.text}`] : []
}

function variantLines(left: Json, right: Json): string[] {
  const [before, after] = [readVariants(left), readVariants(right)]
  if (!before || !after) return describeValueDifference('variants', left, right)
  const { pairs, removed, added } = alignVariants(before.variants, after.variants)
  const [was, becomes] = [
    (at: number) => before.variants[at] ?? null,
    (at: number) => after.variants[at] ?? null,
  ]
  return [
    ...pairs.flatMap(pair => variantChanges(was(pair.before), becomes(pair.after))),
    ...added.flatMap(at => [
      `${variantName(becomes(at))} added at ${weightText(becomes(at))}`,
      ...detailsOfVariant(becomes(at)),
    ]),
    ...removed.map(at => `${variantName(was(at))} removed, was ${weightText(was(at))}`),
    ...(pairs.some(pair => pair.isMoved)
      ? [
          `order of variants: ${after.variants.map(variant => variantName(variant).replace('variant ', '')).join(', ')}`,
        ]
      : []),
    ...describeValueDifference('variants', before.others, after.others),
  ]
}

function variantChanges(left: Json, right: Json): string[] {
  if (isSameJson(left, right)) return []
  if (!isJsonObject(left) || !isJsonObject(right))
    return describeValueDifference(variantName(right), left, right)
  const percent = step(weightText(left), weightText(right))
  const isShown = (_: Json, name: string) => name === 'rollout_percentage' && percent.isStep
  const rest = (variant: JsonObject) => pickMembers(variant, (value, name) => !isShown(value, name))
  return [
    ...(percent.isStep ? [`${variantName(right)} ${percent.text}`] : []),
    ...describeValueDifference(variantName(right), rest(left), rest(right)),
  ]
}

function payloadLines(left: Json, right: Json): string[] {
  const [before, after] = [left ?? {}, right ?? {}]
  if (!isJsonObject(before) || !isJsonObject(after)) return describeValueDifference('payloads', left, right)
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .sort()
    .flatMap(key =>
      payloadChanges(`payload of ${quoted(key)}`, ownMember(before, key), ownMember(after, key)),
    )
}

function payloadChanges(label: string, was: Json, becomes: Json): string[] {
  if (isSameJson(was, becomes)) return []
  if (was === null) return describeValue(`${label} added`, shownPayload(becomes))
  if (becomes === null) return [`${label} removed, was ${valueText(shownPayload(was))}`]
  // Another spelling is not a change, and is not sent by itself.
  if (isSameJson(payloadValue(was), payloadValue(becomes))) return []
  return describeValueDifference(label, shownPayload(was), shownPayload(becomes))
}

interface Variants {
  readonly variants: readonly Json[]
  readonly others: JsonObject
}

/** The list of variants and the other members, or undefined if the value has another shape. */
function readVariants(multivariate: Json): Variants | undefined {
  if (multivariate === null) return { variants: [], others: {} }
  if (isJsonArray(multivariate)) return { variants: multivariate, others: {} }
  if (!isJsonObject(multivariate)) return undefined
  const { variants = null, ...others } = multivariate
  if (variants !== null && !isJsonArray(variants)) return undefined
  return { variants: variants ?? [], others }
}

function step(left: string, right: string): { readonly text: string; readonly isStep: boolean } {
  return left === right ? { text: left, isStep: false } : { text: `${left} -> ${right}`, isStep: true }
}

/** An absent member is null, as everywhere in a canonical form. */
function ownMember(members: JsonObject, name: string): Json {
  return Object.hasOwn(members, name) ? (members[name] ?? null) : null
}
