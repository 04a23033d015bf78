import type { TypedPart } from '../../targeting/typed-form.ts'
import { made, members, number, type Reader, text } from '../argument.ts'
import type { FeatureFlagConfig, FeatureFlagReleaseProperties } from '../generated/feature-flag/index.ts'
import { type Readers, readArguments } from '../read-arguments.ts'
import { isReference } from '../templates.ts'

/** One variant of a flag with more than a share. */
export interface VariantProps {
  /** How many of those who get the flag, from 0 to 100; fractions are fine. */
  readonly share: number
  /** What the variant is called. */
  readonly name?: string
}

/** A variant with the key that code receives. */
export interface KeyedVariantProps extends VariantProps {
  /** What code receives. */
  readonly key: string
}

/** A variant in the typed form of a flag. */
export type Variant = TypedPart<'variant'> &
  Pick<Required<TypedPart<'variant'>>, 'key' | 'rollout_percentage'>

/** The readers of the properties. */
export const variantArguments: Readers<KeyedVariantProps> = { key: text, name: text, share: number }

/**
 * The variants of a flag in their order, with shares that add up to 100. They never change; one value can be given to
 * any number of flags.
 *
 * ```ts
 * Variants.even('control', 'test')
 * Variants.of({ control: 90, bold: { share: 10, name: 'Bold headline' } })
 * ```
 */
export class Variants {
  /** The variants in the typed form of a flag. */
  public readonly list: readonly Variant[]

  /** Variants that share evenly. What is left of 100 goes to the first ones: 34, 33 and 33. */
  public static even(...keys: string[]): Variants {
    const share = Math.floor(100 / keys.length)
    const left = 100 - share * keys.length
    return Variants.inOrder(...keys.map((key, index) => ({ key, share: index < left ? share + 1 : share })))
  }

  /** Variants by their keys, in the order in which they are written. */
  public static of(shares: { readonly [key: string]: number | VariantProps }): Variants {
    const given = members(shares, 'shares')
    const moved = Object.keys(shares).find(key => /^(0|[1-9]\d*)$/.test(key))
    if (moved !== undefined && Object.keys(shares).length > 1) {
      throw new Error(
        `the variant "${moved}" would not stay in its place: in an object, numbers come first; use Variants.inOrder(...)`,
      )
    }
    return new Variants(
      Object.entries(given).map(([key, each]) => {
        const at = `shares.${key}`
        return isMembers(each)
          ? variant({ ...members(each, at), key }, at)
          : variant({ key, share: number(each, at) }, at)
      }),
    )
  }

  /** Variants one after the other, for keys that are numbers or references. */
  public static inOrder(...variants: KeyedVariantProps[]): Variants {
    return new Variants(variants.map((given, index) => variant(given, `variants[${index}]`)))
  }

  private constructor(list: readonly Variant[]) {
    this.list = Object.freeze(list)
    Object.freeze(this)
  }
}

/** They are read here, so they have to be known when the stack is made; their parts need not be. */
export const variants: Reader<Variants> = made(
  'list',
  'what Variants made',
  'give it to the generated construct: flag.resource.putVariants(...)',
)

/** One of them; `at` is its place among the given ones. */
function variant(given: object, at: string): Variant {
  const { key, share, name } = readArguments(given as KeyedVariantProps, variantArguments, 'a variant', at)
  const missing = key === undefined ? 'key' : share === undefined ? 'share' : undefined
  if (missing !== undefined) throw new TypeError(`"${at}.${missing}" is missing`)
  return Object.freeze({ key, ...(name === undefined ? {} : { name }), rollout_percentage: share })
}

/** A number that is known later is an object in one of its forms. */
function isMembers(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !isReference(value) && !Array.isArray(value)
}

/** The type of a group, or a reference to one: a project has five at most. */
export type GroupTypeIndex = NonNullable<FeatureFlagConfig['groupTypeIndex']>

/** Another number is reported with its place among the conditions. */
export const groupTypeIndex: Reader<GroupTypeIndex> = (value, name) => number(value, name) as GroupTypeIndex

/** How a property is compared, by the service's own name for it, or a reference to that. */
export type Operator = NonNullable<FeatureFlagReleaseProperties['operator']>
