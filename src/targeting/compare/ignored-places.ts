import { canonicalText, isJsonArray, isJsonObject, type Json } from '../../model/text/json.ts'
import { getAt, pointerOf, segmentsOf, setAt } from '../../model/text/pointer.ts'
import { canonicalFilters } from '../canonical-filters.ts'
import { operatorOf } from '../operators.ts'
import { withConditions } from '../release.ts'
import { meaningOf } from './meaning.ts'

/**
 * The place of a declared value in a live value: its pointer there, or that only the declaration has this
 * part, or the reason why the matching live part is unknown.
 */
export type FoundPlace =
  | { readonly is: 'there'; readonly pointer: string }
  | { readonly is: 'new' }
  | { readonly is: 'unclear'; readonly reason: string }

/** Two values of a field, and the ignored places in the declared value. */
export interface PlacedSides {
  readonly declared: Json
  readonly live: Json
  readonly ignored: readonly string[]
  /** Whether both are filters, whose lists have elements that can be identified. */
  readonly areFilters: boolean
}

/**
 * Finds ignored places in a live value. An element of a list is the same one if both lists have it once:
 *
 * | list       | an element is recognized by                                             |
 * |------------|-------------------------------------------------------------------------|
 * | conditions | its people; if several mean the same people, its variant too            |
 * | variants   | its key                                                                 |
 * | properties | its key, type and operator                                              |
 * | any other  | nothing                                                                 |
 *
 * Ignored keys still count, other ignored parts do not. An element is new if all live ones match others.
 */
export function findPlaces({ declared, live, ignored, areFilters }: PlacedSides): readonly FoundPlace[] {
  const form = areFilters ? formOfFilters : (value: Json) => value
  const paths = ignored.map(segmentsOf)
  const from = { where: areFilters ? '' : undefined, declared: form(declared), live: form(live), at: '' }
  return paths.map(path => findFrom(from, path, paths))
}

/** Filters in the form that pointers from `findPlaces` refer to. */
export function placedFilters(filters: Json): Json {
  return isJsonObject(filters) ? withConditions(filters) : filters
}

/** Canonical, with the groups that a condition counts in the condition, and no condition if there is none. */
function formOfFilters(filters: Json): Json {
  const form = canonicalFilters(filters)
  if (!isJsonObject(filters) || !isJsonObject(form) || !isJsonArray(form.groups)) return form
  if (isJsonArray(filters.groups) && filters.groups.length === 0) return { ...form, groups: [] }
  const { aggregation_group_type_index: type } = form
  const typed = (each: Json) =>
    isJsonObject(each) ? { aggregation_group_type_index: type ?? null, ...each } : each
  return { ...form, groups: form.groups.map(typed) }
}

interface From {
  /** The path of members without indexes; undefined if the list has elements that cannot be identified. */
  readonly where: string | undefined
  readonly declared: Json | undefined
  readonly live: Json | undefined
  /** The pointer to this value in the live value. */
  readonly at: string
}

function findFrom(from: From, path: Path, ignored: readonly Path[]): FoundPlace {
  const { where, declared, live, at } = from
  const [step, ...rest] = path
  if (step === undefined) return { is: 'there', pointer: at }
  if (live === undefined || live === null) return { is: 'new' }
  const inside = ignored.filter(([first]) => first === step).map(([_, ...others]) => others)
  const into = (next: string, inWhere: string | undefined): From => ({
    where: inWhere,
    declared: memberAt(declared, step),
    live: memberAt(live, next),
    at: at + pointerOf(next),
  })
  if (!isJsonArray(declared) && !isJsonArray(live))
    return findFrom(into(step, where === undefined ? where : `${where}/${step}`), rest, inside)
  const partner = partnerOf(from, Number(step), ignored)
  return typeof partner === 'number' ? findFrom(into(String(partner), where), rest, inside) : partner
}

type Path = readonly string[]

function memberAt(value: Json | undefined, step: string): Json | undefined {
  return value === undefined ? value : getAt(value, pointerOf(step))
}

const conditions = '/groups'

/** The texts that identify an element, from the most lenient to the strictest. */
const identities: Readonly<Record<string, (element: Json) => readonly string[]>> = {
  [conditions]: conditionIdentity,
  '/multivariate/variants': variant => [canonicalText(memberAt(variant, 'key') ?? null)],
  '/groups/properties': property => [propertyIdentity(property)],
}

/**
 * The place of an element of the declared list in the live one. An only match is taken, and others are
 * searched in the rest. Share and order do not identify a condition, since both sides change them.
 */
function partnerOf({ where = '', declared, live }: From, index: number, ignored: readonly Path[]) {
  const identify = identities[where]
  if (!identify || !isJsonArray(declared) || !isJsonArray(live))
    return unclear('the elements of that list cannot be identified')
  const ours = declared.map((model, position) => {
    const inside = ignored.flatMap(([first, ...path]) =>
      first === String(position) && (path.length > 0 || where === conditions) ? [path] : [],
    )
    const knownAs = (element: Json) => {
      const known = inside.reduce<Json | undefined>((rest, path) => without(rest, path, model), element)
      return known === undefined ? [] : identify(known)
    }
    return { model, knownAs, own: knownAs(model) }
  })
  const one = ours[index]
  if (!one) return unclear('nothing is declared there')
  if (one.own.length === 0) return unclear('the whole element is ignored, so it cannot be identified')
  const theirs = live.map((element, position) => ({ element, position }))
  const sure = (each: Known, [known, shown]: readonly [readonly Known[], typeof theirs], level: number) => {
    const isSame = (element: Json) => each.knownAs(element)[level] === each.own[level]
    const [first, second] = shown.filter(({ element }) => isSame(element))
    const isOnly = known.filter(({ model }) => isSame(model)).length === 1
    return each.own[level] !== undefined && isOnly && first && !second ? first.position : undefined
  }
  const taken = ours.map(each => sure(each, [ours, theirs], 0))
  const partner = taken[index]
  if (partner !== undefined)
    return taken.filter(at => at === partner).length === 1
      ? partner
      : unclear('two declared elements match it')
  const rest = [
    ours.filter((_, position) => taken[position] === undefined),
    theirs.filter(({ position }) => !taken.includes(position)),
  ] as const
  for (const level of one.own.keys()) {
    const found = sure(one, rest, level)
    if (found !== undefined) return found
  }
  const [others, shown] = [rest[0].filter(each => each !== one), rest[1]]
  const isLike = (element: Json) => one.own.at(-1) === one.knownAs(element).at(-1)
  if (others.some(({ model }) => isLike(model)))
    return unclear('another declared element differs only in ignored parts')
  const isOther = (element: Json) => {
    const taking = others.findIndex(({ own, knownAs }) => own[0] === knownAs(element)[0])
    return taking >= 0 && others.splice(taking, 1).length > 0
  }
  return !live.some(isLike) && shown.every(({ element }) => isOther(element))
    ? ({ is: 'new' } as const)
    : unclear('a live element of that list may or may not be the same')
}

interface Known {
  readonly model: Json
  readonly knownAs: (element: Json) => readonly string[]
  readonly own: readonly string[]
}

function unclear(reason: string): FoundPlace {
  return { is: 'unclear', reason }
}

/** An element without the ignored part of the declared element; undefined if nothing remains. */
function without(element: Json | undefined, [name, index, inner]: Path, model: Json): Json | undefined {
  if (name === undefined || !isJsonObject(element)) return undefined
  const members = element[name]
  const asked = index === undefined ? undefined : getAt(model, pointerOf(name, index))
  if (asked === undefined || !isJsonArray(members)) return setAt(element, pointerOf(name), undefined)
  const kept = members.flatMap(property => {
    if (propertyIdentity(property) !== propertyIdentity(asked)) return [property]
    return inner === undefined ? [] : [setAt(property, pointerOf(inner), undefined)]
  })
  return { ...element, [name]: kept }
}

function conditionIdentity(condition: Json): readonly string[] {
  if (!isJsonObject(condition)) return []
  const { properties = [], variant = null } = condition
  const asked = isJsonArray(properties)
    ? properties.map(property => meaningOf(property)).sort()
    : [properties]
  const people = canonicalText([asked, condition.aggregation_group_type_index ?? null])
  return [people, canonicalText([people, variant])]
}

function propertyIdentity(property: Json): string {
  if (!isJsonObject(property)) return canonicalText([property])
  return canonicalText([property.key ?? null, property.type ?? null, operatorOf(property) ?? null])
}
