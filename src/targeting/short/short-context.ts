import type { Json, JsonObject } from '../../model/json/json.ts'
import { type FilterProblem, filterError, pointerTo } from '../check/filter-problem.ts'

/** What an audience amounts to in one environment: a part of a condition that has a name and is shared. */
export interface SharedAudience {
  /** All of its properties as filters have them, those of the audience that it builds on first. */
  readonly properties: readonly Json[]
  /** Which of them are said by which audience, in their order: it may build on others. */
  readonly parts: readonly AudiencePart[]
  /** The type of groups whose properties they are; null for persons, undefined where nobody knows. */
  readonly groupType: Json | undefined
  /** Something is wrong with it, which is told where it is declared. */
  readonly isBroken: boolean
}

/** Properties of an audience that are said in a row by one audience: itself, or one that it builds on. */
export interface AudiencePart {
  readonly audience: string
  /** How many they are. */
  readonly properties: number
}

/** What has a number in the service and may have a name in the settings. */
export type NamedThing = 'cohort' | 'group type'

/** The numbers of what has a name; undefined for what has none. */
export type NumberOf = (thing: NamedThing, name: string) => number | undefined

/** A name where the service has a number. */
export interface UsedName {
  readonly thing: NamedThing
  readonly name: string
  /** Undefined for a name that nobody knows. */
  readonly number: number | undefined
  readonly pointer: string
}

/** What the short form may name that is said elsewhere. */
export interface ShortContext {
  readonly numberOf: NumberOf
  /** Undefined where there is no audience of that name. */
  readonly audience: (name: string) => SharedAudience | undefined
  /** What to do about a name that is no audience. */
  readonly audienceHint: (name: string) => string
}

/** Nothing has a name. */
export const nothingShared: ShortContext = {
  numberOf: () => undefined,
  audience: () => undefined,
  audienceHint: () => 'audiences are declared under "audiences"',
}

/**
 * Every name stands for something of its own, whatever that is: for comparing what is written where nobody knows what the
 * names mean. Numbers are none that the service has.
 */
export function namesAlone(): ShortContext {
  const numbers = new Map<string, number>()
  return {
    numberOf: (thing, name) => {
      const key = `${thing} ${name}`
      const number = numbers.get(key) ?? -1 - numbers.size
      numbers.set(key, number)
      return number
    },
    audience: name => ({
      properties: [{ audience: name }],
      parts: [{ audience: name, properties: 1 }],
      groupType: undefined,
      isBroken: false,
    }),
    audienceHint: nothingShared.audienceHint,
  }
}

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
