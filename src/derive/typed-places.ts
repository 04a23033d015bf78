import { pointerOf, segmentsOf } from '../model/pointer.ts'
import type { typedAttributes } from './typed-filters.ts'

/** A way into the typed attributes of a flag: names, and the indexes of elements. */
export type TypedPlace = readonly [
  attribute: (typeof typedAttributes)[number],
  ...steps: readonly (string | number)[],
]

/** The keys of the variants, in their order; undefined for one that is not known. */
export type VariantKeys = readonly (string | undefined)[]

/**
 * Where in the typed attributes something stands of the filters that they amount to. Each payload of a variant is the
 * variant's own there, which is why the keys of the variants are needed.
 */
export function typedPlace(pointer: string, variantKeys: VariantKeys): TypedPlace {
  const [member = '', ...steps] = segmentsOf(pointer)
  switch (member) {
    case 'groups':
      return ['release', ...steps.map(indexOrName)]
    case 'multivariate':
      return ['variants', ...steps.slice(1).map(indexOrName)]
    case 'payloads': {
      const index = variantKeys.indexOf(steps[0] ?? '')
      return index < 0 ? ['payload'] : ['variants', index, 'payload']
    }
    case 'aggregation_group_type_index':
      return ['group_type_index']
    default:
      return ['release']
  }
}

/** The way back: a pointer into the filters; undefined where it leads to the payload of a variant that is not there. */
export function filtersPointer(
  [attribute, ...steps]: TypedPlace,
  variantKeys: VariantKeys,
): string | undefined {
  switch (attribute) {
    case 'release':
      return pointerOf('groups', ...steps.map(wireStep))
    case 'variants': {
      const [index, member, ...rest] = steps
      if (member !== 'payload') return pointerOf('multivariate', 'variants', ...steps)
      const key = typeof index === 'number' ? variantKeys[index] : undefined
      return key === undefined ? undefined : pointerOf('payloads', key, ...rest)
    }
    case 'payload':
      return pointerOf('payloads', 'true')
    case 'group_type_index':
      return pointerOf('aggregation_group_type_index')
    default:
      return attribute satisfies never
  }
}

function indexOrName(segment: string): string | number {
  return /^\d+$/.test(segment) ? Number(segment) : segment
}

/** One value and several are one member on the wire. */
function wireStep(step: string | number): string | number {
  return step === 'values' ? 'value' : step
}
