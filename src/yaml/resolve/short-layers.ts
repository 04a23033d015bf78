import { pointerOf, segmentsOf } from '../../model/json/pointer.ts'
import { type DeclarableKind, targetingField } from '../../model/kind.ts'
import { type FilterProblem, filterError } from '../../targeting/check/filter-problem.ts'
import { expandShort } from '../../targeting/short/expand-short.ts'
import { mergeShort } from '../../targeting/short/merge-short.ts'
import { shortMembers } from '../../targeting/short/short-form.ts'
import type { FileDeclarations, Layer, ObjectDeclaration } from '../declaration.ts'

/**
 * The same declarations with filters in place of the short form: in the declaration itself, and in each of its overrides that
 * says something in the short form, merged with what is shared.
 */
export function expandShortLayers({ objects, grants }: FileDeclarations): FileDeclarations {
  return { objects: objects.map(expandObject), grants }
}

function expandObject(declaration: ObjectDeclaration): ObjectDeclaration {
  const { kind, base, environments } = declaration
  const field = targetingField(kind)
  if (field === undefined) return declaration
  const layers = environments.size === 0 ? [base] : [base, ...environments.values()]
  if (layers.every(({ short }) => short === undefined)) return declaration
  const isMixed = layers.some(({ fields }) => fields[field] !== undefined)
  const expand = (layer: Layer) => (layer.short ? expandLayer(field, base, layer, isMixed) : layer)
  return {
    ...declaration,
    base: expand(base),
    environments: new Map([...environments].map(([name, layer]) => [name, expand(layer)])),
  }
}

function expandLayer(field: string, base: Layer, layer: Layer, isMixed: boolean): Layer {
  const sources = layer === base ? [base] : [base, layer]
  const merged = mergeShort(sources.map(({ short = {} }) => short))
  const expanded = expandShort(merged.value)
  const inFile = (pointer: string) => `${(sources[merged.layerOf(pointer)] ?? layer).pointer}${pointer}`
  return {
    ...layer,
    fields: { ...layer.fields, [field]: layer.fields[field] ?? expanded.filters },
    expanded: {
      field,
      problems: [
        ...(isMixed ? [bothForms(field, layer)] : []),
        ...merged.problems.map(({ layer: number, ...problem }) => ({
          ...problem,
          pointer: `${(sources[number] ?? layer).pointer}${problem.pointer}`,
        })),
        ...expanded.problems.map(problem => ({ ...problem, pointer: inFile(problem.pointer) })),
      ],
      placeOf: inside => inFile(expanded.placeOf(inside)),
      insideOf: expanded.insideOf,
    },
  }
}

function bothForms(field: string, { pointer, short = {} }: Layer): FilterProblem {
  const [said = ''] = Object.keys(short)
  return filterError(
    pointer + pointerOf(said),
    'both-forms-member',
    `"${said}" and "${field}" both say who gets the flag`,
    'say it in one of the two ways, in all environments',
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
