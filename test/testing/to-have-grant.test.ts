import { TerraformIterator } from 'cdktf'
import { describe, expect, it } from 'vitest'
import { FeatureFlagRoleAccess, Flag, Role } from '../../src/constructs/index.ts'
import { capture } from '../../src/testing/index.ts'
import '../../src/testing/vitest.ts'
import { aStack } from '../constructs/a-stack.ts'
import { growth } from './shop.ts'

describe('toHaveGrant', () => {
  it('finds a grant of a flag that is declared elsewhere', () => {
    const stack = aStack()
    Flag.fromKey(stack, 'Theirs', 'theirs').grants.edit(growth)
    expect(stack).toHaveGrant('theirs', growth)
    expect(stack).not.toHaveGrant('ours', growth)
  })

  it('finds the grants of flags that one construct stands for', () => {
    const stack = aStack()
    const forEach = TerraformIterator.fromList(['a', 'b'])
    const flag = new Flag(stack, 'Each', { key: forEach.value, forEach, active: false, logicalId: 'each' })
    flag.grants.edit(growth)
    // biome-ignore lint/suspicious/noTemplateCurlyInString: that is what the stack has.
    expect(stack).toHaveGrant('${each.value}', growth)
  })

  it('finds a role that a plan looks up by its name', () => {
    const stack = aStack()
    const support = Role.fromName(stack, 'Support')
    new Flag(stack, 'A', { key: 'a', active: false }).grants.edit(support)
    expect(stack).toHaveGrant('a', support)
    expect(stack).toHaveGrant('a', { name: 'Support' })
    expect(() => expect(stack).toHaveGrant('a', { name: 'Sales' })).toThrow(
      '/role_name: expected "Sales", got "Support"',
    )
    expect(stack).not.toHaveGrant('a', growth)
  })

  it('finds levels, and grants that were made by their generated construct', () => {
    const stack = aStack()
    new Flag(stack, 'A', { key: 'a', active: false }).grants.give(growth, 'viewer')
    new FeatureFlagRoleAccess(stack, 'B', { featureFlagId: '17', roleId: growth.id })
    const level = capture()
    expect(stack).toHaveGrant('a', growth, { accessLevel: level })
    expect(level.value).toBe('viewer')
    expect(stack).toHaveGrant('17', growth)
    expect(stack).toHaveGrant(expect.any(String), growth, { times: 2 })
  })

  it('says that there are none', () => {
    expect(() => expect(aStack()).toHaveGrant('a', growth)).toThrow(
      'expected a grant, but the stack has no grants',
    )
  })

  it('takes no role of which nothing is known', () => {
    const stack = aStack()
    const role = Role.fromName(stack, 'Support', { label: 'support' })
    expect(() => expect(stack).toHaveGrant('a', { id: role.id })).toThrow('"role" is known only in a plan')
  })
})
