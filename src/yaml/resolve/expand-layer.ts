import { pointerOf, segmentsOf } from '../../model/json/pointer.ts'
import { type FilterProblem, filterError } from '../../targeting/check/filter-problem.ts'
import {
  type ExpandedShort,
  expandFilters,
  expandShort,
  type MeantFilters,
} from '../../targeting/short/expand-short.ts'
import { mergeShort } from '../../targeting/short/merge-short.ts'
import type { ShortContext } from '../../targeting/short/short-context.ts'
import { namesOfConditions, type ShortForm } from '../../targeting/short/short-form.ts'
import type { Layer } from '../declaration.ts'
import type { DeclarationFile } from '../declaration-file.ts'
import type { ExpandedLayer, SharedPlace } from '../expanded-layer.ts'

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
  const meant = expandFilters(merged.value, context)
  const isFine = !isMixed && merged.problems.length === 0 && meant.problems.length === 0
  const inFile = (pointer: string) => shortPlace(sources[merged.layerOf(pointer)] ?? layer, pointer)
  const problems = isFine
    ? noProblems
    : [
        ...(isMixed ? [bothForms(field, layer)] : []),
        ...merged.problems.map(({ layer: number, ...problem }) => ({
          ...problem,
          pointer: shortPlace(sources[number] ?? layer, problem.pointer),
        })),
        ...meant.problems.map(problem => ({ ...problem, pointer: inFile(problem.pointer) })),
      ]
  return {
    ...layer,
    fields: { ...layer.fields, [field]: layer.fields[field] ?? meant.filters },
    expanded: new LayerInShortForm({ field, problems, short: merged.value, meant, inFile, context }),
  }
}

interface LayerMeant {
  readonly field: string
  readonly problems: readonly FilterProblem[]
  readonly short: ShortForm
  readonly meant: MeantFilters
  readonly inFile: (pointer: string) => string
  readonly context: LayerContext
}

/** There is one for each flag of a repository, and few are asked for a place: nothing is made for that before. */
class LayerInShortForm implements ExpandedLayer {
  readonly #of: LayerMeant
  #places: ExpandedShort | undefined

  constructor(of: LayerMeant) {
    this.#of = of
  }

  get field() {
    return this.#of.field
  }

  get problems() {
    return this.#of.problems
  }

  get audiences() {
    return this.#of.meant.audiences
  }

  get conditionNames() {
    return namesOfConditions(this.#of.short)
  }

  get names() {
    return this.#of.meant.names.map(named => ({ ...named, pointer: this.#of.inFile(named.pointer) }))
  }

  get isBroken() {
    return this.#of.problems.length > 0 || this.#of.meant.isBroken
  }

  with(problems: readonly FilterProblem[]): ExpandedLayer {
    return new LayerInShortForm({ ...this.#of, problems: [...this.#of.problems, ...problems] })
  }

  placeOf(inside: string): string {
    return this.#of.inFile(this.#placed().placeOf(inside))
  }

  insideOf(pointer: string): string | undefined {
    return this.#placed().insideOf(pointer)
  }

  sharedAt(inside: string): SharedPlace | undefined {
    return sharedPlace(this.#of.meant, inside, this.#of.context)
  }

  #placed(): ExpandedShort {
    this.#places ??= expandShort(this.#of.short, this.#of.context)
    return this.#places
  }
}

const noProblems: readonly FilterProblem[] = []

/** Where in its file that stands which is at a pointer inside of the short form of a layer. */
export function shortPlace({ pointer, placeOf }: Layer, inside: string): string {
  return placeOf ? placeOf(inside) : pointer + inside
}

function sharedPlace(
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
