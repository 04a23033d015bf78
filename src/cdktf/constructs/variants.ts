import type { Variant } from '../../targeting/filters.ts'

/** One variant of a flag where its share alone does not say it all. */
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
  /** The variants as the service writes them. */
  public readonly list: readonly Variant[]

  /** Variants that share evenly. What is left of 100 goes to the first ones: 34, 33 and 33. */
  public static even(...keys: string[]): Variants {
    const share = Math.floor(100 / keys.length)
    const left = 100 - share * keys.length
    return Variants.inOrder(...keys.map((key, index) => ({ key, share: index < left ? share + 1 : share })))
  }

  /** Variants by their keys, in the order in which they are written. */
  public static of(shares: { readonly [key: string]: number | VariantProps }): Variants {
    const moved = Object.keys(shares).find(key => /^(0|[1-9]\d*)$/.test(key))
    if (moved !== undefined && Object.keys(shares).length > 1) {
      throw new Error(
        `the variant "${moved}" would not stay in its place: in an object, numbers come first; use Variants.inOrder(...)`,
      )
    }
    const variants = Object.entries(shares).map(([key, given]) =>
      typeof given === 'number' ? { key, share: given } : { ...given, key },
    )
    return Variants.inOrder(...variants)
  }

  /** Variants one after the other, for keys that are numbers or references. */
  public static inOrder(...variants: KeyedVariantProps[]): Variants {
    return new Variants(
      variants.map(({ key, share, name }) =>
        Object.freeze({ key, ...(name === undefined ? {} : { name }), rollout_percentage: share }),
      ),
    )
  }

  private constructor(list: readonly Variant[]) {
    this.list = Object.freeze(list)
    Object.freeze(this)
  }
}
