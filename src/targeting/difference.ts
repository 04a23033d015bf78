import {
  canonicalText,
  isJsonArray,
  isJsonObject,
  isSameJson,
  type Json,
  type JsonObject,
} from '../model/json.ts'
import { align, type Pair } from './align.ts'
import { bucketWords, describeCondition, percentWords, quoted, reachWords, variantWords } from './describe.ts'
import { canonicalFilters } from './filters.ts'
import { readRelease } from './release.ts'

/**
 * What changes between two filters, in plain words, one line each: conditions first, then variants, payloads and the
 * rest. Conditions are aligned by who they mean, so that inserting one does not read as changing all that follow.
 * Empty exactly when the canonical forms are the same: whatever has no words of its own is still named.
 */
export function describeFilterDifference(before: Json, after: Json): string[] {
  const [was, becomes] = [canonicalFilters(before), canonicalFilters(after)]
  if (isSameJson(was, becomes)) return []
  if (!isJsonObject(was) || !isJsonObject(becomes)) return ['filters changed as a whole']
  return memberNames(was, becomes).flatMap(name => {
    const [left, right] = [ownMember(was, name), ownMember(becomes, name)]
    if (isSameJson(left, right)) return []
    const lines = linesOf(name, left, right, was, becomes)
    return lines.length > 0 ? lines : [`${plainName(name)} ${changeWord(left, right)}`]
  })
}

const memberOrder = ['groups', 'aggregation_group_type_index', 'multivariate', 'payloads']

function memberNames(was: JsonObject, becomes: JsonObject): string[] {
  const others = [...new Set([...Object.keys(was), ...Object.keys(becomes)])]
    .filter(name => !memberOrder.includes(name))
    .sort()
  return [...memberOrder, ...others]
}

function linesOf(name: string, left: Json, right: Json, was: JsonObject, becomes: JsonObject): string[] {
  switch (name) {
    case 'groups':
      return conditionLines(left, right)
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

function conditionLines(left: Json, right: Json): string[] {
  if (!isJsonArray(left) || !isJsonArray(right)) return ['conditions are written in another shape']
  const { pairs, removed, added } = align(left, right, [canonicalText, peopleAndVariant, people])
  const lines = [
    ...pairs.flatMap(pair =>
      pairLines(left[pair.before] ?? null, right[pair.after] ?? null, pair).map(text => ({
        at: pair.after,
        text,
      })),
    ),
    ...added.map(at => ({ at, text: `condition ${at + 1} added: ${reachWords(right[at] ?? null)}` })),
  ]
  return [
    ...lines.sort((one, other) => one.at - other.at).map(({ text }) => text),
    ...removed.map(at => `condition ${at + 1} removed: ${reachWords(left[at] ?? null)}`),
  ]
}

function pairLines(left: Json, right: Json, { before, after, isMoved }: Pair): string[] {
  const moved = isMoved ? [`condition ${before + 1} moved to ${after + 1}`] : []
  if (isSameJson(left, right)) return moved
  const label = before === after || isMoved ? `${after + 1}` : `${after + 1} (was ${before + 1})`
  return [...moved, [`condition ${label}`, ...conditionChanges(left, right)].join('  ')]
}

/** Who, how many, which variant; each said when it changed, the first two also when they are needed to follow. */
function conditionChanges(left: Json, right: Json): string[] {
  if (!isJsonObject(left) || !isJsonObject(right))
    return [`${describeCondition(left)} -> ${describeCondition(right)}`]
  const hasSame = (name: string) => isSameJson(ownMember(left, name), ownMember(right, name))
  const [who, percent] = [
    step(describeCondition(left), describeCondition(right)),
    step(percentWords(left), percentWords(right)),
  ]
  const others = [...new Set([...Object.keys(left), ...Object.keys(right)])]
    .filter(name => !['properties', 'rollout_percentage', 'variant'].includes(name) && !hasSame(name))
    .sort()
  return [
    hasSame('properties') || who.isStep ? who.text : `${who.text} (written differently)`,
    ...(hasSame('rollout_percentage')
      ? hasSame('properties')
        ? []
        : [`at ${percent.text}`]
      : [percent.isStep ? percent.text : `${percent.text} (written differently)`]),
    ...(hasSame('variant') ? [] : [`variant ${step(variantWords(left), variantWords(right)).text}`]),
    ...others.map(name => `${plainName(name)} ${changeWord(ownMember(left, name), ownMember(right, name))}`),
  ]
}

function bucketLines(was: JsonObject, becomes: JsonObject): string[] {
  const bucket = step(bucketWords(readRelease(was).groupType), bucketWords(readRelease(becomes).groupType))
  return [`bucketing ${bucket.isStep ? bucket.text : 'changed'}`]
}

function variantLines(left: Json, right: Json): string[] {
  const [before, after] = [variantsOf(left), variantsOf(right)]
  if (!before || !after) return ['variants are written in another shape']
  // Without the last resort of the same place: a variant of another key is another variant.
  const { pairs, removed, added } = align(before, after, [variantKey])
  const isKept = ({ before: one, after: other }: Pair) =>
    variantKey(before[one] ?? null) === variantKey(after[other] ?? null)
  const [kept, replaced] = [pairs.filter(isKept), pairs.filter(pair => !isKept(pair))]
  const gone = [...removed, ...replaced.map(pair => pair.before)].sort((one, other) => one - other)
  const fresh = [...added, ...replaced.map(pair => pair.after)].sort((one, other) => one - other)
  return [
    ...kept.flatMap(pair => variantChanges(before[pair.before] ?? null, after[pair.after] ?? null)),
    ...fresh.map(at => `${variantName(after[at] ?? null)} added at ${weightWords(after[at] ?? null)}`),
    ...gone.map(at => `${variantName(before[at] ?? null)} removed, was ${weightWords(before[at] ?? null)}`),
    ...(kept.some(pair => pair.isMoved)
      ? [`order of variants: ${after.map(variant => quotedKey(variant)).join(', ')}`]
      : []),
  ]
}

function variantChanges(left: Json, right: Json): string[] {
  if (isSameJson(left, right)) return []
  if (!isJsonObject(left) || !isJsonObject(right)) return [`${variantName(right)} changed`]
  const percent = step(weightWords(left), weightWords(right))
  const others = [...new Set([...Object.keys(left), ...Object.keys(right)])]
    .filter(name => !isSameJson(ownMember(left, name), ownMember(right, name)))
    .filter(name => name !== 'rollout_percentage' || !percent.isStep)
    .sort()
  return [
    ...(percent.isStep ? [`${variantName(right)} ${percent.text}`] : []),
    ...others.map(name => `${variantName(right)}: ${plainName(name)} changed`),
  ]
}

function payloadLines(left: Json, right: Json): string[] {
  const [before, after] = [left ?? {}, right ?? {}]
  if (!isJsonObject(before) || !isJsonObject(after)) return ['payloads are written in another shape']
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .sort()
    .filter(key => !isSameJson(ownMember(before, key), ownMember(after, key)))
    .map(key => `payload of ${quoted(key)} ${changeWord(ownMember(before, key), ownMember(after, key))}`)
}

function people(condition: Json): string {
  return isJsonObject(condition)
    ? canonicalText(ownMember(condition, 'properties'))
    : canonicalText([condition])
}

function peopleAndVariant(condition: Json): string {
  return `${people(condition)} ${isJsonObject(condition) ? canonicalText(ownMember(condition, 'variant')) : ''}`
}

/** The list of variants, or undefined when there is something else in its place. */
function variantsOf(multivariate: Json): readonly Json[] | undefined {
  if (multivariate === null) return []
  const variants = isJsonObject(multivariate) ? ownMember(multivariate, 'variants') : multivariate
  return variants === null ? [] : isJsonArray(variants) ? variants : undefined
}

function variantKey(variant: Json): string {
  return canonicalText(isJsonObject(variant) ? ownMember(variant, 'key') : [variant])
}

function variantName(variant: Json): string {
  return `variant ${quotedKey(variant)}`
}

/** A variant without a weight is not one of 100%, as a condition would be. */
function weightWords(variant: Json): string {
  const weight = isJsonObject(variant) ? variant.rollout_percentage : undefined
  return typeof weight === 'number' ? `${weight}%` : 'no weight'
}

function quotedKey(variant: Json): string {
  return isJsonObject(variant) && typeof variant.key === 'string' ? quoted(variant.key) : '(unreadable)'
}

function step(left: string, right: string): { readonly text: string; readonly isStep: boolean } {
  return left === right ? { text: left, isStep: false } : { text: `${left} -> ${right}`, isStep: true }
}

function changeWord(left: Json, right: Json): string {
  return left === null ? 'added' : right === null ? 'removed' : 'changed'
}

function plainName(name: string): string {
  return /^\w+$/.test(name) ? name : quoted(name)
}

/** A member that is not there is null, as everywhere in a canonical form. */
function ownMember(members: JsonObject, name: string): Json {
  return Object.hasOwn(members, name) ? (members[name] ?? null) : null
}
