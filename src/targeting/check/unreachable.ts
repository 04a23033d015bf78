import { isJsonArray, isJsonObject, type Json } from '../../model/text/json.ts'
import type { EvaluationRules } from '../../services/engines.ts'
import { alignConditions } from '../compare/align.ts'
import {
  asksTwice,
  canonicalProperty,
  contradictionIn,
  isNarrowedTo,
  keyOf,
  type People,
  readPeople,
} from '../compare/meaning.ts'
import { describeProperty } from '../describe-condition.ts'
import { evaluationOrder, isReaching, type ReleaseCondition, readRelease } from '../release.ts'
import { type FilterProblem, filterWarning, isGiven, withoutValue } from './filter-problem.ts'

/** A condition that never decides, by its position from 0: `condition 2 can never match: ...`. */
export type Unreachable = FilterProblem & { readonly index: number }

/** Conditions that never decide, by the rules of each given service; undefined if no service has any. */
export function checkUnreachable(filters: Json): ((rules: EvaluationRules) => FilterProblem[]) | undefined {
  const read = readConditions(filters)
  if (read.reaching.length === 0) return undefined
  return rules => unreachableAmong(read, rules).map(({ index: _, ...problem }) => problem)
}

function unreachable(index: number, message: string, hint: string, hidden?: string): Unreachable {
  const problem = filterWarning(`/groups/${index}`, 'unreachable-condition', message, hint)
  return { ...problem, index, ...(hidden === undefined ? {} : { hidden }) }
}

/**
 * Conditions that never decide. Either nobody can match two of their properties, or an earlier condition
 * matches at least the same people and gives at least the same percentage. A person has the same hash in all
 * conditions of a flag. Conditions for 0% are not reported: they are intended.
 */
export function unreachableConditions(filters: Json, rules: EvaluationRules): readonly Unreachable[] {
  return unreachableAmong(readConditions(filters), rules)
}

interface Conditions {
  readonly reaching: readonly ReleaseCondition[]
  /** False for conditions that count different things. */
  readonly mayCover: boolean
}

function readConditions(filters: Json): Conditions {
  if (!isJsonObject(filters) || !isJsonArray(filters.groups)) return nothingToCompare
  // Most flags have one condition, so there is nothing to compare.
  const { groups } = filters
  if (groups.length <= 1 && !groups.some(comparesOwn)) return nothingToCompare
  const reaching = readRelease(filters).conditions.filter(isReaching)
  const mayCover = !hasOwnBuckets(groups) && mayCoverAny(reaching)
  return mayCover || reaching.some(comparesOwn) ? { reaching, mayCover } : nothingToCompare
}

/** A condition can only cover another one if that one has all of its keys. Comparing keys is cheap. */
function mayCoverAny(reaching: readonly ReleaseCondition[]): boolean {
  if (reaching.length > 10) return true
  const asked = reaching.map(({ properties = [] }) => properties.map(keyOf))
  return reaching.some(({ percent }, at) =>
    reaching.some(
      (other, place) =>
        place !== at && percent >= other.percent && asked[at]?.every(key => asked[place]?.includes(key)),
    ),
  )
}

const nothingToCompare: Conditions = { reaching: [], mayCover: false }

function comparesOwn(condition: Json | ReleaseCondition): boolean {
  return isJsonObject(condition) && isJsonArray(condition.properties) && asksTwice(condition.properties)
}

function unreachableAmong(
  { reaching, mayCover }: Conditions,
  rules: EvaluationRules,
): readonly Unreachable[] {
  const tried = evaluationOrder(reaching, rules).map(({ index, percent, properties = [] }) => ({
    index,
    percent,
    properties,
    people: readPeople(properties, rules),
  }))
  const contradicting = tried.flatMap(contradictory)
  const nobody = new Set(contradicting.map(({ index }) => index))
  const covered = mayCover ? withCovers(tried.filter(({ index }) => !nobody.has(index))) : []
  return [
    ...contradicting,
    ...covered.map(({ index, cover }) => {
      const people = cover.people.properties.length === 0 ? 'everyone' : 'all people of this condition'
      const reason = `condition ${index + 1} can never match: condition ${cover.index + 1} takes ${people} at ${cover.percent}%`
      const isForced = cover.index > index
      return unreachable(
        index,
        reason,
        isForced
          ? 'conditions that force a variant are tried first'
          : 'remove it, or move it to the first place',
      )
    }),
  ].sort((left, right) => left.index - right.index)
}

interface Tried {
  readonly index: number
  readonly percent: number
  readonly properties: readonly Json[]
  readonly people: People
}

function contradictory({ index, properties, people }: Tried): Unreachable[] {
  const pair = contradictionIn(people)
  if (!pair) return []
  const both = pair.map(at => canonicalProperty(properties[at] ?? null))
  const reasonFor = ([one, other]: readonly Json[]) =>
    `condition ${index + 1} can never match: ${describeProperty(one ?? null)} and ${describeProperty(other ?? null)} exclude each other`
  const hint =
    'a condition matches if all of its properties match; to accept any of several values, write one list of values'
  return [unreachable(index, reasonFor(both), hint, reasonFor(both.map(withoutValue)))]
}

/** Only so many conditions are compared with all later ones: people write tens, programs any number. */
const mostCovers = 100

/** Conditions that an earlier one covers, each with the first such condition. */
function withCovers(tried: readonly Tried[]): { readonly index: number; readonly cover: Tried }[] {
  const first = tried.slice(0, mostCovers)
  // After that number, only a condition for everybody can cover others.
  let widest: Tried | undefined
  return tried.flatMap((condition, place) => {
    const covers = ({ percent, people }: Tried) =>
      percent >= condition.percent && isNarrowedTo(people, condition.people)
    const cover =
      first.find((other, at) => at < place && covers(other)) ??
      (widest && covers(widest) ? widest : undefined)
    const isForAll = condition.people.properties.length === 0
    if (isForAll && condition.percent > (widest?.percent ?? 0)) widest = condition
    return cover ? [{ index: condition.index, cover }] : []
  })
}

function hasOwnBuckets(groups: Json | undefined): boolean {
  if (!isJsonArray(groups)) return false
  return groups.some(condition => isJsonObject(condition) && isGiven(condition.aggregation_group_type_index))
}

/** Conditions that a change makes unreachable, as sentences. Values may be hidden. */
export function newlyUnreachable(
  before: Json,
  after: Json,
  rules: EvaluationRules,
  hidesValues = false,
): readonly string[] {
  const becomes = unreachableConditions(after, rules)
  if (becomes.length === 0) return []
  const was = new Set(unreachableConditions(before, rules).map(({ index }) => index))
  const { pairs } = alignConditions(conditionsIn(before), conditionsIn(after))
  const earlier = new Map(pairs.map(pair => [pair.after, pair.before]))
  return becomes
    .filter(({ index }) => !was.has(earlier.get(index) ?? -1))
    .slice(0, mostShown)
    .map(({ message, hidden = message }) => (hidesValues ? hidden : message))
}

/** The most conditions that are reported; the next run reports the rest. */
const mostShown = 5

function conditionsIn(filters: Json): readonly Json[] {
  return isJsonObject(filters) && isJsonArray(filters.groups) ? filters.groups : []
}
