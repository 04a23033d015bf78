import type { Construct } from 'constructs'
import { members, texts } from '../argument.ts'
import { withdraw } from '../make-construct.ts'
import { joinTags } from '../policies/policy-aspect.ts'
import { type Readers, readArguments } from '../read-arguments.ts'
import { Flag, type FlagProps, flagArguments } from './flag.ts'

/** A flag of a set. Its key is its name in the set, unless it has its own. */
export interface FlagSetProps extends Omit<FlagProps, 'key'> {
  /** The key that code asks for, if it differs from the name in the set. */
  readonly key?: string
}

/** Defaults for all flags of a set. The flag's own properties override them, but tags are added. */
export interface FlagDefaults extends Omit<FlagSetProps, 'key' | 'logicalId' | 'name' | 'tests'> {}

const { key: _key, logicalId: _logicalId, name: _name, tests: _tests, ...inCommon } = flagArguments
export const flagDefaults: Readers<FlagDefaults> = inCommon

/** Flags by their declared names, and no others: `flags.chekout` does not compile. */
export type FlagSet<Name extends string> = { readonly [name in Name]: Flag }

/**
 * Declares many flags at once.
 *
 * ```ts
 * const flags = FlagSet.of(this, {
 * checkout: { name: 'New checkout', active: true, release: [When.everyone().at(5)] },
 * search: { key: 'search-v3', active: false },
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
    members(declared, 'the flags of a set')
    const common = readArguments(defaults, flagDefaults, 'the common properties of a set of flags')
    const made = new Map<string, Flag>()
    try {
      for (const [name, props] of Object.entries<FlagSetProps>(declared))
        made.set(name, new Flag(scope, name, propsOf(name, props, common)))
    } catch (error) {
      // If one flag is refused, all flags of the set are removed.
      for (const flag of made.values()) withdraw(flag)
      throw error
    }
    // There is one flag for each name.
    return Object.freeze(Object.fromEntries(made)) as FlagSet<Name>
  },
}

function propsOf(name: string, props: FlagSetProps, common: FlagDefaults): FlagProps {
  members(props, name)
  const tags = tagsOf(common.tags, props.tags)
  const others = saysWhoGets(props) ? { ...common, release: undefined, rolloutPercentage: undefined } : common
  return { ...others, key: name, ...props, tags }
}

/** `release` and `rolloutPercentage` both define who gets a flag: its own one wins over either default. */
function saysWhoGets({ release, rolloutPercentage }: FlagSetProps): boolean {
  return release !== undefined || rolloutPercentage !== undefined
}

function tagsOf(common: string[] | undefined, own: string[] | undefined): string[] | undefined {
  if (own === undefined) return common
  return common === undefined ? own : joinTags(common, texts(own, 'tags'))
}
