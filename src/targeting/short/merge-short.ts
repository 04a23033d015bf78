import {
  canonicalText,
  isJsonArray,
  isJsonNumber,
  isJsonObject,
  isSameJson,
  type Json,
  type JsonObject,
  pickMembers,
} from '../../model/text/json.ts'
import { writeJson } from '../../model/text/json-text.ts'
import { pointerOf, segmentsOf } from '../../model/text/pointer.ts'
import { canonicalFilters } from '../canonical-filters.ts'
import { type FilterProblem, filterError, pointerTo } from '../check/filter-problem.ts'
import { align } from '../compare/align.ts'
import { canonicalProperty } from '../compare/meaning.ts'
import { withTypeName } from '../describe.ts'
import { expandProperties, expandShort } from './expand-short.ts'
import {
  elementsOf,
  everybodyOrNobody,
  hasNull,
  namesAlone,
  releaseMembersIn,
  type ShortForm,
} from './short-form.ts'

/** Layers of the short form merged over each other. */
export interface MergedShort {
  readonly value: ShortForm
  /** The index of the layer that a place comes from; if several contributed, the last one. */
  readonly layerOf: (pointer: string) => number
  readonly problems: readonly ShortProblem[]
}

/** A problem in the short form. The pointer is inside its layer: `/release/staff/variant`. */
export interface ShortProblem extends FilterProblem {
  readonly layer: number
}

/**
 * Merges each layer over the previous ones: maps by member, lists and single values as a whole; null removes.
 * Added members go last, in their order. A null that removes nothing is a problem, except inside a payload:
 * it may be a misspelt name, and the release stays wider than intended. A release in one form over a release
 * in another form is a problem too.
 */
export function mergeShort(layers: readonly ShortForm[]): MergedShort {
  const [only] = layers
  // Nearly all flags are the same in all environments.
  if (layers.length === 1 && only && !hasNull(only)) return { value: only, layerOf: () => 0, problems: [] }
  const origins = new Map<string, number>()
  const completed = new Map<string, number>()
  const problems: ShortProblem[] = []
  const merge = (below: Json | undefined, above: Json, pointer: string, layer: number): Json => {
    const over = inKind(below, above, pointer)
    const isMerged = isJsonObject(over) && isJsonObject(below)
    if (isMerged) completed.set(pointer, layer)
    else replace(origins, pointer, layer)
    if (!isJsonObject(over)) return over
    const members = new Map(Object.entries(isMerged ? below : {}))
    for (const [name, member] of Object.entries(over)) {
      const at = pointerTo(pointer, name)
      if (member !== null) {
        members.set(name, merge(members.get(name), member, at, layer))
        continue
      }
      if (members.delete(name)) {
        replace(origins, at, layer)
        continue
      }
      // Only a payload may contain a null.
      if (isInPayload(at)) members.set(name, member)
      else problems.push(removesNothing(at, layer))
    }
    return Object.fromEntries(members)
  }
  const value = layers.reduce<ShortForm>((below, above, layer) => {
    // Layers are objects, and so is their result.
    const merged = merge(below, above, '', layer) as JsonObject
    const [shared] = releaseMembersIn(below)
    if (shared !== undefined && releaseMembersIn(merged).length === 0) {
      problems.push({ ...takesAll(shared), layer })
      return { ...merged, [shared]: below[shared] ?? null }
    }
    const beside = besideShared(merged, above)
    if (!beside) return merged
    problems.push({ ...beside.problem, layer })
    return pickMembers(merged, (_, name) => name !== beside.shared)
  }, {})
  return {
    value,
    layerOf: pointer => completed.get(pointer) ?? nearest(origins, pointer),
    problems,
  }
}

/** A variant written as a plain number changes only its percentage; its name and other members stay. */
function inKind(below: Json | undefined, above: Json, pointer: string): Json {
  if (!isJsonNumber(above) || !isJsonObject(below)) return above
  const [member, ...inside] = segmentsOf(pointer)
  return member === 'variants' && inside.length === 1 ? { rollout_percentage: above } : above
}

function takesAll(shared: string): FilterProblem {
  const message = 'nothing defines who gets the flag here, which would mean everybody'
  return filterError(pointerTo('', shared), 'missing-release', message, everybodyOrNobody)
}

/** The two layers use different forms. Vexil does not guess which one is intended. */
function besideShared(
  merged: ShortForm,
  above: ShortForm,
): { readonly shared: string; readonly problem: FilterProblem } | undefined {
  const shared = releaseMembersIn(merged).find(name => above[name] === undefined)
  const [member] = releaseMembersIn(above).filter(name => above[name] !== null)
  if (shared === undefined || member === undefined) return undefined
  const message = `"${member}" and the shared "${shared}" both define who gets the flag`
  const [last] = elementsOf(merged[shared] ?? null).slice(-1)
  const percent = isJsonNumber(above[member]) ? canonicalText(above[member]) : '...'
  const ofCondition =
    typeof last?.[0] === 'string' && member !== 'release'
      ? `override a condition, "${shared}: { ${last[0]}: { ${member}: ${percent} } }", or   `
      : ''
  const hint = `${ofCondition}write "${shared}: null" next to it to replace the shared value`
  return { shared, problem: filterError(pointerTo('', member), 'both-forms-member', message, hint) }
}

function isInPayload(pointer: string): boolean {
  const [member, , ...inside] = segmentsOf(pointer)
  return member === 'payloads' && inside.length > 0
}

function removesNothing(pointer: string, layer: number): ShortProblem {
  const message = 'null removes a shared value, and there is no shared value to remove'
  const hint =
    pointer === '/rollout_percentage'
      ? 'remove it, or write 100 to mean everybody'
      : pointer.endsWith('/rollout_percentage')
        ? 'remove it, or write 100, to mean everybody'
        : 'remove it'
  return { ...filterError(pointer, 'removes-nothing', message, hint), layer }
}

/** A place without a layer belongs to the first layer. */
function replace(origins: Map<string, number>, pointer: string, layer: number): void {
  if (layer === 0) return
  for (const known of origins.keys()) if (known.startsWith(`${pointer}/`)) origins.delete(known)
  origins.set(pointer, layer)
}

function nearest(origins: ReadonlyMap<string, number>, pointer: string): number {
  const segments = segmentsOf(pointer)
  for (let depth = segments.length; depth > 0; depth -= 1) {
    const layer = origins.get(pointerOf(...segments.slice(0, depth)))
    if (layer !== undefined) return layer
  }
  return 0
}

/**
 * The smallest override that turns one short form into another: over `shared`, it means the same as `wanted`.
 * Empty if they mean the same. Undefined if no override can do it, because added members go last: conditions
 * or variants have another order, or a condition would have to be inserted before others.
 *
 * Conditions are matched by name; if no name matches, by their properties, or by position.
 */
export function overrideFor(shared: ShortForm, wanted: ShortForm): ShortForm | undefined {
  if (meansTheSame(shared, wanted)) return {}
  const spellings = [
    ...(sharesName(shared, wanted) ? [() => wanted] : []),
    () => namedAs(shared, wanted),
    () => namedAs(shared, wanted, { byPosition: true }),
    () => wanted,
  ]
  for (const spelling of spellings) {
    const named = spelling()
    const override = swapsConditions(shared, named) ? undefined : overrideInNames(shared, named)
    if (override) return override
  }
  return undefined
}

/** Whether two short forms mean the same: equal text, or equal filters without problems in either. */
export function meansTheSame(left: ShortForm, right: ShortForm): boolean {
  if (writeJson(left) === writeJson(right)) return true
  const names = namesAlone()
  const [one, other] = [expandShort(left, names), expandShort(right, names)]
  return (
    !one.isBroken &&
    !other.isBroken &&
    isSameJson(canonicalFilters(one.filters), canonicalFilters(other.filters))
  )
}

function sharesName({ release: known = null }: ShortForm, { release = null }: ShortForm): boolean {
  if (!isJsonObject(known) || !isJsonObject(release)) return true
  return Object.keys(release).some(name => Object.hasOwn(known, name))
}

function overrideInNames(shared: ShortForm, wanted: ShortForm): ShortForm | undefined {
  const override = difference(shared, wanted, { path: [], groupType: groupTypeOf(wanted) }) ?? {}
  if (!isJsonObject(override) || movesCondition(shared, override)) return undefined
  const { value, problems } = mergeShort([shared, override])
  return problems.length === 0 && meansTheSame(value, wanted) ? override : undefined
}

/** Whether a removed condition is added again at the end. Such a condition would be moved and renamed. */
function movesCondition({ release: known = null }: ShortForm, { release = null }: ShortForm): boolean {
  if (!isJsonObject(known) || !isJsonObject(release)) return false
  const added = Object.entries(release).flatMap(([name, condition]) =>
    Object.hasOwn(known, name) ? [] : [condition],
  )
  return Object.entries(known).some(
    ([name, gone]) => release[name] === null && added.some(condition => asksTheSame(gone, condition)),
  )
}

/** Whether a name has the shared content of another name. If so, an override lists all conditions. */
function swapsConditions({ release: known = null }: ShortForm, { release = null }: ShortForm): boolean {
  if (!isJsonObject(known) || !isJsonObject(release)) return false
  return Object.entries(known).some(([name, before]) => {
    const after = release[name]
    if (after === undefined || asksTheSame(before, after)) return false
    return Object.values(known).some(other => asksTheSame(other, after))
  })
}

/** The same short form, with conditions named after similar ones of another short form. */
function namedAs(shared: ShortForm, wanted: ShortForm, options: AlignOptions = {}): ShortForm {
  const { release: known = null } = shared
  const { release = null } = wanted
  if (!isJsonObject(known) || !isJsonObject(release)) return wanted
  const names = Object.keys(known)
  const aligned = alignConditions(Object.values(known), Object.values(release), options)
  const taken = new Set(aligned.map(index => (index === undefined ? undefined : names[index])))
  const named = Object.entries(release).map(([name, condition], position) => {
    const index = aligned[position]
    if (index !== undefined) return [names[index] ?? name, condition] as const
    let free = name
    for (let number = 2; taken.has(free) || names.includes(free); number += 1) free = `${name}_${number}`
    taken.add(free)
    return [free, condition] as const
  })
  return { ...wanted, release: Object.fromEntries(named) }
}

interface Within {
  readonly path: readonly string[]
  /** The group type of the surrounding conditions, by number or name, if they have one. */
  readonly groupType: Json
}

/** The override that turns one value into another; undefined if they are equal. */
function difference(below: Json, wanted: Json, within: Within): Json | undefined {
  if (writeJson(below) === writeJson(wanted)) return undefined
  if (!isJsonObject(below)) return wanted
  // A number over a variant would keep the variant's name.
  const whole = isVariant(within) && isJsonNumber(wanted) ? { rollout_percentage: wanted } : wanted
  if (!isJsonObject(whole)) return wanted
  const replaced = inOnePiece(below, whole, within)
  if (replaced !== undefined) return replaced
  const override: Record<string, Json> = {}
  for (const name of Object.keys(below)) if (whole[name] === undefined) override[name] = null
  for (const [name, member] of Object.entries(whole)) {
    const known = below[name]
    const value = known === undefined ? member : difference(known, member, inside(within, name, member))
    if (value !== undefined) override[name] = value
  }
  const names = Object.keys(override)
  return names.length === 0
    ? undefined
    : isVariant(within) && names.join() === 'rollout_percentage'
      ? override.rollout_percentage
      : override
}

/** Parts that cannot be merged by member, in a spelling that replaces the lower layer. */
function inOnePiece(below: JsonObject, wanted: JsonObject, { path, groupType }: Within): Json | undefined {
  const [member, , part] = path
  if (member === 'release' && part === 'properties' && path.length === 3) {
    const kept = Object.keys(below).filter(name => wanted[name] !== undefined)
    const merged = [...kept, ...Object.keys(wanted).filter(name => below[name] === undefined)]
    if (merged.join('\n') === Object.keys(wanted).join('\n')) return undefined
    const { properties, problems } = expandProperties(wanted, groupType, '')
    return problems.length === 0 ? properties.map(({ property }) => withTypeName(property)) : undefined
  }
  if (member === 'payloads' && path.length === 2)
    return losesNull(below, wanted) ? writeJson(wanted) : undefined
  return undefined
}

/** Whether a null in the value would remove a lower value. */
function losesNull(below: Json, wanted: Json): boolean {
  if (!isJsonObject(below) || !isJsonObject(wanted)) return false
  return Object.entries(wanted).some(([name, member]) => {
    const known = below[name]
    if (known === undefined || writeJson(known) === writeJson(member)) return false
    return member === null || losesNull(known, member)
  })
}

function inside({ path, groupType }: Within, name: string, member: Json): Within {
  const isCondition = path.length === 1 && path[0] === 'release' && isJsonObject(member)
  const ofCondition = isCondition ? groupTypeOf(member) : null
  return { path: [...path, name], groupType: ofCondition ?? groupType }
}

/** The group type in members, by number or name. */
function groupTypeOf({ group_type, group_type_index }: JsonObject): Json {
  return group_type ?? group_type_index ?? null
}

function isVariant({ path }: Within): boolean {
  return path.length === 2 && path[0] === 'variants'
}

/** The most properties in a name. */
const mostParts = 2
/** The longest name, in characters. */
const longest = 40

/**
 * Names for conditions of filters, from their properties: `country_de`, `plan_and_country`, `cohort_12`. A
 * last condition without properties is `rest`, a single one `everyone`. Names do not contain percentages, so
 * a name stays the same while a release grows.
 */
export function conditionNames(conditions: readonly Json[]): string[] {
  const taken = new Set<string>()
  return conditions.map((condition, index) => {
    const name = nameOf(condition, index === conditions.length - 1 && index > 0)
    let free = name
    for (let number = 2; taken.has(free); number += 1) free = `${name}_${number}`
    taken.add(free)
    return free
  })
}

function nameOf(condition: Json, isLast: boolean): string {
  const properties = isJsonObject(condition) ? (condition.properties ?? null) : null
  const parts = isJsonArray(properties) ? properties.map(partOf) : []
  if (parts.length === 0) return isLast ? 'rest' : 'everyone'
  const [only] = parts
  const words =
    parts.length === 1 && only
      ? only.value === undefined
        ? only.key
        : `${only.key}_${only.value}`
      : parts
          .slice(0, mostParts)
          .map(({ key }) => key)
          .join('_and_')
  return asName(words)
}

interface Part {
  readonly key: string
  /** The compared value, if it is one short word. */
  readonly value?: string
}

function partOf(property: Json): Part {
  if (!isJsonObject(property)) return { key: '' }
  const { type, value = null, operator = 'exact' } = property
  const ofProperty = String(property.key ?? '')
  if (type === 'flag') return { key: `flag_${ofProperty}` }
  const key = type === 'cohort' ? 'cohort' : ofProperty
  const single = isJsonArray(value) && value.length === 1 ? (value[0] ?? null) : value
  const isWord =
    typeof single === 'number' ||
    (typeof single === 'string' && (type === 'cohort' ? single !== '' : /^[\w.-]{1,16}$/.test(single)))
  return isWord && (type === 'cohort' || operator === 'exact') ? { key, value: String(single) } : { key }
}

/** Small letters, digits and `_`, starting with a letter. */
function asName(words: string): string {
  const name = words
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[^a-z]+/, '')
    .slice(0, longest)
    .replace(/_+$/, '')
  return name === '' ? 'condition' : name
}

export interface AlignOptions {
  /** Whether conditions with different properties may be the same one, by position. */
  readonly byPosition?: boolean
}

/**
 * Matches each of the others with a known condition: its index, or undefined. Conditions may change places.
 * They are matched by all their content, by their properties, by the keys of their properties, or finally by
 * position.
 */
export function alignConditions(
  known: readonly Json[],
  others: readonly Json[],
  { byPosition = false }: AlignOptions = {},
): (number | undefined)[] {
  const partners = new Map(align(known, others, traces).pairs.map(({ before, after }) => [after, before]))
  return others.map((other, at) => {
    const index = partners.get(at)
    const isSame = index !== undefined && traces.some(trace => trace(known[index] ?? null) === trace(other))
    return byPosition || isSame ? index : undefined
  })
}

/** Whether two conditions have the same properties, whatever their percentages. */
export function asksTheSame(left: Json, right: Json): boolean {
  return askedText(left) === askedText(right)
}

/** The texts that conditions are matched by, from all their content to the keys of their properties. */
const traces = [canonicalText, askedText, keysText]

function askedText(condition: Json): string {
  if (!isJsonObject(condition)) return canonicalText(condition)
  const { properties = {}, ...others } = membersAsked(condition)
  const asked = isJsonArray(properties) ? properties.map(canonicalProperty) : properties
  return canonicalText({ ...others, properties: asked })
}

function keysText(condition: Json): string {
  if (!isJsonObject(condition)) return ''
  const { properties = {}, ...others } = membersAsked(condition)
  return canonicalText({ ...others, properties: keysOf(properties) })
}

function membersAsked(condition: JsonObject): JsonObject {
  return pickMembers(condition, (_, name) => !['rollout_percentage', 'description', 'variant'].includes(name))
}

function keysOf(properties: Json): string[] {
  if (!isJsonArray(properties)) return isJsonObject(properties) ? Object.keys(properties).sort() : []
  return properties
    .map(property => (isJsonObject(property) && typeof property.key === 'string' ? property.key : ''))
    .sort()
}
