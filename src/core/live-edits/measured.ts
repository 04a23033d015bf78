import type { Base, BaseOrigin } from './base.ts'

/** What the live edits of a plan were measured from, as far as people want to know. */
export interface Measured extends BaseOrigin {
  /** How many of the declared objects were as declared in an earlier run last; left out where there are none. */
  readonly earlier?: number
}

/** The newest of the runs that the bases of some objects are of; undefined where none of them has a base. */
export function measuredFrom(base: Base, addresses: readonly string[]): Measured | undefined {
  const origins = addresses.flatMap(address => {
    const object = Object.hasOwn(base, address) ? base[address] : undefined
    return object ? [object.origin] : []
  })
  const [first, ...others] = origins
  if (!first) return undefined
  // Names of runs sort as they came after one another; clocks may say something else.
  const newest = others.reduce((newest, origin) => (origin.run > newest.run ? origin : newest), first)
  const earlier = origins.filter(({ run }) => run !== newest.run).length
  return { ...newest, ...(earlier === 0 ? {} : { earlier }) }
}
