import { isJsonArray, isJsonObject, isSameJson, type Json, type JsonObject } from '../../model/json/json.ts'
import type { EvaluationRules } from '../../services/engines.ts'
import { describeCondition } from '../describe/describe.ts'
import { toldMembers } from '../filter-parts.ts'
import { canonicalFilters, compactFilters } from '../filters.ts'
import { documentedRules } from '../operators.ts'
import { isReaching, type Release, type ReleaseCondition, readRelease } from '../release.ts'
import { meaningOf } from './meaning.ts'
import { isNarrowedTo, type People, readPeople } from './narrowing.ts'
import { assignmentChanges, bucketsText, dependsOnDraw } from './variant-assignment.ts'

export interface ReleasedFlag {
  readonly filters: Json
  readonly active: boolean
}

/** How far a flag reaches, from its filters and its switch alone. Percentages are of the people a condition means. */
export interface Exposure {
  /** The conditions that reach somebody, in their order; none while the flag is off. */
  readonly conditions: readonly ConditionReach[]
  /** 0 to 100: the largest share of its people to whom a condition gives the flag. */
  readonly maxPercent: number
  /** True when some condition gives the flag to everybody. */
  readonly everyone: boolean
}

export interface ConditionReach {
  /** The place among the conditions as they are written, from 0. */
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
   * The largest widening of any condition, in percentage points: its percentage less what conditions that meant all
   * of its people gave before. A new condition, or one of a flag that was off, counts whole.
   */
  readonly step: number
  /** The condition that widens by that much; undefined when none does. */
  readonly widest?: Widening
  /** Sentences about people who have the flag and may get another value of it. */
  readonly assignmentChanges: readonly string[]
}

/** One condition that gives the flag to more people than had it. */
export interface Widening {
  /** The place among the conditions as they are written afterwards, from 0. */
  readonly index: number
  /** `country is DE`, or `everyone`. */
  readonly people: string
  readonly before: number
  readonly after: number
}

export function exposureOf(flag: ReleasedFlag): Exposure {
  return exposureFrom(reachesOf(flag, documentedRules))
}

/** Whether a draw decides who gets what of a flag: a percentage below 100, or variants with weights. */
export function isDrawn({ filters, active }: ReleasedFlag): boolean {
  return active && dependsOnDraw(readRelease(canonicalFilters(filters)))
}

/**
 * Compares by cover rather than by place: nobody is new to the flag when each condition that reaches anybody lies
 * within an older one that asked for no more and gave at least as much. The same people stay in the same percentage,
 * since the hash depends on the flag's key and on them alone. What two properties mean, and which condition is tried
 * first, the rules of the service say. So `none` and `narrower` promise that nobody gets the
 * flag who did not have it; what cannot be judged from the filters alone counts as `mixed`.
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
  /** Members that give the flag to people, or take it from them, in ways that conditions do not show. */
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

function exposureFrom({ reaches }: Reaches): Exposure {
  return {
    conditions: reaches.map(({ index, people, percent }) => ({ index, people, percent })),
    maxPercent: Math.max(0, ...reaches.map(({ percent }) => percent)),
    everyone: reaches.some(({ meant, percent }) => meant.properties.length === 0 && percent === 100),
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
  const members = Object.entries(canonical).filter(([name]) => !toldMembers.includes(name))
  // A condition of a newer service may count groups where the flag counts persons.
  const hasOwnBuckets = groups.some(group => isJsonObject(group) && 'aggregation_group_type_index' in group)
  // With an early exit, a condition keeps the flag from people whom the conditions after it mean.
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

/** The points by which a condition gives more than the most generous older one that meant all of its people. */
function widening(reach: Reach, older: readonly Reach[]): number {
  let given = 0
  for (const { meant, percent } of older) {
    if (given >= reach.percent) return 0
    if (percent > given && isNarrowedTo(meant, reach.meant)) given = percent
  }
  return Math.max(0, reach.percent - given)
}

/** 33.3 - 10.1 is 23.2 to people. */
function withoutNoise(points: number): number {
  return Number.isInteger(points) ? points : Number(points.toFixed(6))
}
