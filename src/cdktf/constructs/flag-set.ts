import type { Construct } from 'constructs'
import { Flag, type FlagProps } from './flag.ts'

/** A flag of a set, whose key is what the set calls it unless it says otherwise. */
export interface FlagSetProps extends Omit<FlagProps, 'key'> {
  /** What code asks for, where that is not the name in the set. */
  readonly key?: string
}

/** What all flags of a set have in common; what a flag says itself wins, and tags add up. */
export interface FlagDefaults extends Omit<FlagSetProps, 'key' | 'logicalId' | 'name'> {}

/** Flags by the names they were declared with, and by no others: `flags.chekout` does not compile. */
export type FlagSet<Name extends string> = { readonly [name in Name]: Flag }

/**
 * Many flags at once.
 *
 * ```ts
 * const flags = FlagSet.of(this, {
 *   checkout: { name: 'New checkout', active: true, release: [When.everyone().at(5)] },
 *   search: { key: 'search-v3', active: false },
 * }, { tags: ['team-shop'] })
 * flags.checkout.grants.edit(support)
 * ```
 */
export const FlagSet = {
  of<Name extends string>(
    scope: Construct,
    declared: { readonly [name in Name]: FlagSetProps },
    defaults: FlagDefaults = {},
  ): FlagSet<Name> {
    const flags = Object.entries<FlagSetProps>(declared).map(([name, props]) => {
      const tags = props.tags || defaults.tags ? [...(defaults.tags ?? []), ...(props.tags ?? [])] : undefined
      return [name, new Flag(scope, name, { ...defaults, key: name, ...props, tags })] as const
    })
    // One for each of the names.
    return Object.freeze(Object.fromEntries(flags)) as FlagSet<Name>
  },
}
