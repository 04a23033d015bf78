import { describe, expect, expectTypeOf, it } from 'vitest'
import { Flag, FlagSet, When } from '../../../src/constructs/own-constructs.ts'
import { aStack, synthesized } from '../a-stack.ts'

describe('FlagSet', () => {
  it('has the flags it was declared with, and no others', () => {
    const stack = aStack()
    const flags = FlagSet.of(stack, {
      checkout: { active: true, release: [When.everyone().at(5)] },
      newNav: { key: 'new-nav', active: false },
      node: { active: false },
    })
    expectTypeOf(flags).toEqualTypeOf<FlagSet<'checkout' | 'newNav' | 'node'>>()
    expectTypeOf(flags.checkout).toEqualTypeOf<Flag>()
    // @ts-expect-error there is no such flag
    expect(flags.chekout).toBeUndefined()
    expect([flags.checkout.key, flags.newNav.key, flags.node.key]).toEqual(['checkout', 'new-nav', 'node'])
    expect(flags.newNav).toBeInstanceOf(Flag)
    expect(Object.keys(synthesized(stack).resource.vexil_feature_flag)).toEqual([
      'checkout',
      'new-nav',
      'node',
    ])
  })

  it('gives all of them what they have in common', () => {
    const stack = aStack()
    const defaults = { active: false, tags: ['team-shop'], protect: true }
    FlagSet.of(stack, { checkout: { tags: ['pay'] }, search: { active: true, protect: false } }, defaults)
    expect(synthesized(stack).resource.vexil_feature_flag).toEqual({
      checkout: {
        key: 'checkout',
        active: false,
        tags: ['team-shop', 'pay'],
        lifecycle: { prevent_destroy: true },
      },
      search: { key: 'search', active: true, tags: ['team-shop'], lifecycle: { prevent_destroy: false } },
    })
  })

  it('says which of them has a problem', () => {
    expect(() => FlagSet.of(aStack(), { checkout: { release: [When.everyone().at(101)] } })).toThrow(
      'flag "checkout" at "flags/checkout": condition 1: 101 is not a percentage (write a number from 0 to 100)',
    )
  })

  it('is released as the flag says, whichever way the set says it', () => {
    const stack = aStack()
    const release = [When.everyone().at(5)]
    FlagSet.of(
      stack,
      { a: {}, b: { release }, c: { rolloutPercentage: 7 } },
      { active: true, rolloutPercentage: 25 },
    )
    FlagSet.of(stack, { d: { rolloutPercentage: 9 } }, { active: true, release })
    const flags = synthesized(stack).resource.vexil_feature_flag as Record<string, { release: object[] }>
    expect(Object.values(flags).map(({ release: [first] }) => first)).toEqual(
      [25, 5, 7, 9].map(percent => ({ rollout_percentage: percent })),
    )
  })
})
