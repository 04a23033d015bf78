import {
  canonicalText,
  isJsonArray,
  isJsonObject,
  isSameJson,
  type Json,
  type JsonObject,
  pickMembers,
} from '../../model/text/json.ts'
import type { EvaluationRules } from '../../services/engines.ts'
import { canonicalFilters, compactFilters } from '../canonical-filters.ts'
import { describeCondition } from '../describe.ts'
import { describedMembers } from '../filter-parts.ts'
import { documentedRules } from '../operators.ts'
import {
  countedTypes,
  evaluationOrder,
  isReaching,
  type Release,
  type ReleaseCondition,
  type ReleaseVariant,
  readRelease,
  withConditions,
} from '../release.ts'
import { bucketText, quoted } from '../value-words.ts'
import { isNarrowedTo, meaningOf, type People, readPeople } from './meaning.ts'

export interface ReleasedFlag {
  readonly filters: Json
  readonly active: boolean
}

/** How far a flag reaches, from its filters and its switch alone. Percentages are of the people a condition means. */
export interface Exposure {
  /** The conditions that reach anybody, in order; none while the flag is off. */
  readonly conditions: readonly ConditionReach[]
  /** 0 to 100: the highest percentage of any condition. */
  readonly maxPercent: number
  /** The highest percentage without properties: everybody in it gets the flag. 0 if more than conditions decides. */
  readonly surePercent: number
  /** True if a condition gives the flag to everybody. */
  readonly everyone: boolean
}

export interface ConditionReach {
  /** The position among the conditions, from 0. */
  readonly index: number
  /** `country is DE`, or `everyone`. */
  readonly people: string
  readonly percent: number
}

export type ExposureDirection = 'none' | 'wider' | 'narrower' | 'mixed'

export interface ExposureComparison {
  readonly before: Exposure
  readonly after: Exposure
  readonly direction: ExposureDirection
  /**
   * The largest widening of any condition, in percentage points: its percentage minus the percentage of earlier
   * conditions that meant all of its people. A new condition, or one of a flag that was off, counts in full.
   */
  readonly step: number
  /** The condition with the largest increase; undefined if none increases. */
  readonly widest?: Widening
  /** Sentences about people who have the flag but may get another value. */
  readonly assignmentChanges: readonly string[]
}

/** One condition that gives the flag to more people than had it. */
export interface Widening {
  /** The new position among the conditions, from 0. */
  readonly index: number
  readonly people: string
  readonly before: number
  readonly after: number
}

export function exposureOf(flag: ReleasedFlag): Exposure {
  return exposureFrom(reachesOf(flag, documentedRules))
}

/** Whether hashes decide who gets what of a flag: a percentage below 100, or variants with weights. */
export function isDrawn({ filters, active }: ReleasedFlag): boolean {
  return active && dependsOnDraw(readRelease(canonicalFilters(filters)))
}

/**
 * Compares conditions by the people they cover, not by position. Nobody is new to the flag if each condition that
 * reaches anybody lies within an older one that had no more requirements and gave at least as much. The same
 * people stay in the same percentage, since the hash depends only on the flag's key and on them. The rules of the
 * service decide what two properties mean, and which condition is tried first. So `none` and `narrower` promise
 * that nobody gets the flag who did not have it. What the filters alone cannot decide counts as `mixed`.
 */
export function compareExposure(
  before: ReleasedFlag,
  after: ReleasedFlag,
  rules: EvaluationRules = documentedRules,
): ExposureComparison {
  const [was, becomes] = [reachesOf(before, rules), reachesOf(after, rules)]
  const hasUnjudged = !isSameJson(was.unjudged, becomes.unjudged)
  const isComparable = was.bucket === becomes.bucket
  const steps = becomes.reaches.map(reach => widening(reach, isComparable ? was.reaches : []))
  const losses = was.reaches.map(reach => widening(reach, isComparable ? becomes.reaches : []))
  const widest = steps.indexOf(Math.max(0, ...steps))
  const reach = becomes.reaches[widest]
  const step = steps[widest] ?? 0
  const isWider = hasUnjudged || steps.some(step => step > 0)
  const isNarrower = hasUnjudged || losses.some(step => step > 0)
  return {
    before: exposureFrom(was),
    after: exposureFrom(becomes),
    direction: isWider ? (isNarrower ? 'mixed' : 'wider') : isNarrower ? 'narrower' : 'none',
    step: withoutNoise(step),
    ...(reach && step > 0
      ? {
          widest: {
            index: reach.index,
            people: reach.people,
            before: withoutNoise(reach.percent - step),
            after: reach.percent,
          },
        }
      : {}),
    assignmentChanges:
      was.release && becomes.release ? assignmentChanges(was.release, becomes.release, rules) : [],
  }
}

interface Reach extends ConditionReach {
  readonly meant: People
}

interface Reaches {
  /** Undefined while the flag is off. */
  readonly release?: Release
  readonly reaches: readonly Reach[]
  readonly bucket: string | undefined
  /** Members besides the conditions that decide who gets the flag. */
  readonly unjudged: Json
}

function reachesOf({ filters, active }: ReleasedFlag, rules: EvaluationRules): Reaches {
  if (!active) return { reaches: [], bucket: undefined, unjudged: null }
  const canonical = canonicalFilters(filters)
  const release = readRelease(canonical)
  if (!isJsonObject(canonical)) return { release, reaches: [], bucket: undefined, unjudged: null }
  const { conditions } = release
  const groups = groupsOf(canonical)
  const spelled = groupsOf(compactFilters(filters))
  return {
    release,
    reaches: conditions
      .filter(isReaching)
      .map(condition => reachOf(condition, spelled[condition.index] ?? {}, rules)),
    bucket: bucketsText(release),
    unjudged: unjudgedMembers(canonical, groups, rules),
  }
}

function exposureFrom({ reaches, unjudged }: Reaches): Exposure {
  const ofEverybody = reaches.filter(({ meant }) => meant.properties.length === 0)
  return {
    conditions: reaches.map(({ index, people, percent }) => ({ index, people, percent })),
    maxPercent: Math.max(0, ...reaches.map(({ percent }) => percent)),
    surePercent: unjudged === null ? Math.max(0, ...ofEverybody.map(({ percent }) => percent)) : 0,
    everyone: ofEverybody.some(({ percent }) => percent === 100),
  }
}

function reachOf(
  { index, properties = [], percent }: ReleaseCondition,
  condition: Json,
  rules: EvaluationRules,
): Reach {
  return { index, people: describeCondition(condition), percent, meant: readPeople(properties, rules) }
}

function unjudgedMembers(canonical: JsonObject, groups: readonly Json[], rules: EvaluationRules): Json {
  const members = Object.entries(canonical).filter(([name]) => !describedMembers.includes(name))
  // On a newer service, a condition may count groups while the flag counts persons.
  const hasOwnBuckets = groups.some(group => isJsonObject(group) && 'aggregation_group_type_index' in group)
  // With an early exit, a condition can exclude people from later conditions.
  const isInOrder = hasOwnBuckets || canonical.early_exit === true
  if (members.length === 0 && !isInOrder) return null
  return [Object.fromEntries(members), isInOrder ? groups.map(group => byMeaning(group, rules)) : null]
}

function byMeaning(group: Json, rules: EvaluationRules): Json {
  if (!isJsonObject(group) || !isJsonArray(group.properties)) return group
  return { ...group, properties: group.properties.map(property => meaningOf(property, rules)) }
}

function groupsOf(filters: Json): readonly Json[] {
  return isJsonObject(filters) && isJsonArray(filters.groups) ? filters.groups : []
}

/** How many points a condition gives more than the most generous older one that meant all of its people. */
function widening(reach: Reach, older: readonly Reach[]): number {
  let given = 0
  for (const { meant, percent } of older) {
    if (given >= reach.percent) return 0
    if (percent > given && isNarrowedTo(meant, reach.meant)) given = percent
  }
  return Math.max(0, reach.percent - given)
}

/** Removes rounding errors: 33.3 - 10.1 is 23.2. */
function withoutNoise(points: number): number {
  return Number.isInteger(points) ? points : Number(points.toFixed(6))
}

/**
 * Reasons why people with the flag may get another value, as sentences. An empty list promises that everybody
 * who has the flag before and after keeps the value. The variant of a person depends on the weights, on what
 * is counted, and on conditions that force a variant.
 */
function assignmentChanges(before: Release, after: Release, rules: EvaluationRules): string[] {
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

/** Everything that the conditions count, such as `persons and groups of type 1`. */
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

/** The most switches between variants that are listed one by one. */
const mostSwitches = 4

/** How many people get another variant; not calculated if something else is counted than before. */
function switchWords(before: Release, after: Release): string {
  if (bucketsText(before) !== bucketsText(after)) return consequence
  const shares = switchedShares(before, after)
  const total = Number(shares.reduce((sum, { points }) => sum + points, 0).toFixed(6))
  const isForced = [before, after].some(release => outcomesOf(release).some(each => each !== byWeight))
  const whom = isForced ? 'the people whose variant depends on weights' : 'people who have the flag'
  const shown = shares
    .slice(0, mostSwitches)
    .map(
      ({ from, to, points }) =>
        `${shares.length === 1 ? '' : `${points}% `}from ${valueName(from)} to ${valueName(to)}`,
    )
  const more = shares.length > shown.length ? [`and ${shares.length - shown.length} more`] : []
  return `${total}% of ${whom} get another value (${[...shown, ...more].join(', ')})`
}

function valueName(variant: string | undefined): string {
  return variant === undefined ? 'true' : quoted(variant)
}

function forcedChange(before: Release, after: Release, rules: EvaluationRules): string[] {
  const outcomes = new Set([...outcomesOf(before), ...outcomesOf(after)])
  // If all conditions give the same value, their order does not matter.
  if (outcomes.size <= 1) return []
  if (canonicalText(forcing(before, rules)) === canonicalText(forcing(after, rules))) return []
  return [`conditions that force a variant changed: ${consequence}`]
}

/** The variants that people can get by weight; a variant with weight 0 has no place on the line. */
function weighted({ variants }: Release): (readonly [string, number])[] {
  return variants.filter(({ percent }) => percent > 0).map(({ key, percent }) => [key, percent] as const)
}

function outcomesOf(release: Release): string[] {
  return release.conditions.filter(isReaching).map(condition => outcome(release.variants, condition))
}

/** The value from a condition that does not force a variant. */
const byWeight = 'a variant by weight'

function outcome(variants: readonly ReleaseVariant[], { variant }: ReleaseCondition): string {
  return variants.some(({ key }) => key === variant) ? `variant ${quoted(variant ?? '')}` : byWeight
}

/** The outcomes of conditions, in order, until only weights decide. */
function forcing({ conditions, variants }: Release, rules: EvaluationRules): readonly Json[] {
  const tried = evaluationOrder(conditions.filter(isReaching), rules)
  const last = tried.findLastIndex(condition => outcome(variants, condition) !== byWeight)
  return tried
    .slice(0, last + 1)
    .map(condition => [
      condition.properties?.map(property => meaningOf(property, rules)) ?? null,
      condition.percent,
      outcome(variants, condition),
    ])
}

function list(keys: readonly string[]): string {
  return keys.map(quoted).join(', ')
}

function dependsOnDraw({ conditions, variants }: Release): boolean {
  const shares = variants.filter(({ percent }) => percent > 0)
  return conditions
    .filter(isReaching)
    .some(
      condition =>
        condition.percent < 100 ||
        (outcome(variants, condition) === byWeight && shares.length > 0 && (shares[0]?.percent ?? 0) < 100),
    )
}

/**
 * The one value that a flag gives to everybody: false, true or the key of a variant. Undefined if people differ,
 * or if the filters alone do not show it. If a flag counts groups, everybody is every group of that type.
 *
 * | the flag                                                            | gives                       |
 * |---------------------------------------------------------------------|-----------------------------|
 * | is off, or no condition reaches anybody                             | false                       |
 * | has a condition for everybody at 100%, and all of its conditions that | that value                |
 * | reach anybody give the same: true, or one variant                   |                             |
 * | excludes people by an early exit                                    | unknown                     |
 * | has members by which other parts of the product decide              | unknown                     |
 *
 * The order of conditions does not matter, since services try them in different orders.
 */
export function singleValue({ filters, active }: ReleasedFlag): boolean | string | undefined {
  if (!active) return false
  const release = readRelease(filters)
  if (release.others.some(name => name !== 'early_exit') || release.holdout) return undefined
  const reaching = release.conditions.filter(isReaching)
  if (reaching.length === 0) return false
  const leavesOut = release.stopsEarly && release.conditions.some(({ percent }) => percent < 100)
  if (leavesOut || countedTypes(release).length > 1 || !reaching.some(isForEverybody)) return undefined
  const [value, ...others] = new Set(reaching.map(condition => givenBy(release, condition)))
  return others.length === 0 ? value : undefined
}

/** The same filters with one condition for everybody instead of theirs; with one variant, if named. */
export function filtersForEverybody(filters: Json, variant?: string): Json {
  const members = isJsonObject(filters) ? withConditions(filters) : {}
  const others = pickMembers(members, (_, name) => name !== 'groups' && name !== 'early_exit')
  const counted = countedByAll(members)
  const condition = {
    properties: [],
    rollout_percentage: 100,
    ...(variant === undefined ? {} : { variant }),
    ...(counted === undefined ? {} : { aggregation_group_type_index: counted }),
  }
  return { ...others, groups: [condition] }
}

/** The group type of every condition, if all conditions have the same one. */
function countedByAll({ groups = null }: JsonObject): Json | undefined {
  const types = isJsonArray(groups)
    ? groups.map(group => (isJsonObject(group) ? (group.aggregation_group_type_index ?? null) : null))
    : []
  const [first = null, ...others] = types
  return first !== null && others.every(type => isSameJson(type, first)) ? first : undefined
}

function isForEverybody({ properties, percent }: ReleaseCondition): boolean {
  return properties?.length === 0 && percent === 100
}

/** The value of everybody whom a condition reaches; undefined if the value depends on the person. */
function givenBy({ variants }: Release, { variant }: ReleaseCondition): true | string | undefined {
  if (variants.length === 0) return true
  if (variants.some(({ key }) => key === variant)) return variant
  const [first] = variants.filter(({ percent }) => percent > 0)
  return first && first.percent >= 100 ? first.key : undefined
}

/** A flag, as far as its declared or live state is known. */
export interface KnownSwitch {
  readonly active?: boolean
  readonly filters?: Json
}

/**
 * The one value that every person gets from a flag that may be partly unknown. Undefined if they may get
 * different values, or if it cannot be known here.
 *
 * | known about the flag                       | gives                                                    |
 * |--------------------------------------------|----------------------------------------------------------|
 * | it is off                                  | false                                                    |
 * | its filters are not known                  | unknown                                                  |
 * | it is not known whether it is on           | false if its filters reach nobody; else unknown          |
 * | it counts groups                           | the same: a person who is in no group gets nothing       |
 * | everything                                 | the result of `singleValue`                              |
 */
export function valueForAll({ active, filters }: KnownSwitch): boolean | string | undefined {
  if (active === false) return false
  if (filters === undefined) return undefined
  const value = singleValue({ filters, active: true })
  const isForPersons = countedTypes(readRelease(filters)).every(type => type === undefined)
  return value === false || (active === true && isForPersons) ? value : undefined
}

/** A share of the people whose variant is decided by weights, with the values before and after. */
export interface SwitchedShare {
  /** Undefined if no variant has that place: then these people get true. */
  readonly from: string | undefined
  readonly to: string | undefined
  /** More than 0, at most 100. */
  readonly points: number
}

/**
 * Who gets another variant if weights, order or keys of variants change. Each person keeps a place between 0
 * and 100; the variants share that line in order. The largest share comes first. [service-behaviour 12]
 *
 * before  |--- a 50 ---|--- b 50 ---|
 * after   |- a 30 -|----- b 70 -----|       20 points go from a to b
 */
export function switchedShares(before: Release, after: Release): readonly SwitchedShare[] {
  const [was, becomes] = [rangesOf(before.variants), rangesOf(after.variants)]
  const borders = [...new Set([0, 100, ...[...was, ...becomes].flatMap(({ start, end }) => [start, end])])]
    .filter(border => border <= 100)
    .sort((left, right) => left - right)
  const shares = new Map<string, SwitchedShare>()
  for (const [index, start] of borders.entries()) {
    const end = borders[index + 1]
    const [from, to] = [variantAt(was, start), variantAt(becomes, start)]
    if (end === undefined || from === to) continue
    const name = JSON.stringify([from ?? null, to ?? null])
    shares.set(name, { from, to, points: (shares.get(name)?.points ?? 0) + end - start })
  }
  return [...shares.values()]
    .map(share => ({ ...share, points: Number(share.points.toFixed(6)) }))
    .filter(({ points }) => points > 0)
    .sort((left, right) => right.points - left.points)
}

interface Range {
  readonly key: string
  readonly start: number
  readonly end: number
}

function rangesOf(variants: readonly ReleaseVariant[]): readonly Range[] {
  let end = 0
  return variants.map(({ key, percent }) => {
    const start = end
    end = Number((start + percent).toFixed(9))
    return { key, start, end }
  })
}

function variantAt(ranges: readonly Range[], place: number): string | undefined {
  return ranges.find(({ start, end }) => place >= start && place < end)?.key
}
