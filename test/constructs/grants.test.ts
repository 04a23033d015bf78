import { Construct } from 'constructs'
import { describe, expect, it } from 'vitest'
import { FeatureFlag } from '../../src/constructs/generated/feature-flag/index.ts'
import { Flag, FlagGrants, Role } from '../../src/constructs/own-constructs.ts'
import { aStack, synthesized } from './a-stack.ts'

const id = '01900000-0000-0000-0000-0000000000aa'
const support = Role.fromId(id, 'support')

describe('grants', () => {
  it('are made once, however often they are asked for', () => {
    const stack = aStack()
    const flag = new Flag(stack, 'Checkout', { key: 'checkout', editors: [support] })
    expect(flag.grants.edit(support)).toBe(flag.grants.edit(support))
    expect(synthesized(stack).resource.vexil_feature_flag_role_access).toEqual({
      'checkout--support': { feature_flag_id: '${vexil_feature_flag.checkout.id}', role_id: id },
    })
  })

  it.each([Role.fromId(id), Role.fromId(id, 'helpers'), Role.fromId(id.toUpperCase())])(
    'are made once for a role, whatever it is called: %o',
    again => {
      const stack = aStack()
      const flag = new Flag(stack, 'Checkout', { key: 'checkout', editors: [support, again] })
      const grant = flag.grants.edit(support)
      expect(flag.grants.edit(again)).toBe(grant)
      expect(FlagGrants.of(flag.resource).edit(again)).toBe(grant)
      expect(() => flag.grants.give(again, 'viewer')).toThrow('has two levels')
      expect(Object.keys(synthesized(stack).resource.vexil_feature_flag_role_access)).toEqual([
        'checkout--support',
      ])
    },
  )

  it('are made once for a role of many names on a flag of others', () => {
    const stack = aStack()
    const one = Flag.fromKey(new Construct(stack, 'One'), 'Legacy', 'legacy').grants.edit(support)
    const two = Flag.fromKey(new Construct(stack, 'Two'), 'Legacy', 'legacy').grants
    expect(two.edit(Role.fromId(id))).toBe(one)
  })

  it('have a level where one is given, and one only', () => {
    const stack = aStack()
    const flag = new Flag(stack, 'Checkout', { key: 'checkout' })
    expect(flag.grants.give(support, 'viewer')).toBe(flag.grants.give(support, 'viewer'))
    expect(synthesized(stack).resource.vexil_feature_flag_role_access).toEqual({
      'checkout--support': {
        feature_flag_id: '${vexil_feature_flag.checkout.id}',
        role_id: id,
        access_level: 'viewer',
      },
    })
    expect(() => flag.grants.edit(support)).toThrow('flag "checkout": "support" has two levels')
    expect(() => flag.grants.give(support, 'owner' as never)).toThrow('"owner"')
  })

  it('are named after the id of a role without a name', () => {
    const stack = aStack()
    new Flag(stack, 'Checkout', { key: 'checkout', editors: [Role.fromId(id)] })
    expect(Object.keys(synthesized(stack).resource.vexil_feature_flag_role_access)).toEqual([
      `checkout--${id}`,
    ])
  })

  it('are made once for a flag of others, wherever they are asked for', () => {
    const stack = aStack()
    const one = Flag.fromKey(new Construct(stack, 'One'), 'Legacy', 'legacy').grants.edit(support)
    expect(Flag.fromKey(new Construct(stack, 'Two'), 'Legacy', 'legacy').grants.edit(support)).toBe(one)
    expect(synthesized(stack).resource.vexil_feature_flag_role_access).toEqual({
      'legacy--support': { feature_flag_id: '${data.vexil_feature_flag.legacy.id}', role_id: id },
    })
  })

  it('are there for generated constructs', () => {
    const stack = aStack()
    FlagGrants.of(new FeatureFlag(stack, 'flag', { key: 'checkout', projectId: '2' })).edit(support)
    expect(synthesized(stack).resource.vexil_feature_flag_role_access).toEqual({
      'checkout--support--2': {
        feature_flag_id: '${vexil_feature_flag.flag.id}',
        role_id: id,
        project_id: '2',
      },
    })
  })

  it('leave the flag its name until they are asked for', () => {
    const stack = aStack()
    const flag = new Flag(stack, 'Checkout', { key: 'checkout' })
    flag.resource.overrideLogicalId('old')
    flag.grants.edit(support)
    expect(
      synthesized(stack).resource.vexil_feature_flag_role_access['checkout--support'].feature_flag_id,
    ).toBe('${vexil_feature_flag.old.id}')
  })

  it('refuse two roles of one name', () => {
    const flag = new Flag(aStack(), 'Checkout', { key: 'checkout', editors: [support] })
    const other = '01900000-0000-0000-0000-0000000000bb'
    expect(() => flag.grants.edit(Role.fromId(other, 'support'))).toThrow(
      `flag "checkout": two roles have the name "support", ${id} and ${other}`,
    )
  })
})
