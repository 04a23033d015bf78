import type { Json, JsonObject } from '../../model/json/json.ts'
import { type FilterProblem, filterError, pointerTo } from '../check/filter-problem.ts'
import type { NumberOf, UsedName } from './short-context.ts'

/** Which type of groups members say, by its number or its name. */
export interface SaidGroupType {
  /** Undefined where they say none. */
  readonly index: Json | undefined
  /** The members without those that say it. */
  readonly others: JsonObject
  readonly problems: readonly FilterProblem[]
  readonly names: readonly UsedName[]
}

/** The type of groups that members say, `group_type` being a name for a `group_type_index`. */
export function groupTypeIn(members: JsonObject, pointer: string, numberOf: NumberOf): SaidGroupType {
  const { group_type: name, group_type_index: index, ...others } = members
  if (name === undefined) return { index, others, problems: [], names: [] }
  const at = pointerTo(pointer, 'group_type')
  const wrong = (problem: FilterProblem) => ({ index: index ?? name, others, problems: [problem], names: [] })
  if (index !== undefined) {
    const message = '"group_type" and "group_type_index" both say which groups are counted'
    const hint = 'leave one of them out; in an override, null removes the other'
    return wrong(filterError(at, 'group-type-member', message, hint))
  }
  if (typeof name !== 'string') {
    const message = 'a type of groups is named by a text'
    return wrong(filterError(at, 'wrong-shape', message, 'write its number as group_type_index'))
  }
  const number = numberOf('group type', name)
  return {
    index: number ?? name,
    others,
    problems: [],
    names: [{ thing: 'group type', name, number, pointer: at }],
  }
}
