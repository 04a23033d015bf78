import { fieldOfFile, sourceField, tagMemberNames } from '../../model/field.ts'
import { type DeclarableKind, targetingField } from '../../model/kind.ts'
import { isJsonArray, isJsonObject, isSameJson, type Json, type JsonObject } from '../../model/text/json.ts'
import { isUuid } from '../../model/text/json-shape.ts'
import { listSome, Suggestions } from '../../model/text/names.ts'
import { pointerOf, segmentsOf } from '../../model/text/pointer.ts'
import { type FilterProblem, filterError } from '../../targeting/check/filter-problem.ts'
import {
  type ExpandedShort,
  expandFilters,
  expandShort,
  type MeantFilters,
} from '../../targeting/short/expand-short.ts'
import { mergeShort } from '../../targeting/short/merge-short.ts'
import {
  namesOfConditions,
  type SharedAudience,
  type ShortContext,
  shortMembers,
} from '../../targeting/short/short-form.ts'
import {
  type DeclarationFile,
  type ExpandedLayer,
  type FileDeclarations,
  isFilledIn,
  type Layer,
  type ObjectDeclaration,
  type SharedPlace,
} from '../declaration.ts'
import type { Environment } from '../settings.ts'
import { numberIn } from './names.ts'

/** A declaration in one environment: its overrides are merged over it, value by value. */
export interface Effective {
  readonly layer: Layer
  readonly ensure: 'present' | 'absent'
}

/** Undefined if the declaration skips the object in this environment. */
export function effectiveIn(declaration: ObjectDeclaration, { name }: Environment): Effective | undefined {
  const { base } = declaration
  if (!belongsTo(declaration, name)) return undefined
  if (isSkipped(declaration, { name })) return undefined
  const override = name === undefined ? undefined : declaration.environments.get(name)
  const ensure = override?.ensure ?? base.ensure ?? 'present'
  if (!override) return { layer: base, ensure }
  const tagMembers = { ...base.tagMembers, ...override.tagMembers }
  return {
    layer: { ...base, ...override, fields: { ...base.fields, ...override.fields }, tagMembers },
    ensure,
  }
}

/** The layers that may declare a value in an environment: the first layer with a value decides. */
export function layersIn(
  { base, environments }: ObjectDeclaration,
  name: string | undefined,
): readonly Layer[] {
  const override = name === undefined ? undefined : environments.get(name)
  return override ? [override, base] : [base]
}

export function isSkipped({ environments }: ObjectDeclaration, { name }: Pick<Environment, 'name'>): boolean {
  return name !== undefined && environments.get(name)?.skip === true
}

/** Whether a declaration's `only` includes this environment. */
export function belongsTo({ only }: Pick<ObjectDeclaration, 'only'>, name: string | undefined): boolean {
  return only === undefined || (name !== undefined && only.has(name))
}

/**
 * The fields of a declaration that contain a value of an environment variable, in the declaration, in its
 * override or in an audience. With the same files, another machine may declare another value.
 */
export function fieldsFromEnvironment(
  declaration: ObjectDeclaration,
  layer: Layer,
  { name: environment }: Environment,
): string[] {
  const { kind, file } = declaration
  // Usually there is none, and this runs for all objects of a repository.
  if (file.secrets.size === 0 && !layer.expanded?.audiences.length) return []
  const layers = layersIn(declaration, environment)
  const isFilled = (member: string) =>
    layers.some(({ pointer }) => isFilledIn(file, `${pointer}${pointerOf(member)}`))
  const fields = Object.keys(layer.fields).filter(
    field =>
      membersOf(kind, field).some(isFilled) || (field === layer.expanded?.field && hasFilledAudience(layer)),
  )
  const isFileFilled = (name: string) =>
    layers.some(({ pointer }) => isFilledIn(file, `${pointer}${pointerOf(sourceField, name)}`))
  const files = Object.keys(layer.files ?? {}).filter(isFileFilled)
  return [...fields, ...files.map(fieldOfFile)]
}

/** The members of a declaration that define a field. */
function membersOf(kind: DeclarableKind, field: string): readonly string[] {
  if (field === targetingField(kind)) return [field, ...shortMembers]
  return field === kind.lifecycle.ownedBy ? [field, ...tagMemberNames] : [field]
}

function hasFilledAudience({ expanded }: Layer): boolean {
  return (expanded?.audiences ?? []).some(({ condition, parts }) => {
    const count = parts.reduce((sum, { properties }) => sum + properties, 0)
    return Array.from({ length: count }, (_, index) =>
      expanded?.sharedAt(pointerOf('groups', condition, 'properties', index)),
    ).some(shared => shared !== undefined && isFilledIn(shared.file, shared.pointer))
  })
}

export interface ResolvedRole {
  readonly id: string
  /** The name of the role, if known. */
  readonly label: string
}

/** The role for a name or UUID in an environment. */
export function resolveRole(role: string, { roles }: Pick<Environment, 'roles'>): ResolvedRole | undefined {
  const name = role.trim()
  if (Object.hasOwn(roles, name)) return { id: roles[name] ?? '', label: name }
  const id = name.toLowerCase()
  if (!isUuid(id)) return undefined
  const label = Object.keys(roles).find(candidate => roles[candidate] === id)
  return { id, label: label ?? id }
}

export interface ShortOptions {
  /** The environments of the settings, at least one. */
  readonly environments: readonly Environment[]
  readonly audiences: Audiences
}

/**
 * The same declarations with filters in place of the short form: in the declaration, and in each override
 * with a short form, merged with the shared part. If a shared name has another meaning in one environment,
 * that environment gets an override with the result.
 */
export function expandShortLayers(
  { objects, grants }: FileDeclarations,
  options: ShortOptions,
): FileDeclarations {
  return { objects: objects.map(one => expandObject(one, options)), grants }
}

export function expandObject(declaration: ObjectDeclaration, options: ShortOptions): ObjectDeclaration {
  const { kind, base, environments } = declaration
  const field = targetingField(kind)
  if (field === undefined) return declaration
  // Most have no short form, and no overrides.
  if (environments.size === 0 && base.short === undefined) return declaration
  const layers = [base, ...environments.values()]
  if (layers.every(({ short }) => short === undefined)) return declaration
  const isMixed = layers.some(({ fields }) => fields[field] !== undefined)
  const { audiences } = options
  const expand = (layer: Layer, environment: string | undefined) =>
    layer.short ? expandLayer(field, base, layer, audiences.contextIn(environment), isMixed) : layer
  const taking = takingBase(declaration, field, options)
  const shared = expand(base, taking[0]?.name)
  // Nearly all flags are equal in all environments.
  if (environments.size === 0 && !usesNames(shared)) return { ...declaration, base: shared }
  const own = [...environments].map(([name, layer]) => [name, expand(layer, name)] as const)
  const differing = audiences.vary && usesNames(shared) ? taking.slice(1) : []
  const synthesized = differing.flatMap(({ name = '' }) => {
    const { fields, expanded } = expand(base, name)
    if (!expanded || isSame(shared, { fields, expanded }, field)) return []
    const override = environments.get(name) ?? { pointer: base.pointer, members: {}, fields: {} }
    const value = fields[field] ?? null
    return [[name, { ...override, fields: { ...override.fields, [field]: value }, expanded }] as const]
  })
  return { ...declaration, base: shared, environments: new Map<string, Layer>([...own, ...synthesized]) }
}

function usesNames({ expanded }: Layer): boolean {
  return expanded !== undefined && expanded.audiences.length + expanded.names.length > 0
}

/** The environments in which the shared part decides who gets the flag. */
function takingBase(
  declaration: ObjectDeclaration,
  field: string,
  { environments }: ShortOptions,
): readonly Environment[] {
  return environments.filter(({ name }) => {
    const override = name === undefined ? undefined : declaration.environments.get(name)
    const isReplaced = override?.short !== undefined || override?.fields[field] !== undefined
    return belongsTo(declaration, name) && !isReplaced && !override?.skip
  })
}

function isSame(
  one: Pick<Layer, 'fields' | 'expanded'>,
  other: Pick<Layer, 'fields' | 'expanded'>,
  field: string,
): boolean {
  return (
    one.expanded?.isBroken === other.expanded?.isBroken &&
    isSameJson(one.fields[field] ?? null, other.fields[field] ?? null)
  )
}

/** The pointer in the file for a pointer inside the fields of a layer. */
export function placeInFile(
  { pointer, expanded }: Pick<Layer, 'pointer' | 'expanded'>,
  inside: string,
): string {
  if (!expanded) return pointer + inside
  const field = pointerOf(expanded.field)
  return inside === field || inside.startsWith(`${field}/`)
    ? expanded.placeOf(inside.slice(field.length))
    : pointer + inside
}

/** The place in an audience for a pointer inside the fields of a layer, if an audience declares it. */
export function sharedPlace({ expanded }: Pick<Layer, 'expanded'>, inside: string): SharedPlace | undefined {
  if (!expanded || expanded.audiences.length === 0) return undefined
  const field = pointerOf(expanded.field)
  return inside.startsWith(`${field}/`) ? expanded.sharedAt(inside.slice(field.length)) : undefined
}

/** Whether a member of a declaration is merged with its override. */
export function isMergedMember(kind: DeclarableKind, name: string): boolean {
  return targetingField(kind) !== undefined && shortMembers.includes(name)
}

/** A pointer into a layer's fields, for one that may lead into its short form: `/release/rest/rollout_percentage`. */
export function fieldPointer({ expanded }: Pick<Layer, 'expanded'>, pointer: string): string {
  const [member = ''] = segmentsOf(pointer)
  if (!expanded || !shortMembers.includes(member)) return pointer
  const inside = expanded.insideOf(pointer)
  return inside === undefined ? pointer : pointerOf(expanded.field) + inside
}

/** The names that the short form may use in one environment, and their positions. */
interface LayerContext extends ShortContext {
  /** The place in an audience for a pointer inside its filters. */
  readonly placeIn: (
    audience: string,
    inside: string,
  ) => { readonly file: DeclarationFile; readonly pointer: string } | undefined
}

/** A layer with the expanded short form, merged with that of the shared part. */
function expandLayer(
  field: string,
  base: Layer,
  layer: Layer,
  context: LayerContext,
  /** Whether another layer uses the long form. */
  isMixed = false,
): Layer {
  const sources = layer === base ? [base] : [base, layer]
  const merged = mergeShort(sources.map(({ short = {} }) => short))
  const meant = expandFilters(merged.value, context)
  const inFile = (pointer: string) => shortPlace(sources[merged.layerOf(pointer)] ?? layer, pointer)
  const problems = [
    ...(isMixed ? [bothForms(field, layer)] : []),
    ...merged.problems.map(({ layer: number, ...problem }) => ({
      ...problem,
      pointer: shortPlace(sources[number] ?? layer, problem.pointer),
    })),
    ...meant.problems.map(problem => ({ ...problem, pointer: inFile(problem.pointer) })),
  ]
  // Few flags of a repository need a position, so positions are computed on demand.
  let places: ExpandedShort | undefined
  const placed = () => {
    places ??= expandShort(merged.value, context)
    return places
  }
  const expanded: ExpandedLayer = {
    field,
    problems,
    audiences: meant.audiences,
    isBroken: problems.length > 0 || meant.isBroken,
    get conditionNames() {
      return namesOfConditions(merged.value)
    },
    get names() {
      return meant.names.map(named => ({ ...named, pointer: inFile(named.pointer) }))
    },
    placeOf: inside => inFile(placed().placeOf(inside)),
    insideOf: pointer => placed().insideOf(pointer),
    sharedAt: inside => placeOfLayer(meant, inside, context),
  }
  return { ...layer, fields: { ...layer.fields, [field]: layer.fields[field] ?? meant.filters }, expanded }
}

/** The pointer in the file for a pointer inside the short form of a layer. */
export function shortPlace({ pointer, placeOf }: Layer, inside: string): string {
  return placeOf ? placeOf(inside) : pointer + inside
}

function placeOfLayer(
  { audiences }: MeantFilters,
  inside: string,
  { placeIn }: LayerContext,
): SharedPlace | undefined {
  if (audiences.length === 0) return undefined
  const [groups, condition, properties, property, ...members] = segmentsOf(inside)
  if (groups !== 'groups' || properties !== 'properties') return undefined
  const used = audiences.find(each => String(each.condition) === condition)
  const index = Number(property)
  if (!used || !(index < used.properties)) return undefined
  const place = placeIn(used.name, pointerOf('groups', 0, 'properties', index, ...members))
  return place && { audience: used.name, ...place }
}

function bothForms(field: string, { pointer, short = {} }: Layer): FilterProblem {
  const [member = ''] = Object.keys(short)
  return filterError(
    pointer + pointerOf(member),
    'both-forms-member',
    `"${member}" and "${field}" both define who gets the flag`,
    'use the same form in all environments',
  )
}

/** The longest chain of audiences that build on each other. */
export const mostChained = 100

/** The audiences of all files of a repository. */
export class Audiences {
  readonly declared: readonly ObjectDeclaration[]
  readonly #byName: ReadonlyMap<string, ObjectDeclaration>
  /** Whether a name may have different meanings in different environments. */
  readonly vary: boolean
  readonly #environments: readonly Environment[]
  readonly #contexts = new Map<string | undefined, LayerContext>()
  readonly #suggestions: Suggestions

  constructor(declared: readonly ObjectDeclaration[], environments: readonly Environment[]) {
    this.declared = declared
    this.#environments = environments
    this.vary =
      declared.some(one => one.environments.size > 0) ||
      environments.some(one => !isSameJson(numbersOf(one), numbersOf(environments[0] ?? one)))
    // If several have one name, which is a problem, the first counts.
    this.#byName = new Map([...declared].reverse().map(one => [one.identity, one]))
    this.#suggestions = new Suggestions([...this.#byName.keys()])
  }

  get(name: string): ObjectDeclaration | undefined {
    return this.#byName.get(name)
  }

  /** The meaning of names in an environment; in an unknown environment, names have no meaning. */
  contextIn(environment: string | undefined): LayerContext {
    const known = this.#contexts.get(environment)
    if (known) return known
    const made = this.#newContext(environment)
    this.#contexts.set(environment, made)
    return made
  }

  #newContext(environment: string | undefined): LayerContext {
    const found = new Map<string, Found>()
    const open = new Set<string>()
    const find = (name: string): Found | undefined => {
      const known = found.get(name)
      if (known) return known
      const declaration = this.#byName.get(name)
      if (!declaration) return undefined
      // A separate check reports cycles and chains that are too long.
      if (open.has(name) || open.size >= mostChained) return { shared: broken }
      open.add(name)
      const layer = expandAudience(declaration, environment, context)
      open.delete(name)
      const made = { shared: sharedBy(name, layer), layer, declaration }
      found.set(name, made)
      return made
    }
    const numbers = this.#environments.find(({ name }) => name === environment)
    const context: LayerContext = {
      numberOf: (thing, name) => numbers && numberIn(numbers, thing, name),
      audience: name => find(name)?.shared,
      audienceHint: name => this.#hint(name),
      placeIn: (name, inside) => {
        const { layer, declaration } = find(name) ?? {}
        if (!layer?.expanded || !declaration) return undefined
        const further = layer.expanded.sharedAt(inside)
        return further ?? { file: declaration.file, pointer: layer.expanded.placeOf(inside) }
      },
    }
    return context
  }

  #hint(name: string): string {
    const names = [...this.#byName.keys()]
    const listed =
      names.length === 0
        ? 'declare the audience under "audiences", in any file'
        : `there are: ${listSome(names, 'and')}; declare others under "audiences", in any file`
    return this.#suggestions.hint(name, listed)
  }
}

function numbersOf({ cohorts, groupTypes }: Environment): JsonObject {
  return { cohorts, groupTypes }
}

interface Found {
  readonly shared: SharedAudience
  readonly layer?: Layer
  readonly declaration?: ObjectDeclaration
}

const broken: SharedAudience = { properties: [], parts: [], groupType: null, isBroken: true }

function expandAudience(
  { kind, base, environments }: ObjectDeclaration,
  environment: string | undefined,
  context: LayerContext,
): Layer {
  const layer = (environment === undefined ? undefined : environments.get(environment)) ?? base
  return expandLayer(targetingField(kind) ?? '', base, layer, context)
}

function sharedBy(name: string, { fields, expanded }: Layer): SharedAudience {
  if (!expanded || expanded.isBroken) return broken
  const filters = fields[expanded.field] ?? null
  const properties = propertiesIn(filters)
  // An audience without properties would mean everybody.
  if (properties.length === 0) return broken
  const groupType = isJsonObject(filters) ? (filters.aggregation_group_type_index ?? null) : null
  const [base] = expanded.audiences
  const own = properties.length - (base?.properties ?? 0)
  const parts = [...(base?.parts ?? []), ...(own > 0 ? [{ audience: name, properties: own }] : [])]
  return { properties, parts, groupType, isBroken: false }
}

/** The properties of the single condition of an audience. */
export function propertiesIn(filters: Json): readonly Json[] {
  const groups = isJsonObject(filters) ? (filters.groups ?? null) : null
  const [condition = null] = isJsonArray(groups) ? groups : []
  const properties = isJsonObject(condition) ? (condition.properties ?? null) : null
  return isJsonArray(properties) ? properties : []
}
