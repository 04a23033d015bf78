import { isJsonArray, isJsonObject, isSameJson, type Json, type JsonObject } from '../model/json/json.ts'

/**
 * Which type of groups each condition counts: its own, else that of the flag. Newer services write it into every
 * condition, and above them where all say the same; so filters that mean one thing come in several spellings.
 * [service-today 2]
 *
 * | all conditions count | said             |
 * |----------------------|------------------|
 * | the same groups      | once, above them |
 * | persons              | nowhere          |
 * | various groups       | in each of them  |
 */
export function withTidyGroupTypes(filters: JsonObject): JsonObject {
  const types = groupTypesOf(filters)
  return types.length === 0 ? filters : spelled(filters, commonOf(types))
}

/**
 * The same filters, with the types of groups said where others say them: above the conditions, or in each. Only the
 * members about groups are touched. `partnerOf` says which condition of the others corresponds to one.
 */
export function withGroupTypesAs(
  filters: JsonObject,
  model: JsonObject,
  partnerOf: (index: number) => number | undefined = index => index,
): JsonObject {
  const types = groupTypesOf(filters)
  if (types.length === 0) return filters
  const above = model[aggregation] ?? null
  const isSaidAbove = types.every(type => type !== null) && types.some(type => isSameJson(type, above))
  const others = conditionsOf(model).map(condition => ownType(condition) !== null)
  const isSaidInside = others.includes(true)
  return spelled(
    filters,
    isSaidAbove ? above : isSaidInside ? null : commonOf(types),
    index => isSaidInside && others[partnerOf(index) ?? -1] === true,
  )
}

/** The type of groups that a condition names for itself; null where it names none. */
export function ownType(condition: Json): Json {
  return isJsonObject(condition) ? (condition[aggregation] ?? null) : null
}

/** What each condition counts: the index of a type of groups, or null for persons. */
function groupTypesOf(filters: JsonObject): readonly Json[] {
  const above = filters[aggregation] ?? null
  return conditionsOf(filters).map(condition => ownType(condition) ?? above)
}

const aggregation = 'aggregation_group_type_index'

function conditionsOf({ groups }: JsonObject): readonly Json[] {
  return isJsonArray(groups) ? groups : []
}

function commonOf([first = null, ...others]: readonly Json[]): Json {
  return others.every(each => isSameJson(each, first)) ? first : null
}

/** With one type above, and in the conditions whatever differs from it; `repeats` says which say it all the same. */
function spelled(
  filters: JsonObject,
  above: Json,
  repeats: (index: number) => boolean = () => false,
): JsonObject {
  const types = groupTypesOf(filters)
  const groups = conditionsOf(filters).map((condition, index) => {
    const type = types[index] ?? null
    const isSaid = type !== null && (!isSameJson(type, above) || repeats(index))
    return isJsonObject(condition) ? withMember(condition, isSaid ? type : null) : condition
  })
  return { ...withMember(filters, above), groups }
}

/** Keeps its place where it has one. */
function withMember(members: JsonObject, type: Json): JsonObject {
  if (type !== null) return { ...members, [aggregation]: type }
  if (!(aggregation in members)) return members
  const { [aggregation]: _, ...others } = members
  return others
}
