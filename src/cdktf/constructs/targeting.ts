import type { Variants } from './variants.ts'
import type { DescribedCondition, When } from './when.ts'

/** Who gets a flag, and what they get. */
export interface Targeting {
  /**
   * Who gets the flag: conditions, tried in their order. An empty list means nobody. A flag without it, without variants
   * and without payloads leaves all of that to others.
   */
  readonly release?: readonly When[]
  /** The variants of a multivariate flag. */
  readonly variants?: Variants
  /** What code receives with a flag without variants: any JSON value. A text that is JSON counts as that JSON. */
  readonly payload?: unknown
  /** What code receives with each variant: any JSON value, by the variant's key. A text that is JSON counts as that JSON. */
  readonly payloads?: { readonly [variant: string]: unknown }
  /** The type of group to whose groups the flag is released, from 0 to 4; to persons when left out. */
  readonly groupTypeIndex?: number
  /**
   * Members of the service's own `filters` for which there is no other property here, as JSON values. All of them, when
   * it has `groups`.
   */
  readonly filters?: { readonly [member: string]: unknown }
}

/** What `filters` hold while a stack is made: as the service writes them, with references in the place of values. */
export interface DeclaredFilters {
  readonly groups?: readonly DescribedCondition[]
  readonly multivariate?: { readonly variants: Variants['list'] }
  readonly payloads?: { readonly [variant: string]: unknown }
  readonly aggregation_group_type_index?: number
  readonly [member: string]: unknown
}

/** The filters that a targeting amounts to; undefined where it says nothing. */
export function filtersOf(targeting: Targeting): DeclaredFilters | undefined {
  const { release, variants, payload, payloads, groupTypeIndex, filters } = targeting
  if (payload !== undefined && payloads !== undefined) throw twice('payload', 'payloads')
  if (variants?.list.length === 0) throw new Error('there are no variants in "variants": leave it out')
  const ours: DeclaredFilters = {
    ...(release === undefined ? {} : { groups: release.map(when => inGroupType(when, groupTypeIndex)) }),
    ...(variants === undefined ? {} : { multivariate: { variants: variants.list } }),
    ...(payload === undefined ? {} : { payloads: { true: payload } }),
    ...(payloads === undefined ? {} : { payloads: given(payloads) }),
    ...(groupTypeIndex === undefined ? {} : { aggregation_group_type_index: groupTypeIndex }),
  }
  for (const name of Object.keys(filters ?? {})) {
    if (name in ours) throw twice(saidBy[name] ?? name, `filters.${name}`)
  }
  const all = { ...ours, ...filters }
  if (Object.keys(all).length === 0) return undefined
  // Without conditions the service would give the flag to everybody.
  if (!('groups' in all)) throw new Error('it is not said who gets the flag: give "release", [] for nobody')
  return all
}

function given(payloads: { readonly [variant: string]: unknown }): { readonly [variant: string]: unknown } {
  return Object.fromEntries(Object.entries(payloads).filter(([, payload]) => payload !== undefined))
}

function inGroupType(when: When, index: number | undefined): DescribedCondition {
  if (index === undefined) return when.condition
  const properties = when.condition.properties?.map(property =>
    property.type === 'group' ? { ...property, group_type_index: index } : property,
  )
  return { ...when.condition, ...(properties === undefined ? {} : { properties }) }
}

const saidBy: Readonly<Record<string, string>> = {
  groups: 'release',
  multivariate: 'variants',
  aggregation_group_type_index: 'groupTypeIndex',
}

function twice(one: string, other: string): Error {
  return new Error(`"${one}" and "${other}" say the same in two ways: give one of them`)
}
