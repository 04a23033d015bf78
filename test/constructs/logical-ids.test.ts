import { TerraformStack, Testing } from 'cdktf'
import { Construct } from 'constructs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FeatureFlag } from '../../src/constructs/generated/feature-flag/index.ts'
import { VexilProvider } from '../../src/constructs/generated/provider/index.ts'
import { logicalIdOf } from '../../src/constructs/make-construct.ts'
import { EventDefinition, Flag, Plugin, Role } from '../../src/constructs/own-constructs.ts'
import { anApp, aStack, synthesized } from './a-stack.ts'

const support = Role.fromId('01900000-0000-0000-0000-0000000000aa', 'support')

function declareShop(scope: Construct, id: string) {
  new Flag(scope, id, { key: 'checkout', active: false }).grants.edit(support)
  new Plugin(scope, `${id}Plugin`, { name: 'geo' })
  EventDefinition.named(scope, 'purchase')
  Flag.fromKey(scope, `${id}Legacy`, 'legacy')
}

describe('names in Terraform', () => {
  it('stay when the code moves to another construct under another id', () => {
    const [before, after] = [aStack(), aStack()]
    declareShop(before, 'Checkout')
    declareShop(new Construct(new Construct(after, 'Teams'), 'Pay'), 'NewName')
    expect(synthesized(after)).toEqual(synthesized(before))
    expect(Object.keys(synthesized(after).resource.vexil_feature_flag_role_access)).toEqual([
      'checkout--support',
    ])
  })

  it.each([
    ['checkout', 'checkout'],
    ['new-nav_2', 'new-nav_2'],
    ['2024', '_2024_422940b9'],
    ['$pageview', '_pageview_c8a3b009'],
    ['purchase completed', 'purchase_completed_a9f9c4db'],
    ['größe', 'gr__e_cd38f49a'],
  ])('are made of a key: %s', (key, id) => {
    expect(logicalIdOf(key)).toBe(id)
  })

  it('can be taken by Terraform, and differ where keys do', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({ unit: 'grapheme', minLength: 1 }), { minLength: 2 }), keys => {
        const ids = keys.map(key => logicalIdOf(key))
        expect(ids.filter(id => !/^[A-Za-z_][A-Za-z0-9_-]*$/.test(id))).toEqual([])
        expect(new Set(ids).size).toBe(keys.length)
      }),
    )
  })

  it('differ for one key in two projects, and for two providers', () => {
    const stack = aStack()
    const eu = new VexilProvider(stack, 'eu', { alias: 'eu' })
    new Flag(stack, 'One', { key: 'checkout', active: false })
    new Flag(stack, 'Two', { key: 'checkout', active: false, projectId: '2' }).grants.edit(support)
    new Flag(stack, 'Three', { key: 'checkout', active: false, provider: eu }).grants.edit(support)
    const { resource } = synthesized(stack)
    expect(Object.keys(resource.vexil_feature_flag)).toEqual(['checkout', 'checkout--2', 'checkout--eu'])
    expect(resource.vexil_feature_flag_role_access).toEqual({
      'checkout--support--2': {
        feature_flag_id: '${vexil_feature_flag.checkout--2.id}',
        role_id: support.id,
        project_id: '2',
      },
      'checkout--support--eu': {
        feature_flag_id: '${vexil_feature_flag.checkout--eu.id}',
        role_id: support.id,
        provider: 'vexil.eu',
      },
    })
  })

  it('can be given', () => {
    const stack = aStack()
    new Flag(stack, 'One', { key: 'checkout', active: false })
    new Flag(stack, 'Two', { key: 'checkout', active: false, logicalId: 'second' })
    expect(Object.keys(synthesized(stack).resource.vexil_feature_flag)).toEqual(['checkout', 'second'])
  })

  it('are each given once: a second flag of a key is refused with both paths', () => {
    const stack = aStack()
    new Flag(new Construct(stack, 'Pay'), 'Checkout', { key: 'checkout' })
    expect(() => new Flag(new Construct(stack, 'Shop'), 'Checkout', { key: 'checkout' })).toThrow(
      'flag "checkout" at "flags/Shop/Checkout": vexil_feature_flag.checkout is declared twice, by "flags/Pay/Checkout" and ' +
        '"flags/Shop/Checkout"; declare it once, or use a logicalId for one of them',
    )
  })

  it.each([
    ['my flag', 'my.flag'],
    ['a b', 'ab'],
    ['one', '(one)'],
  ])('are each given once: two generated constructs %s and %s do not become one', (first, second) => {
    const stack = aStack()
    new VexilProvider(stack, 'vexil', {})
    new FeatureFlag(stack, first, { key: 'one', tags: ['a'] })
    new FeatureFlag(stack, second, { key: 'two', tags: ['b'] })
    const words = '; the engine removes characters from ids: use another id for one of'
    expect(() => Testing.synth(stack, true)).toThrow(words)
    // Without validations too.
    expect(() => Testing.synth(stack)).toThrow(words)
  })

  it('are left to generated constructs of other types, in other stacks, and to those with a name of their own', () => {
    const stack = aStack()
    new VexilProvider(stack, 'vexil', {})
    new FeatureFlag(stack, 'my flag', { key: 'one' })
    new EventDefinition(stack, 'my.flag', { name: 'two' })
    new FeatureFlag(stack, 'my/flag', { key: 'three' }).overrideLogicalId('third')
    expect(() => Testing.synth(stack, true)).not.toThrow()
  })

  it('are each given once: a generated construct of the same name makes synthesis fail', () => {
    const stack = aStack()
    new VexilProvider(stack, 'vexil', {})
    new FeatureFlag(stack, 'checkout', { key: 'checkout' })
    new Flag(stack, 'New', { key: 'checkout' })
    expect(() => Testing.synth(stack, true)).toThrow(
      'vexil_feature_flag.checkout is declared twice, by "flags/checkout" and "flags/New"; declare it once, or use a logicalId for one of them',
    )
  })

  it('are taken in one stack only', () => {
    const app = anApp()
    for (const id of ['staging', 'production']) {
      const stack = new TerraformStack(app, id)
      declareShop(stack, 'Checkout')
      expect(Object.keys(synthesized(stack).resource.vexil_feature_flag)).toEqual(['checkout'])
    }
  })
})
