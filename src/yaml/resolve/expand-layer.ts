import { pointerOf, segmentsOf } from '../../model/json/pointer.ts'
import { type FilterProblem, filterError } from '../../targeting/check/filter-problem.ts'
import { type ExpandedShort, expandShort } from '../../targeting/short/expand-short.ts'
import { mergeShort } from '../../targeting/short/merge-short.ts'
import type { ShortContext } from '../../targeting/short/short-context.ts'
import type { Layer } from '../declaration.ts'
import type { DeclarationFile } from '../declaration-file.ts'
import type { SharedPlace } from '../expanded-layer.ts'

/** What the short form may name in one environment, and where that is said. */
export interface LayerContext extends ShortContext {
  /** Where an audience says what is at a pointer inside of its filters. */
  readonly placeIn: (
    audience: string,
    inside: string,
  ) => { readonly file: DeclarationFile; readonly pointer: string } | undefined
}

export interface LayersToExpand {
  readonly field: string
  readonly base: Layer
  /** The base itself, or what is laid over it. */
  readonly layer: Layer
  /** Whether another layer says it in the long form. */
  readonly isMixed: boolean
}

/** A layer with the field that its short form amounts to, merged with that of the base. */
export function expandLayer({ field, base, layer, isMixed }: LayersToExpand, context: LayerContext): Layer {
  const sources = layer === base ? [base] : [base, layer]
  const merged = mergeShort(sources.map(({ short = {} }) => short))
  const expanded = expandShort(merged.value, context)
  const inFile = (pointer: string) => shortPlace(sources[merged.layerOf(pointer)] ?? layer, pointer)
  const problems = [
    ...(isMixed ? [bothForms(field, layer)] : []),
    ...merged.problems.map(({ layer: number, ...problem }) => ({
      ...problem,
      pointer: shortPlace(sources[number] ?? layer, problem.pointer),
    })),
    ...expanded.problems.map(problem => ({ ...problem, pointer: inFile(problem.pointer) })),
  ]
  return {
    ...layer,
    fields: { ...layer.fields, [field]: layer.fields[field] ?? expanded.filters },
    expanded: {
      field,
      problems,
      placeOf: inside => inFile(expanded.placeOf(inside)),
      insideOf: expanded.insideOf,
      sharedAt: inside => sharedPlace(expanded, inside, context),
      audiences: expanded.audiences,
      isBroken: problems.length > 0 || expanded.isBroken,
    },
  }
}

/** Where in its file that stands which is at a pointer inside of the short form of a layer. */
export function shortPlace({ pointer, placeOf }: Layer, inside: string): string {
  return placeOf ? placeOf(inside) : pointer + inside
}

function sharedPlace(
  { audiences }: ExpandedShort,
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
  return place && { audience: used.name, property: index, ...place }
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
