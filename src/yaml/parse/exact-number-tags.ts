import { defineScalarTag, floatCoreTag, intCoreTag, NOT_RESOLVED } from 'js-yaml'
import { type BigNum, numberFrom } from '../../hcl/json.ts'

/** YAML's whole numbers with all their digits; the library's own tag rounds those beyond 2^53. */
export const exactIntTag = defineScalarTag<number | BigNum>(intCoreTag.tagName, {
  ...intCoreTag,
  resolve: (source, isExplicit, tagName) => {
    const near = intCoreTag.resolve(source, isExplicit, tagName)
    if (near === NOT_RESOLVED || Number.isSafeInteger(near)) return near
    const [, sign = '', digits = ''] = /^([-+]?)(.*)$/.exec(source) ?? []
    return numberFrom(`${sign}${BigInt(digits)}`)
  },
})

/** The number that a plain scalar is read as; undefined for any other. Throws a RangeError where nobody can hold it. */
export function readNumber(source: string): number | BigNum | undefined {
  for (const tag of [exactIntTag, exactFloatTag]) {
    const number = tag.resolve(source, false, tag.tagName)
    if (number !== NOT_RESOLVED) return number
  }
  return undefined
}

/** What the core schema of YAML 1.2 takes for a number with a point or an exponent. */
const decimal = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/

/** The same for decimals; up to fifteen digits a double says any of them. */
export const exactFloatTag = defineScalarTag<number | BigNum>(floatCoreTag.tagName, {
  ...floatCoreTag,
  resolve: (source, isExplicit, tagName) => {
    const mayBeRounded = (source.length > 15 || /e/i.test(source)) && decimal.test(source)
    return mayBeRounded ? numberFrom(source) : floatCoreTag.resolve(source, isExplicit, tagName)
  },
})
