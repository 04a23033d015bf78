import { isJsonArray, isJsonObject, type Json } from '../../model/json/json.ts'
import type { EvaluationRules } from '../../services/engines.ts'
import { contradictionIn, isNarrowedTo, type People, readPeople } from '../compare/narrowing.ts'
import { describeProperty } from '../describe/describe-property.ts'
import { canonicalFilters } from '../filters.ts'
import { evaluationOrder, isReaching, readRelease } from '../release.ts'
import { type FilterProblem, filterWarning, isGiven } from './filter-problem.ts'

export interface Unreachable {
  /** The place among the conditions as they are written, from 0. */
  readonly index: number
  /** `condition 2 can never match: condition 1 takes everyone at 100%`. */
  readonly reason: string
  readonly hint: string
}

/** What is told of conditions that never decide anything. */
export function checkUnreachable(filters: Json, rules: EvaluationRules): FilterProblem[] {
  return unreachableConditions(filters, rules).map(({ index, reason, hint }) =>
    filterWarning(`/groups/${index}`, 'unreachable-condition', reason, hint),
  )
}

/**
 * Conditions that never decide anything, because nobody has what two of their properties ask for, or because one that is
 * tried before them means at least the same people and gives at least the same share of them: a person falls at the same
 * place in all conditions of a flag. Conditions for 0% are none of them: whoever writes that means it.
 */
export function unreachableConditions(filters: Json, rules: EvaluationRules): readonly Unreachable[] {
  if (!isJsonObject(filters) || !isJsonArray(filters.groups)) return []
  const tried = evaluationOrder(readRelease(canonicalFilters(filters)).conditions, rules)
    .filter(isReaching)
    .map(({ index, percent, properties = [] }) => ({
      index,
      percent,
      properties,
      meant: readPeople(properties, rules),
    }))
  const contradicting = tried.flatMap(contradictory)
  const nobody = new Set(contradicting.map(({ index }) => index))
  // Conditions that count different things do not cover each other.
  const covered = hasOwnBuckets(filters.groups)
    ? []
    : withCovers(tried.filter(({ index }) => !nobody.has(index)))
  return [
    ...contradicting,
    ...covered.map(({ index, cover }) => {
      const people = cover.meant.properties.length === 0 ? 'everyone' : 'all of its people'
      return {
        index,
        reason: `condition ${index + 1} can never match: condition ${cover.index + 1} takes ${people} at ${cover.percent}%`,
        hint:
          cover.index > index
            ? 'conditions that force a variant are tried first'
            : 'remove it, or put it first',
      }
    }),
  ].sort((left, right) => left.index - right.index)
}

interface Tried {
  readonly index: number
  readonly percent: number
  readonly properties: readonly Json[]
  readonly meant: People
}

function contradictory({ index, properties, meant }: Tried): Unreachable[] {
  const pair = contradictionIn(meant)
  if (!pair) return []
  const [one = '', other = ''] = pair.map(at => describeProperty(properties[at] ?? null))
  return [
    {
      index,
      reason: `condition ${index + 1} can never match: ${one} and ${other} at the same time`,
      hint: 'all properties of a condition have to match; what may be one or the other goes into one list of values',
    },
  ]
}

/** So many conditions are compared with all that come after them: people write some tens, programs any number. */
const mostCovers = 100

/** The conditions that one before them covers, each with the first such one. */
function withCovers(tried: readonly Tried[]): { readonly index: number; readonly cover: Tried }[] {
  const first = tried.slice(0, mostCovers)
  // Behind those, only one for everybody is looked out for.
  let widest: Tried | undefined
  return tried.flatMap((condition, place) => {
    const covers = ({ percent, meant }: Tried) =>
      percent >= condition.percent && isNarrowedTo(meant, condition.meant)
    const cover =
      first.find((other, at) => at < place && covers(other)) ??
      (widest && covers(widest) ? widest : undefined)
    const isForAll = condition.meant.properties.length === 0
    if (isForAll && condition.percent > (widest?.percent ?? 0)) widest = condition
    return cover ? [{ index: condition.index, cover }] : []
  })
}

function hasOwnBuckets(groups: Json | undefined): boolean {
  if (!isJsonArray(groups)) return false
  return groups.some(condition => isJsonObject(condition) && isGiven(condition.aggregation_group_type_index))
}
