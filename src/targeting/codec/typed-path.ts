import { pointerOf, segmentsOf } from '../../model/json/pointer.ts'
import {
  attributeOf,
  attributesOf,
  partOf,
  type TypedPartName,
  typedAttributes,
  typedForm,
} from './typed-form.ts'

type Step = string | number

/** A way into the typed form: names, and the indexes of elements. */
export type TypedPath = readonly [attribute: (typeof typedAttributes)[number], ...steps: readonly Step[]]

/** The keys of the variants, in their order; undefined for one that is not known. */
export type VariantKeys = readonly (string | undefined)[]

/**
 * Where in the typed form something stands of the filters that it amounts to; the nearest place for what has none. Each
 * payload of a variant is the variant's own there, which is why the keys of the variants are needed. Of several attributes
 * that stand for one place it is the one which is given.
 */
export function typedPath(
  pointer: string,
  variantKeys: VariantKeys,
  given: readonly string[] = [],
): TypedPath {
  const segments = segmentsOf(pointer)
  const [member = '', key = '', ...rest] = segments
  const index = variantKeys.indexOf(key)
  const byKey = placesByKey.find(({ at }) => at === member)
  if (byKey && index >= 0) return [byKey.list, index, byKey.name, ...rest]
  const names = typedAttributes.filter(each => typedForm.filters[each].at[0] === member)
  const name = names.find(each => given.includes(each)) ?? names[0]
  if (name === undefined) return typedPath('/groups', variantKeys, given)
  return attributeOf('filters', name)?.shortFor ? [name] : [name, ...typedSteps('filters', name, segments)]
}

/** The way back: a pointer into the filters; undefined where it leads to the payload of a variant that is not there. */
export function filtersPointer(place: TypedPath, variantKeys: VariantKeys): string | undefined {
  const path = wirePath('filters', place, variantKeys)
  return path && pointerOf(...path)
}

/** What stands under the key of an element on the wire. */
const placesByKey = typedAttributes.flatMap(list => {
  const part = partOf(typedForm.filters[list])
  const inside = part ? Object.entries(attributesOf(part)) : []
  return inside.flatMap(
    ([
      name,
      {
        at: [at],
        byKey,
      },
    ]) => (byKey ? [{ list, name, at }] : []),
  )
})

/** The steps behind an attribute, of the segments that lead through it on the wire. */
function typedSteps(part: TypedPartName, name: string, segments: readonly string[]): readonly Step[] {
  const attribute = attributeOf(part, name)
  const [index, ...inside] = segments.slice(attribute?.at.length ?? 1)
  if (index === undefined) return []
  const of = attribute && partOf(attribute)
  if (!of || inside.length === 0) return [index, ...inside].map(indexOrName)
  const inner = nameOf(of, inside)
  return [indexOrName(index), inner, ...typedSteps(of, inner, inside)]
}

/** Several values and one are the same member on the wire; only several have one inside. */
function nameOf(part: TypedPartName, [member = '', ...rest]: readonly string[]): string {
  const found = Object.entries(attributesOf(part)).findLast(
    ([, { at, is }]) => at[0] === member && (is !== 'texts' || rest.length > 0),
  )
  return found?.[0] ?? member
}

function wirePath(
  part: TypedPartName,
  [name = '', ...steps]: readonly Step[],
  variantKeys: VariantKeys,
): readonly Step[] | undefined {
  const attribute = attributeOf(part, String(name))
  if (!attribute) return [name, ...steps]
  const of = partOf(attribute)
  const [index, inner, ...rest] = steps
  if (!of || index === undefined || inner === undefined) return [...attribute.at, ...steps]
  const byKey = attributeOf(of, String(inner))
  if (byKey?.byKey) {
    const key = typeof index === 'number' ? variantKeys[index] : undefined
    return key === undefined ? undefined : [...byKey.at, key, ...rest]
  }
  const inside = wirePath(of, [inner, ...rest], variantKeys)
  return inside && [...attribute.at, index, ...inside]
}

function indexOrName(segment: string): Step {
  return /^\d+$/.test(segment) ? Number(segment) : segment
}
