import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../model/text/json.ts'
import { type FilterProblem, filterError, pointerTo } from '../check/filter-problem.ts'
import { attributesOf, rowsOf, type TypedPartName, typedAttributes } from '../typed-form.ts'

/**
 * Who gets a flag, as people write it in a repository: the attributes of the typed form side by side, with
 * names in place of positions. `release` and `variants` are ordered maps by name, or lists. `properties` of a
 * condition is a map from a property to its value, or a list as in `filters`; its `audience` adds more, by
 * name. `payloads` has any JSON by the key of its variant.
 */
export type ShortForm = JsonObject

/** The attribute that the typed form has in variants, and the short form in `payloads`. */
const perVariant = 'payload'

/** The attributes of a flag that are the same in the short form. */
const ofFlag = typedAttributes.filter(name => name !== perVariant)

/** The members of a flag that replace `filters` in the short form. */
export const shortMembers: readonly string[] = [...ofFlag, 'group_type', 'payloads']

/** The members of a condition or a variant in the short form; the key of a variant is its name there. */
export function membersOfShort(part: ShortPart): readonly string[] {
  return members[part]
}

type ShortPart = Exclude<TypedPartName, 'filters' | 'property'>

const groupTypeWords = 'The name of a group type in the settings, instead of its `group_type_index`.'

/** Members that contain a name in place of a number, with descriptions. They do not exist in filters. */
export const namedMembers: Readonly<Record<ShortPart | 'filters', Readonly<Record<string, string>>>> = {
  filters: { group_type: groupTypeWords },
  condition: {
    audience:
      "The audience whose properties must match too. They come before the condition's own properties.",
    group_type: groupTypeWords,
  },
  variant: {},
}

/** Whether a member contains the name of another object. */
export function isNamingMember(name: string): boolean {
  return Object.values(namedMembers).some(members => Object.hasOwn(members, name))
}

const members: Readonly<Record<ShortPart, readonly string[]>> = {
  condition: [...Object.keys(namedMembers.condition), ...membersOf('condition')],
  variant: membersOf('variant'),
}

function membersOf(part: ShortPart): readonly string[] {
  return Object.keys(attributesOf(part)).filter(name => name !== perVariant)
}

/** Who gets a flag; each flag has exactly one of these: `release`, or a percentage of everybody. */
export const releaseMembers: readonly string[] = rowsOf('filters').flatMap(([name, { shortFor }]) =>
  shortFor === undefined ? [] : [shortFor, name],
)

export function releaseMembersIn(short: ShortForm): readonly string[] {
  return releaseMembers.filter(name => short[name] !== undefined)
}

/** The names of conditions, in order; conditions in a list have no names. */
export function namesOfConditions({ release, rollout_percentage: share }: ShortForm): readonly string[] {
  if (release === undefined) return share === undefined ? [] : [everybody]
  return isJsonObject(release) ? Object.keys(release) : []
}

/** The name of the single condition for a percentage of everybody. */
const everybody = 'everyone'

/** The hint if nothing defines who gets a flag. */
export const everybodyOrNobody = 'for everybody, write "rollout_percentage: 100"; for nobody, "release: []"'

/** The members of an audience, which a condition has too. */
export const audienceMembers: readonly string[] = ['audience', 'properties', 'group_type', 'group_type_index']

/** The names of conditions and audiences: used in pointers and messages, but not stored in the service. */
export const conditionName = /^[a-z][a-z0-9_-]*$/

/** JavaScript sorts members with such names first, whatever their written order. */
export function isOrderedByItself(name: string): boolean {
  return /^(?:0|[1-9]\d*)$/.test(name)
}

/** The elements of a map or of a list, each with its key or index. */
export function elementsOf(value: Json): readonly (readonly [step: string | number, element: Json])[] {
  if (isJsonObject(value)) return Object.entries(value)
  return isJsonArray(value) ? value.map((element, index) => [index, element] as const) : []
}

/** Whether the value contains a null that could remove something. */
export function hasNull(value: Json): boolean {
  // Nearly all values here are texts and numbers.
  if (typeof value !== 'object') return false
  if (value === null) return true
  if (isJsonArray(value)) return value.some(hasNull)
  if (!isJsonObject(value)) return false
  for (const name in value) if (hasNull(value[name] ?? null)) return true
  return false
}

/** Facts that are collected while a short form is expanded. */
export interface Expanding {
  /** The position of each part of the filters; undefined if no positions are needed. */
  readonly places: Map<string, string> | undefined
  readonly problems: FilterProblem[]
  readonly audiences: (UsedAudience & { readonly isBroken: boolean })[]
  readonly names: UsedName[]
  readonly context: ShortContext
}

/** The audience of a condition. */
export interface UsedAudience {
  readonly name: string
  /** The index of its condition. */
  readonly condition: number
  /** The number of its properties; the condition's own properties follow. */
  readonly properties: number
  readonly parts: readonly AudiencePart[]
}

export function newExpanding(context: ShortContext, places?: Map<string, string>): Expanding {
  return { places, problems: [], audiences: [], names: [], context }
}

/** An audience in one environment: a named part of conditions that several flags share. */
export interface SharedAudience {
  /** All of its properties as in filters, starting with those of the audience that it builds on. */
  readonly properties: readonly Json[]
  /** The audiences that define these properties, in order: an audience may build on others. */
  readonly parts: readonly AudiencePart[]
  /** The group type of its properties; null for persons, undefined if unknown. */
  readonly groupType: Json | undefined
  /** Whether it has a problem, which is reported at its declaration. */
  readonly isBroken: boolean
}

/** Consecutive properties from one audience: itself, or an audience that it builds on. */
export interface AudiencePart {
  readonly audience: string
  /** The number of properties. */
  readonly properties: number
}

/** The things with a number in the service that may have a name in the settings. */
export type NamedThing = 'cohort' | 'group type'

/** The number for a name; undefined if it has none. */
export type NumberOf = (thing: NamedThing, name: string) => number | undefined

/** A name in place of a number of the service. */
export interface UsedName {
  readonly thing: NamedThing
  readonly name: string
  /** Undefined if the name is unknown. */
  readonly number: number | undefined
  readonly pointer: string
}

/** Definitions elsewhere that the short form may refer to. */
export interface ShortContext {
  readonly numberOf: NumberOf
  /** Undefined if the audience does not exist. */
  readonly audience: (name: string) => SharedAudience | undefined
  /** The hint for a name that is not an audience. */
  readonly audienceHint: (name: string) => string
}

export const nothingShared: ShortContext = {
  numberOf: () => undefined,
  audience: () => undefined,
  audienceHint: () => 'audiences are declared under "audiences"',
}

/**
 * Gives each name its own number, which the service does not have. Used to compare forms if the meaning of
 * names is unknown.
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

/** Collects problems and names, and provides the numbers of names. */
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
    const message = '"group_type" and "group_type_index" both define which groups are counted'
    const hint = 'remove one of them; in an override, null removes the other'
    problems.push(filterError(at, 'group-type-member', message, hint))
    return { ...others, group_type_index: index ?? name }
  }
  if (typeof name !== 'string') {
    const message = 'a group type must be a name, as text'
    problems.push(
      filterError(at, 'wrong-shape', message, 'write the number of the group type as group_type_index'),
    )
    return { ...others, group_type_index: name }
  }
  const number = numberOf('group type', name)
  names.push({ thing: 'group type', name, number, pointer: at })
  return { ...others, group_type_index: number ?? name }
}
