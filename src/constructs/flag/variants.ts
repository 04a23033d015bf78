import type { TypedPart } from '../../targeting/typed-form.ts'
import { made, members, number, type Reader, text } from '../argument.ts'
import type { FeatureFlagConfig, FeatureFlagReleaseProperties } from '../generated/feature-flag/index.ts'
import { type Readers, readArguments } from '../read-arguments.ts'
import { isReference } from '../templates.ts'

/** A variant with more properties than a percentage. */
export interface VariantProps {
  /** The percentage of the people with the flag who get this variant, from 0 to 100; may have decimals. */
  readonly share: number
  /** The name of the variant for people. */
  readonly name?: string
}

/** A variant with its key. */
export interface KeyedVariantProps extends VariantProps {
  /** The value that code receives. */
  readonly key: string
}

/** A variant in the typed form of a flag. */
export type Variant = TypedPart<'variant'> &
  Pick<Required<TypedPart<'variant'>>, 'key' | 'rollout_percentage'>

export const variantArguments: Readers<KeyedVariantProps> = { key: text, name: text, share: number }

/**
 * The variants of a flag in order, with percentages that add up to 100. They are immutable, so any number of
 * flags can
 * share them.
 *
 * ```ts
 * Variants.even('control', 'test')
 * Variants.of({ control: 90, bold: { share: 10, name: 'Bold headline' } })
 * ```
 */
export class Variants {
  /** The variants in the typed form of a flag. */
  public readonly list: readonly Variant[]

  /** Variants with equal percentages. The first ones get the remainder: 34, 33 and 33. */
  public static even(...keys: string[]): Variants {
    const share = Math.floor(100 / keys.length)
    const left = 100 - share * keys.length
    return Variants.inOrder(...keys.map((key, index) => ({ key, share: index < left ? share + 1 : share })))
  }

  /** Variants by key, in written order. */
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

  /** Variants as a list, for keys that are numbers or references. */
  public static inOrder(...variants: KeyedVariantProps[]): Variants {
    return new Variants(variants.map((given, index) => variant(given, `variants[${index}]`)))
  }

  private constructor(list: readonly Variant[]) {
    this.list = Object.freeze(list)
    Object.freeze(this)
  }
}

/** The variants have to be known during synthesis; their parts may be references. */
export const variants: Reader<Variants> = made(
  'list',
  'variants created by Variants',
  'pass it to the generated construct: flag.resource.putVariants(...)',
)

/** One variant; `at` is its index. */
function variant(given: object, at: string): Variant {
  const { key, share, name } = readArguments(given as KeyedVariantProps, variantArguments, 'a variant', at)
  const missing = key === undefined ? 'key' : share === undefined ? 'share' : undefined
  if (missing !== undefined) throw new TypeError(`"${at}.${missing}" is missing`)
  return Object.freeze({ key, ...(name === undefined ? {} : { name }), rollout_percentage: share })
}

/** A number that is known later may have the form of an object. */
function isMembers(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !isReference(value) && !Array.isArray(value)
}

/** The group type, or a reference to one: a project has at most five. */
export type GroupTypeIndex = NonNullable<FeatureFlagConfig['groupTypeIndex']>

/** A number out of range is reported later, with its position among the conditions. */
export const groupTypeIndex: Reader<GroupTypeIndex> = (value, name) => number(value, name) as GroupTypeIndex

/** The operator of a property, by the service's name, or a reference to one. */
export type Operator = NonNullable<FeatureFlagReleaseProperties['operator']>
