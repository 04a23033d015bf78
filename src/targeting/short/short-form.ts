import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../model/json/json.ts'
import type { FilterProblem } from '../check/filter-problem.ts'
import { attributesOf, rowsOf, type TypedPartName, typedAttributes } from '../typed-form.ts'
import type { AudiencePart, ShortContext, UsedName } from './short-context.ts'

/**
 * Who gets a flag, as people write it in a repository: the attributes of the typed form beside each other, with names in
 * place of places. `release` and `variants` are maps by name, in their order, or lists; `properties` of a condition
 * is a map from a property to its value, or a list as `filters` have it; its `audience` has more of them, by name; `payloads` has any
 * JSON by the key of its variant.
 */
export type ShortForm = JsonObject

/** The attributes of the typed form that stand with their variants there, and under `payloads` here. */
const perVariant = 'payload'

/** The attributes of a flag that are written here as they are. */
const ofFlag = typedAttributes.filter(name => name !== perVariant)

/** The members of a flag that say in the short form what `filters` says. */
export const shortMembers: readonly string[] = [...ofFlag, 'group_type', 'payloads']

/** The members of a condition or a variant in the short form; the key of a variant is its name there. */
export function membersOfShort(part: ShortPart): readonly string[] {
  return members[part]
}

type ShortPart = Exclude<TypedPartName, 'filters' | 'property'>

const groupTypeWords = 'The name of a type of groups, by the settings, in place of its `group_type_index`.'

/** What stands for other members where it is written, and is in no filters, with its words. */
export const namedMembers: Readonly<Record<ShortPart | 'filters', Readonly<Record<string, string>>>> = {
  filters: { group_type: groupTypeWords },
  condition: {
    audience: 'The audience whose properties must match, before those of the condition itself.',
    group_type: groupTypeWords,
  },
  variant: {},
}

/** Whether a member has the name of something. */
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

/** The ways to say who gets a flag at all, of which a flag takes one: `release`, or a share of everybody. */
export const releaseMembers: readonly string[] = rowsOf('filters').flatMap(([name, { shortFor }]) =>
  shortFor === undefined ? [] : [shortFor, name],
)

/** Those of them that a flag has. */
export function releaseMembersIn(short: ShortForm): readonly string[] {
  return releaseMembers.filter(name => short[name] !== undefined)
}

/** What conditions are called, in their order; in a list they have no names. */
export function namesOfConditions({ release, rollout_percentage: share }: ShortForm): readonly string[] {
  if (release === undefined) return share === undefined ? [] : [everybody]
  return isJsonObject(release) ? Object.keys(release) : []
}

/** What the one condition is called that a share of everybody is short for. */
const everybody = 'everyone'

/** What to write where nothing says who gets a flag. */
export const everybodyOrNobody = 'for everybody, write "rollout_percentage: 100"; for nobody, "release: []"'

/** The members of an audience: what it has in common with a condition. */
export const audienceMembers: readonly string[] = ['audience', 'properties', 'group_type', 'group_type_index']

/** What conditions and audiences are called: names are not stored in the service, and stand in pointers and messages. */
export const conditionName = /^[a-z][a-z0-9_-]*$/

/** Objects order members with such names by themselves, whatever order they were written in. */
export function isOrderedByItself(name: string): boolean {
  return /^(?:0|[1-9]\d*)$/.test(name)
}

/** The elements of a map or of a list, each with the step that leads to it. */
export function elementsOf(value: Json): readonly (readonly [step: string | number, element: Json])[] {
  if (isJsonObject(value)) return Object.entries(value)
  return isJsonArray(value) ? value.map((element, index) => [index, element] as const) : []
}

/** Whether there is a null that could be one to remove something. */
export function hasNull(value: Json): boolean {
  // Nearly all that is looked at are texts and numbers.
  if (typeof value !== 'object') return false
  if (value === null) return true
  if (isJsonArray(value)) return value.some(hasNull)
  if (!isJsonObject(value)) return false
  for (const name in value) if (hasNull(value[name] ?? null)) return true
  return false
}

/** What comes to light while a short form is expanded. */
export interface Expanding {
  /** Where each part of the filters is said; undefined where nobody asks. */
  readonly places: Map<string, string> | undefined
  readonly problems: FilterProblem[]
  readonly audiences: (UsedAudience & { readonly isBroken: boolean })[]
  readonly names: UsedName[]
  readonly context: ShortContext
}

/** The audience of a condition. */
export interface UsedAudience {
  readonly name: string
  /** Which condition it is, from 0 on. */
  readonly condition: number
  /** How many properties it has; the condition's own come after them. */
  readonly properties: number
  readonly parts: readonly AudiencePart[]
}

export function newExpanding(context: ShortContext, places?: Map<string, string>): Expanding {
  return { places, problems: [], audiences: [], names: [], context }
}
