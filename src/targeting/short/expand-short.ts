import {
  isJsonArray,
  isJsonNumber,
  isJsonObject,
  isSameJson,
  type Json,
  type JsonObject,
} from '../../model/text/json.ts'
import { meantHint } from '../../model/text/names.ts'
import { getAt, pointerOf } from '../../model/text/pointer.ts'
import { type FilterProblem, filterError, isGiven, pointerTo } from '../check/filter-problem.ts'
import { isNumberText } from '../describe.ts'
import { isOperatorName, operators } from '../operators.ts'
import { attributeOf, attributesOf, rowsOf, type TypedAttribute } from '../typed-form.ts'
import {
  type AudiencePart,
  conditionName,
  type Expanding,
  elementsOf,
  everybodyOrNobody,
  isOrderedByItself,
  membersOfShort,
  type NumberOf,
  newExpanding,
  nothingShared,
  releaseMembersIn,
  type ShortContext,
  type ShortForm,
  type UsedAudience,
  type UsedName,
  withTypeNumber,
} from './short-form.ts'

/** The filters for a short form, and facts about them. */
export interface MeantFilters {
  readonly filters: JsonObject
  /** Problems in the short form itself; pointers lead into it. */
  readonly problems: readonly FilterProblem[]
  /** The conditions that start with the properties of an audience. */
  readonly audiences: readonly UsedAudience[]
  /** The names of cohorts and group types in the short form, without those inside audiences. */
  readonly names: readonly UsedName[]
  /** The meaning is not known: the cause is among the problems or the names, or reported for an audience. */
  readonly isBroken: boolean
}

/** The filters for a short form, with positions in the source. */
export interface ExpandedShort extends MeantFilters {
  /** The pointer into the short form for a pointer into the filters. */
  readonly placeOf: (pointer: string) => string
  /** The pointer into the filters for a pointer into the short form; undefined if none, or several. */
  readonly insideOf: (pointer: string) => string | undefined
}

/** The filters for a short form, with positions. The rules of filters report problems in the filters. */
export function expandShort(short: ShortForm, context: ShortContext = nothingShared): ExpandedShort {
  // Computing the positions takes as long as everything else.
  let known: ReadonlyMap<string, string> | undefined
  const places = () => {
    if (known) return known
    const found = new Map<string, string>()
    expand(short, newExpanding(context, found))
    known = found
    return found
  }
  return {
    ...expandFilters(short, context),
    placeOf: pointer => placeIn(places(), pointer),
    insideOf: pointer => insideOf(short, places(), pointer),
  }
}

/** Without positions: of the tens of thousands of flags in a repository, few have a problem. */
export function expandFilters(short: ShortForm, context: ShortContext): MeantFilters {
  const expanding = newExpanding(context)
  const { problems, audiences, names } = expanding
  const filters = expand(short, expanding)
  const isBroken =
    problems.length > 0 ||
    audiences.some(used => used.isBroken) ||
    names.some(({ number }) => number === undefined)
  return { filters, problems, audiences, names, isBroken }
}

function expand(written: ShortForm, expanding: Expanding): JsonObject {
  const { places, problems } = expanding
  const short = withGroupType(written, '', expanding)
  const forms = releaseMembersIn(short)
  // Without a valid release, the flag is for nobody.
  const filters: Record<string, Json> = forms.length === 1 ? {} : { groups: [] }
  // An empty form contained only nulls, which are already reported.
  if (forms.length === 0 && Object.keys(short).length > 0) problems.push(missingRelease(short))
  if (forms.length > 1) problems.push(givenTwice(forms))
  for (const [name, attribute] of rowsOf('filters')) {
    const { at } = attribute
    const value = short[name]
    if (value === undefined || (forms.length > 1 && forms.includes(name))) continue
    const inFilters = pointerOf(...at)
    if (places)
      for (const depth of at.keys()) places.set(pointerOf(...at.slice(0, depth + 1)), pointerOf(name))
    const [first, ...inside] = at
    const expanded = (expanders[name] ?? asItIs(attribute))(value, short, inFilters, expanding)
    filters[first] = inside.reduceRight<Json>((inner, step) => ({ [step]: inner }), expanded)
  }
  const { payloads } = short
  if (payloads !== undefined) filters.payloads = payloads
  if (short !== written) places?.set(pointerOf('aggregation_group_type_index'), pointerOf('group_type'))
  return filters
}

type Expander = (value: Json, short: ShortForm, inFilters: string, expanding: Expanding) => Json

/** The value itself, or its full form. Both have a single position. */
function asItIs({ encode }: TypedAttribute): Expander {
  return (value, short, inFilters, { places }) => {
    if (!encode) return value
    const meant = encode(value, short)
    const place = places?.get(inFilters)
    if (places && place !== undefined) placeAll(meant, place, inFilters, places)
    return meant
  }
}

const expanders: Readonly<Record<string, Expander>> = {
  release: expandRelease,
  variants: (variants, _short, inFilters, expanding) => expandVariants(variants, inFilters, expanding),
}

function placeAll(value: Json, place: string, at: string, places: Map<string, string>): void {
  places.set(at, place)
  for (const [step, element] of elementsOf(value)) placeAll(element, place, pointerTo(at, step), places)
}

function expandRelease(release: Json, short: ShortForm, inFilters: string, expanding: Expanding): Json {
  const { places, problems } = expanding
  if (!isJsonObject(release) && !isJsonArray(release)) {
    problems.push(
      filterError(
        '/release',
        'wrong-shape',
        'release must be a map of conditions, or a list of them',
        isJsonNumber(release)
          ? 'for a share of everybody, write "rollout_percentage" instead of "release"'
          : nobody,
      ),
    )
    return []
  }
  return elementsOf(release).map(([step, condition], index) => {
    const pointer = pointerTo('/release', step)
    const at = pointerTo(inFilters, index)
    places?.set(at, pointer)
    if (typeof step === 'string' && !conditionName.test(step)) problems.push(badName(step, pointer))
    if (!isJsonObject(condition)) {
      problems.push(
        filterError(
          pointer,
          'wrong-shape',
          'a condition must be a map',
          'for everybody, write { rollout_percentage: 100 }',
        ),
      )
      return {}
    }
    problems.push(...strayMembers(condition, 'condition', pointer))
    const groupTypeOfFlag = short.group_type_index ?? null
    return expandCondition(condition, { pointer, at, index, groupTypeOfFlag }, expanding)
  })
}

function expandVariants(variants: Json, inFilters: string, { places, problems }: Expanding): Json {
  if (isJsonArray(variants)) {
    variants.forEach((variant, index) => {
      const pointer = pointerTo('/variants', index)
      places?.set(pointerTo(inFilters, index), pointer)
      if (isJsonObject(variant)) problems.push(...strayMembers(variant, 'variant', pointer))
    })
    return variants
  }
  if (!isJsonObject(variants)) {
    const message = 'variants must be a list, or a map from each variant to its percentage'
    problems.push(filterError('/variants', 'wrong-shape', message))
    return []
  }
  const entries = Object.entries(variants)
  const misplaced = entries.length > 1 ? entries.find(([key]) => isOrderedByItself(key)) : undefined
  if (misplaced) problems.push(lostOrder(misplaced[0]))
  return entries.map(([key, variant], index): JsonObject => {
    const pointer = pointerTo('/variants', key)
    const at = pointerTo(inFilters, index)
    places?.set(at, pointer)
    if (isJsonNumber(variant)) {
      places?.set(pointerTo(at, 'rollout_percentage'), pointer)
      places?.set(pointerTo(at, 'key'), pointer)
      return { key, rollout_percentage: variant }
    }
    if (!isJsonObject(variant)) {
      const hint = 'write the percentage of the variant, or { rollout_percentage: 50, name: ... }'
      problems.push(filterError(pointer, 'wrong-shape', 'a variant must be a number or a map', hint))
      return { key }
    }
    problems.push(...strayMembers(variant, 'variant', pointer, ['key']))
    places?.set(pointerTo(at, 'key'), pointer)
    return { ...variant, key }
  })
}

function strayMembers(
  value: JsonObject,
  part: 'condition' | 'variant',
  pointer: string,
  outside: readonly string[] = [],
): FilterProblem[] {
  const known = membersOfShort(part)
  // Few have nested places, so nothing is created for the others.
  if (Object.keys(value).every(name => known.includes(name) && !outside.includes(name))) return []
  const names = known.filter(name => !outside.includes(name))
  const strays = Object.keys(value).filter(name => !names.includes(name))
  return strays.map(name => {
    const inFilters = Object.entries(attributesOf(part)).find(
      ([, { at }]) => at.length === 1 && at[0] === name,
    )
    const listed = `the members are ${names.join(', ')}; write everything else as filters`
    const hint =
      inFilters && names.includes(inFilters[0])
        ? `write it as "${inFilters[0]}"`
        : name === 'payload'
          ? 'write it under "payloads", by the key of its variant'
          : meantHint(name, names, listed)
    const message = `${JSON.stringify(name)} is not a member of a ${part}`
    return filterError(pointerTo(pointer, name), 'unknown-short-member', message, hint)
  })
}

const nobody = 'for nobody write [], for everybody [{ rollout_percentage: 100 }]'

function givenTwice(forms: readonly string[]): FilterProblem {
  const [longer = '', shorter = ''] = forms
  return filterError(
    pointerOf(shorter),
    'both-forms-member',
    `"${shorter}" and "${longer}" both define who gets the flag`,
    'write one of the two; a share of everybody can also be a condition: rest: { rollout_percentage: 10 }',
  )
}

function missingRelease(short: ShortForm): FilterProblem {
  const names = Object.keys(short).map(name => JSON.stringify(name))
  return filterError(
    '',
    'missing-release',
    `${names.join(' and ')} without a "release" would mean everybody`,
    everybodyOrNobody,
  )
}

function badName(name: string, pointer: string): FilterProblem {
  return filterError(
    pointer,
    'condition-name-member',
    `${JSON.stringify(name)} cannot be the name of a condition`,
    'a name consists of small letters, digits, "_" and "-", and starts with a letter',
  )
}

function lostOrder(key: string): FilterProblem {
  return filterError(
    pointerTo('/variants', key),
    'variant-order-member',
    `a map does not keep the order of a variant with a key such as ${JSON.stringify(key)}, and the order decides who gets which variant`,
    `write a list: [{ key: ${JSON.stringify(key)}, rollout_percentage: ... }]`,
  )
}

/** The position of the nearest ancestor that has one, plus the remaining path. */
function placeIn(places: ReadonlyMap<string, string>, pointer: string): string {
  const known = places.get(pointer)
  if (known !== undefined) return known
  const cut = pointer.lastIndexOf('/')
  return cut < 0 ? '' : placeIn(places, pointer.slice(0, cut)) + pointer.slice(cut)
}

function insideOf(
  short: ShortForm,
  places: ReadonlyMap<string, string>,
  pointer: string,
): string | undefined {
  const here = [...places].filter(([, place]) => place === pointer).map(([inside]) => inside)
  // A percentage of everybody stands for the whole release in any live form; other short spellings follow
  // their members.
  const isShare = attributeOf('filters', pointer.slice(1))?.shortFor !== undefined
  const isInside = (one: string, other: string) => one.startsWith(`${other}/`)
  const meant = here.filter(
    one => !here.some(other => (isShare ? isInside(other, one) : isInside(one, other))),
  )
  if (here.length > 0) return meant.length === 1 ? meant[0] : undefined
  const cut = pointer.lastIndexOf('/')
  if (cut <= 0 || getAt(short, pointer) === undefined) return undefined
  const around = insideOf(short, places, pointer.slice(0, cut))
  return around === undefined ? undefined : around + pointer.slice(cut)
}

export interface ConditionPlace {
  readonly pointer: string
  /** Its place in the filters. */
  readonly at: string
  readonly index: number
  /** The group type that the flag counts; null for persons. */
  readonly groupTypeOfFlag: Json
}

/** A condition in the form of filters. */
function expandCondition(written: JsonObject, place: ConditionPlace, expanding: Expanding): Json {
  const { pointer, at, index, groupTypeOfFlag } = place
  const { places, problems, names, context } = expanding
  const condition = withGroupType(written, pointer, expanding)
  const wire: Record<string, Json> = {}
  for (const [name, attribute] of rowsOf('condition')) {
    const [member] = attribute.at
    places?.set(pointerTo(at, member), pointerTo(pointer, name))
    const value = condition[name]
    if (value !== undefined) wire[member] = value
  }
  if (condition !== written)
    places?.set(pointerTo(at, 'aggregation_group_type_index'), pointerTo(pointer, 'group_type'))
  const { properties, audience } = condition
  if (!isGiven(properties) && audience === undefined) return wire
  const groupType = condition.group_type_index ?? groupTypeOfFlag
  const shared =
    audience === undefined
      ? undefined
      : expandAudience(audience, groupType, pointerTo(pointer, 'audience'), context)
  const own = isGiven(properties)
    ? expandProperties(properties, groupType, pointerTo(pointer, 'properties'), context.numberOf)
    : noProperties
  if (shared) {
    const { name, parts, isBroken } = shared
    const count = shared.properties.length
    expanding.audiences.push({ name, condition: index, properties: count, parts, isBroken })
    problems.push(...shared.problems)
  }
  problems.push(...own.problems)
  names.push(...own.names)
  const expanded = shared ? [...shared.properties, ...own.properties] : own.properties
  wire.properties = expanded.map(({ property }) => property)
  if (places) placeProperties(expanded, pointerTo(at, 'properties'), places)
  // While a name is unknown, the condition is for nobody.
  const isKnown = !shared?.isBroken && own.names.every(({ number }) => number !== undefined)
  return isKnown ? wire : { ...wire, rollout_percentage: 0 }
}

const noProperties: ExpandedProperties = { properties: [], problems: [], names: [] }

function withGroupType(members: JsonObject, pointer: string, { problems, names, context }: Expanding) {
  return withTypeNumber(members, pointer, { problems, names, numberOf: context.numberOf })
}

function placeProperties(
  properties: readonly ExpandedProperty[],
  at: string,
  places: Map<string, string>,
): void {
  properties.forEach(({ property, pointer, isFull }, index) => {
    const one = pointerTo(at, index)
    places.set(one, pointer)
    // A short spelling is a single position.
    if (isFull || !isJsonObject(property)) return
    for (const name of Object.keys(property)) places.set(pointerTo(one, name), pointer)
  })
}

export interface ExpandedAudience {
  readonly name: string
  readonly properties: readonly ExpandedProperty[]
  readonly parts: readonly AudiencePart[]
  readonly problems: readonly FilterProblem[]
  /** Whether the people of the audience are unknown. */
  readonly isBroken: boolean
}

/** The properties that a condition takes from its audience. Their position is the name of the audience. */
function expandAudience(
  written: Json,
  groupType: Json,
  pointer: string,
  { audience, audienceHint }: ShortContext,
): ExpandedAudience {
  const name = typeof written === 'string' ? written : ''
  const broken = (...problems: FilterProblem[]) => ({
    name,
    properties: [],
    parts: [],
    problems,
    isBroken: true,
  })
  if (typeof written !== 'string')
    return broken(
      filterError(pointer, 'wrong-shape', 'the audience must be a name, as text', hintFor(written)),
    )
  const shared = audience(written)
  if (!shared)
    return broken(
      filterError(
        pointer,
        'unknown-audience',
        `${JSON.stringify(written)} is not an audience`,
        audienceHint(written),
      ),
    )
  if (shared.isBroken) return broken()
  if (shared.groupType !== undefined && !isSameJson(shared.groupType, groupType))
    return broken(otherGroups(written, shared.groupType, groupType, pointer))
  const properties = shared.properties.map(property => ({ property, pointer, isFull: false }))
  return { name, properties, parts: shared.parts, problems: [], isBroken: false }
}

function hintFor(written: Json): string {
  return isJsonArray(written)
    ? 'to accept any of several audiences, write a condition for each; to require all of them, declare an audience that builds on another'
    : 'write the name of one audience'
}

function otherGroups(name: string, theirs: Json, ours: Json, pointer: string): FilterProblem {
  const message = `the audience ${JSON.stringify(name)} contains ${counted(theirs)}, but ${counted(ours)} are counted here`
  const hint =
    theirs === null
      ? 'use an audience of these groups, or count persons here'
      : `write "group_type_index: ${JSON.stringify(theirs)}" next to it, or use an audience of persons`
  return filterError(pointer, 'audience-groups', message, hint)
}

function counted(groupType: Json): string {
  return groupType === null ? 'persons' : `groups of type ${JSON.stringify(groupType)}`
}

/** A property in the form of filters, with its position in the short form. */
interface ExpandedProperty {
  readonly property: Json
  readonly pointer: string
  /** Whether the source has the full form, so that its members have positions. */
  readonly isFull: boolean
}

interface ExpandedProperties {
  readonly properties: readonly ExpandedProperty[]
  readonly problems: readonly FilterProblem[]
  /** The names of cohorts and group types in these properties. */
  readonly names: readonly UsedName[]
}

/**
 * The properties of a condition.
 *
 * | written                    | is                                                              |
 * |----------------------------|-----------------------------------------------------------------|
 * | `country: DE`              | `exact`                                                         |
 * | `country: [DE, AT]`        | `exact`, one of them                                            |
 * | `version: { gte: "2.10" }` | one property for each operator                                  |
 * | `plan: { is_set: true }`   | an operator that takes no value                                 |
 * | `cohort: { in: 42 }`       | membership of a cohort, by its number or its name; also `not_in` |
 * | a list                     | properties as `filters` have them: cohorts and other flags, too |
 *
 * They are those of persons, or of groups if the condition counts groups of `groupType`.
 */
export function expandProperties(
  written: Json,
  groupType: Json,
  pointer: string,
  numberOf: NumberOf = nothingShared.numberOf,
): ExpandedProperties {
  // Filled in a loop for speed: a repository has tens of thousands of properties, most of them with one
  // value.
  const expanded: ExpandingProperties = { properties: [], problems: [], names: [], numberOf }
  if (isJsonArray(written)) {
    for (const [index, property] of written.entries())
      expandFull(property, pointerTo(pointer, index), expanded)
    return expanded
  }
  if (!isJsonObject(written)) {
    const message = 'properties must be a list, or a map from each property to its value'
    expanded.problems.push(filterError(pointer, 'wrong-shape', message))
    return expanded
  }
  const of = ofWhat(groupType)
  for (const [key, value] of Object.entries(written))
    expandProperty({ key, of, pointer: pointerTo(pointer, key) }, value, expanded)
  return expanded
}

interface ExpandingProperties {
  readonly properties: ExpandedProperty[]
  readonly problems: FilterProblem[]
  readonly names: UsedName[]
  readonly numberOf: NumberOf
}

interface Compared {
  readonly key: string
  /** The object with these properties. */
  readonly of: JsonObject
  readonly pointer: string
}

function ofWhat(groupType: Json): JsonObject {
  return groupType === null ? { type: 'person' } : { type: 'group', group_type_index: groupType }
}

/** A property in the form of filters, with numbers in place of names. */
function expandFull(written: Json, pointer: string, expanded: ExpandingProperties): void {
  const { properties } = expanded
  if (!isJsonObject(written)) {
    properties.push({ property: written, pointer, isFull: true })
    return
  }
  let property = written
  if (written.type === 'cohort' && isName(written.value)) {
    const value = numberAt('cohort', written.value, pointerTo(pointer, 'value'), expanded)
    property = { ...property, value }
  }
  properties.push({ property: withTypeNumber(property, pointer, expanded), pointer, isFull: true })
}

function expandProperty({ key, of, pointer }: Compared, written: Json, expanded: ExpandingProperties): void {
  if (!isJsonObject(written)) {
    expanded.properties.push({
      property: { key, ...of, operator: 'exact', value: written },
      pointer,
      isFull: false,
    })
    return
  }
  const entries = Object.entries(written)
  if (entries.length === 0) {
    const hint = 'write a value, or an operator: { icontains: ... }'
    const message = `${JSON.stringify(key)} has neither a value nor an operator`
    expanded.problems.push(filterError(pointer, 'empty-value', message, hint))
  }
  for (const [operator, value] of entries) {
    const at = pointerTo(pointer, operator)
    if (isMembership(key, operator)) expandMembership(operator, value, at, expanded)
    else compare({ key, of, pointer: at }, operator, value, expanded)
  }
}

/** Whether the property is a membership of a cohort; properties of persons do not have these operators. */
function isMembership(key: string, operator: string): boolean {
  return key === 'cohort' && memberships.has(operator)
}

const memberships = new Set(['in', 'not_in'])

function expandMembership(
  operator: string,
  written: Json,
  pointer: string,
  expanded: ExpandingProperties,
): void {
  if (!isJsonNumber(written) && typeof written !== 'string') {
    const hint = 'for several values, write a list of properties, or conditions'
    const message = 'a cohort must be a name or a number'
    expanded.problems.push(filterError(pointer, 'wrong-shape', message, hint))
    return
  }
  const value = isName(written) ? numberAt('cohort', written, pointer, expanded) : written
  const property = { key: 'id', type: 'cohort', operator, value }
  expanded.properties.push({ property, pointer, isFull: false })
}

function isName(value: Json | undefined): value is string {
  return typeof value === 'string' && !isNumberText(value)
}

/** The number of a name, or the name itself if the number is unknown. */
function numberAt(
  thing: UsedName['thing'],
  name: string,
  pointer: string,
  { names, numberOf }: ExpandingProperties,
): Json {
  const number = numberOf(thing, name)
  names.push({ thing, name, number, pointer })
  return number ?? name
}

function compare(
  { key, of, pointer }: Compared,
  operator: string,
  value: Json,
  expanded: ExpandingProperties,
): void {
  const isAlone = takesNothing(operator)
  if (isAlone && value !== true) {
    const message = `the operator ${JSON.stringify(operator)} does not take a value`
    expanded.problems.push(filterError(pointer, 'no-value', message, `write ${operator}: true`))
    return
  }
  const property = isAlone ? { key, ...of, operator } : { key, ...of, operator, value }
  expanded.properties.push({ property, pointer, isFull: false })
}

function takesNothing(operator: string): boolean {
  return isOperatorName(operator) && operators[operator].value === 'none'
}
