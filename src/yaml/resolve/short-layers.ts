import { isSameJson } from '../../model/json/json.ts'
import { pointerOf, segmentsOf } from '../../model/json/pointer.ts'
import { type DeclarableKind, targetingField } from '../../model/kind.ts'
import type { UsedName } from '../../targeting/short/short-context.ts'
import { shortMembers } from '../../targeting/short/short-form.ts'
import type { FileDeclarations, Layer, ObjectDeclaration } from '../declaration.ts'
import type { SharedPlace } from '../expanded-layer.ts'
import type { Environment } from '../settings.ts'
import type { Audiences } from './audiences.ts'
import { belongsTo } from './effective.ts'
import { expandLayer } from './expand-layer.ts'
import type { UnknownNames } from './unknown-names.ts'

/** What the short form of a repository is read with. */
export interface ShortOptions {
  /** Those of the settings, one at least. */
  readonly environments: readonly Environment[]
  readonly audiences: Audiences
  /** Undefined where the settings cannot be read, so that no name is known. */
  readonly unknownNames: UnknownNames | undefined
}

/**
 * The same declarations with filters in place of the short form: in the declaration itself, and in each of its overrides that
 * says something in the short form, merged with what is shared. Where what is shared names something that is another in some
 * environment, that environment has it among its overrides.
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
  // Most say nothing in the short form, nor anything of an environment.
  if (environments.size === 0 && base.short === undefined) return declaration
  const layers = [base, ...environments.values()]
  if (layers.every(({ short }) => short === undefined)) return declaration
  const isMixed = layers.some(({ fields }) => fields[field] !== undefined)
  const { audiences } = options
  const expand = (layer: Layer, environment: string | undefined) =>
    layer.short ? expandLayer({ field, base, layer, isMixed }, audiences.contextIn(environment)) : layer
  const taking = takingBase(declaration, field, options)
  const shared = expand(base, taking[0]?.name)
  // Nearly all flags say the same everywhere.
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
  return withUnknownNames(
    { ...declaration, base: shared, environments: new Map<string, Layer>([...own, ...synthesized]) },
    taking.map(({ name }) => name),
    options,
  )
}

function usesNames({ expanded }: Layer): boolean {
  return expanded !== undefined && expanded.audiences.length + expanded.names.length > 0
}

/** With the names among the problems that an environment in which they are used does not know. */
function withUnknownNames(
  declaration: ObjectDeclaration,
  taking: readonly (string | undefined)[],
  { audiences, unknownNames }: ShortOptions,
): ObjectDeclaration {
  const { base, environments } = declaration
  const layers = [base, ...environments.values()]
  const isUnknown = ({ number }: UsedName) => number === undefined
  if (!unknownNames || !layers.some(({ expanded }) => expanded?.names.some(isUnknown))) return declaration
  const lacking = new Map<string, Set<string | undefined>>()
  const keyOf = ({ thing, name, pointer }: UsedName) => JSON.stringify([thing, name, pointer])
  const note = (layer: Layer, names: readonly (string | undefined)[]) => {
    for (const used of layer.expanded?.names ?? [])
      for (const environment of names) {
        if (audiences.contextIn(environment).numberOf(used.thing, used.name) !== undefined) continue
        const known = lacking.get(keyOf(used)) ?? new Set()
        lacking.set(keyOf(used), known.add(environment))
      }
  }
  note(base, taking)
  for (const [environment, layer] of environments) note(layer, [environment])
  const told = (layer: Layer): Layer => {
    const problems = (layer.expanded?.names ?? []).flatMap(used => {
      const without = lacking.get(keyOf(used))
      return without ? [unknownNames.problem(used, without)] : []
    })
    if (!layer.expanded || problems.length === 0) return layer
    return { ...layer, expanded: layer.expanded.with(problems) }
  }
  return {
    ...declaration,
    base: told(base),
    environments: new Map([...environments].map(([name, layer]) => [name, told(layer)])),
  }
}

/** The environments in which the base itself says who gets the flag. */
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

/** Where in a file that stands which is at a pointer inside of the fields of a layer. */
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

/** The place in an audience that says what is at a pointer inside of the fields of a layer, if one does. */
export function sharedPlace({ expanded }: Pick<Layer, 'expanded'>, inside: string): SharedPlace | undefined {
  if (!expanded || expanded.audiences.length === 0) return undefined
  const field = pointerOf(expanded.field)
  return inside.startsWith(`${field}/`) ? expanded.sharedAt(inside.slice(field.length)) : undefined
}

/** Whether a member of a declaration is merged with what an override says of it. */
export function isMergedMember(kind: DeclarableKind, name: string): boolean {
  return targetingField(kind) !== undefined && shortMembers.includes(name)
}

/** A pointer into the fields of a layer from one that may lead into its short form: `/release/rest/rollout_percentage`. */
export function fieldPointer({ expanded }: Pick<Layer, 'expanded'>, pointer: string): string {
  const [member = ''] = segmentsOf(pointer)
  if (!expanded || !shortMembers.includes(member)) return pointer
  const inside = expanded.insideOf(pointer)
  return inside === undefined ? pointer : pointerOf(expanded.field) + inside
}
