import { isJsonObject, type Json, type JsonObject } from '../model/json/json.ts'
import { segmentsOf } from '../model/json/pointer.ts'

/** Placeholder for a value that is known later: a variable, an id of another object, a reference. */
export const unknownHere: unique symbol = Symbol('not known here')

/** A declared value, with placeholders. A list or an object is known even if parts of it are not. */
export type PartlyKnown =
  | Json
  | typeof unknownHere
  | readonly PartlyKnown[]
  | { readonly [member: string]: PartlyKnown }

/** Whether all of it is known, so that it is JSON. */
export function isKnown(value: PartlyKnown): value is Json {
  if (value === unknownHere) return false
  if (Array.isArray(value)) return value.every(isKnown)
  if (!isJsonObject(value)) return true
  for (const name in value) if (!isKnown(value[name] ?? null)) return false
  return true
}

/** A list with a harmless value for each unknown element. */
export function knownList(list: readonly PartlyKnown[]): Json {
  return list.map(element => (isKnown(element) ? element : 'unknown'))
}

/** Whether the keys of the variants are known; before that, no name of a variant is wrong. */
export function areVariantKeysKnown(filters: PartlyKnown): boolean {
  const { multivariate = null } = membersOf(filters)
  const { variants = null } = membersOf(multivariate)
  if (!Array.isArray(variants)) return multivariate !== unknownHere && isKnown(variants)
  return variants.every(variant => variant !== unknownHere && membersOf(variant).key !== unknownHere)
}

/** Whether the group type of the release is known (or that there is none). */
export function isGroupTypeKnown(filters: PartlyKnown, pointer: string): boolean {
  const { groups = null, aggregation_group_type_index: groupType = null } = membersOf(filters)
  const [member, index] = segmentsOf(pointer)
  const condition = member === 'groups' && Array.isArray(groups) ? groups[Number(index)] : undefined
  return (membersOf(condition).aggregation_group_type_index ?? groupType) !== unknownHere
}

/** Filters with harmless values for unknown parts, so that only known parts can be wrong. */
export function knownFilters(filters: PartlyKnown): JsonObject {
  const members = membersOf(filters)
  const known = Object.entries(members).filter(([, member]) => member !== unknownHere)
  return Object.fromEntries(
    known.map(([name, member]) => [
      name,
      isKnown(member) ? member : (knownForms[name] ?? knownMembers)(member, members),
    ]),
  )
}

const knownForms: Readonly<Record<string, (member: PartlyKnown, filters: Members) => Json>> = {
  groups: (groups, { aggregation_group_type_index: groupType = null }) =>
    elements(groups, condition => knownCondition(condition, groupType)),
  multivariate: multivariate => {
    const { variants = null, ...others } = membersOf(multivariate)
    return { ...knownMembers(others), variants: knownVariants(variants) }
  },
  payloads: payloads =>
    Object.fromEntries(
      Object.entries(membersOf(payloads)).map(([key, value]) => [key, isKnown(value) ? value : 0]),
    ),
}

function knownCondition(condition: PartlyKnown, groupType: PartlyKnown): Json {
  const { properties = null, ...others } = membersOf(condition)
  const type = typeIn(others.aggregation_group_type_index ?? groupType)
  const known = elements(properties, property =>
    isKnown(property) ? property : knownProperty(property, type),
  )
  return { ...knownMembers(others), properties: known }
}

/** The owner of a property, if the flag is released to persons, or to groups of a type. */
function typeIn(groupType: PartlyKnown): JsonObject {
  return groupType !== null && isKnown(groupType)
    ? { type: 'group', group_type_index: groupType }
    : { type: 'person' }
}

/**
 * With the operator `is_set`, no value of a property can be wrong. A cohort always needs its id, and a flag
 * its result. Unknown members are filled in; missing ones stay missing.
 */
function knownProperty(property: PartlyKnown, type: JsonObject): Json {
  const members = membersOf(property)
  const harmless = Object.entries({ key: 'reference', ...type }).filter(
    ([name]) => property === unknownHere || members[name] === unknownHere,
  )
  return {
    ...Object.fromEntries(harmless),
    ...knownMembers(property),
    operator: 'is_set',
    ...(members.type === 'cohort' ? { operator: 'in', value: 0 } : {}),
    ...(members.type === 'flag' ? { operator: 'flag_evaluates_to', value: true } : {}),
  }
}

/** Unknown shares count as the remainder of the others. */
function knownVariants(variants: PartlyKnown): Json {
  const all = Array.isArray(variants) ? variants.map(variantMembers) : []
  const given = all.map(each => each.rollout_percentage).filter(share => typeof share === 'number')
  const left = Math.max(0, 100 - given.reduce((sum, share) => sum + share, 0))
  const share = left / Math.max(1, all.length - given.length)
  return elements(variants, (variant, index) => {
    if (isKnown(variant)) return variant
    const { key = null, rollout_percentage: percent = null, ...others } = variantMembers(variant)
    return {
      ...knownMembers(others),
      key: isKnown(key) ? key : `reference ${index}`,
      rollout_percentage: isKnown(percent) ? percent : share,
    }
  })
}

function variantMembers(variant: PartlyKnown): Members {
  return variant === unknownHere ? { key: unknownHere, rollout_percentage: unknownHere } : membersOf(variant)
}

interface Members {
  readonly [name: string]: PartlyKnown
}

function elements(value: PartlyKnown, form: (element: PartlyKnown, index: number) => Json): Json {
  return Array.isArray(value) ? value.map(form) : []
}

function knownMembers(value: PartlyKnown): JsonObject {
  const known = Object.entries(membersOf(value)).flatMap(([name, member]): [string, Json][] =>
    isKnown(member) ? [[name, member]] : [],
  )
  return Object.fromEntries(known)
}

function membersOf(value: PartlyKnown | undefined): Members {
  // A value that is neither JSON nor unknown has members of either.
  return isJsonObject(value) ? (value as Members) : {}
}
