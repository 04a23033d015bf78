import { describe, expect, it } from 'vitest'
import { fractionOf, hashFraction } from '../../../src/targeting/evaluate/buckets.ts'

describe('hashFraction', () => {
  // Computed with the arithmetic of the Python SDK.
  it.each([
    ['checkout_v2', 'user-1', '', 0.6497893607624632],
    ['checkout_v2', 'user-1', 'variant', 0.6727213616885983],
    ['simple-flag', 'distinct_id_0', '', 0.7836963764220432],
    ['flag', 'zoë', '', 0.06310925600659965],
    ['flag', '', 'variant', 0.7051353107091164],
    ['a', '😀', '', 0.28722546777122754],
  ] as const)('puts %s.%s%s at its place', (key, id, salt, fraction) => {
    expect(hashFraction(key, id, salt)).toBe(fraction)
  })
})

describe('fractionOf', () => {
  it.each([
    ['000000000000000', 0],
    ['fffffffffffffff', 1],
    ['fffffffffffff80', 0.9999999999999999],
    ['7ffffffffffffff', 0.5],
    // Half way between two doubles: to the even one. Exact integer division would go up.
    ['800000000000040', 0.5],
    ['8000000000000c0', 0.5000000000000002],
    ['123456789abcdef', 0.07111111111111111],
  ])('rounds %s as the SDKs do', (digits, fraction) => {
    expect(fractionOf(digits)).toBe(fraction)
  })
})
