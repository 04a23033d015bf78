import type { Json, JsonObject } from '../../model/json/json.ts'
import { type FilterProblem, filterError, pointerTo } from '../check/filter-problem.ts'

/** The meaning of an audience in one environment: a named part of conditions that several flags share. */
export interface SharedAudience {
  /** All of its properties as in filters, starting with those of the audience that it builds on. */
  readonly properties: readonly Json[]
  /** The audience that defines each of them, in order: it may build on others. */
  readonly parts: readonly AudiencePart[]
  /** The type of groups whose properties they are; null for persons, undefined if it is not known. */
  readonly groupType: Json | undefined
  /** It has a problem, which is reported at its declaration. */
  readonly isBroken: boolean
}

/** Consecutive properties from one audience: itself, or one that it builds on. */
export interface AudiencePart {
  readonly audience: string
  /** Their number. */
  readonly properties: number
}

/** Things with a number in the service that may have a name in the settings. */
export type NamedThing = 'cohort' | 'group type'

/** The number of a name; undefined if it has none. */
export type NumberOf = (thing: NamedThing, name: string) => number | undefined

/** A name in place of a number of the service. */
export interface UsedName {
  readonly thing: NamedThing
  readonly name: string
  /** Undefined for an unknown name. */
  readonly number: number | undefined
  readonly pointer: string
}

/** Definitions elsewhere that the short form may name. */
export interface ShortContext {
  readonly numberOf: NumberOf
  /** Undefined if there is no audience of that name. */
  readonly audience: (name: string) => SharedAudience | undefined
  /** The hint for a name that is no audience. */
  readonly audienceHint: (name: string) => string
}

/** Nothing has a name. */
export const nothingShared: ShortContext = {
  numberOf: () => undefined,
  audience: () => undefined,
  audienceHint: () => 'audiences are declared under "audiences"',
}

/**
 * Every name gets a number of its own, which the service does not have. Used to compare forms when the
 * meaning of the names is not known.
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

/** Where problems and names are collected, with the numbers of names. */
export interface NamesFound {
  readonly problems: FilterProblem[]
  readonly names: UsedName[]
  readonly numberOf: NumberOf
}

/** Members with the number of the type of groups that `group_type` names; the name if it has no number. */
export function withTypeNumber(
  members: JsonObject,
  pointer: string,
  { problems, names, numberOf }: NamesFound,
): JsonObject {
  const { group_type: name, group_type_index: index, ...others } = members
  if (name === undefined) return members
  const at = pointerTo(pointer, 'group_type')
  if (index !== undefined) {
    const message = '"group_type" and "group_type_index" both say which groups are counted'
    const hint = 'leave one of them out; in an override, null removes the other'
    problems.push(filterError(at, 'group-type-member', message, hint))
    return { ...others, group_type_index: index ?? name }
  }
  if (typeof name !== 'string') {
    const message = 'a type of groups is named by a text'
    problems.push(filterError(at, 'wrong-shape', message, 'write its number as group_type_index'))
    return { ...others, group_type_index: name }
  }
  const number = numberOf('group type', name)
  names.push({ thing: 'group type', name, number, pointer: at })
  return { ...others, group_type_index: number ?? name }
}
