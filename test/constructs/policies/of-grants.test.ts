import { TerraformIterator, TerraformVariable } from 'cdktf'
import { describe, expect, it } from 'vitest'
import {
  Flag,
  type GrantSubject,
  GrantsOnlyTo,
  Policy,
  Role,
} from '../../../src/constructs/own-constructs.ts'
import { usePolicedStack } from './policed-stack.ts'

const id = '01900000-0000-0000-0000-0000000000aa'
const support = Role.fromId(id, 'support')
const { stack, under, flag, generated } = usePolicedStack()

const refused = (what: string) => `error: flag "checkout": ${what}`
const stranger = refused('the role "support" gets a grant, but only "audit" may have one')

describe('GrantsOnlyTo', () => {
  it.each([
    ['itself', support],
    ['its id', id.toUpperCase()],
    ['its name', 'support'],
  ])('takes a role by %s', (_, role) => {
    flag({ active: false }).grants.edit(support)
    expect(under(new GrantsOnlyTo([role])).said).toEqual([])
  })

  it('goes by the id of a role, whatever it is called', () => {
    flag({ active: false }).grants.edit(support)
    const other = Role.fromId('01900000-0000-0000-0000-0000000000bb', 'support')
    expect(under(new GrantsOnlyTo([other])).said).toEqual([
      `[production/Checkout/Grant support] ${refused(`the role "support" gets a grant, but only "${other.id}" may have one`)}`,
    ])
  })

  it('leaves the grants of a flag alone that it is told to', () => {
    flag({ active: false }).grants.edit(support)
    expect(under(new GrantsOnlyTo([], { except: ['checkout'] })).said).toEqual([])
  })

  it('knows the flag that is declared elsewhere, and one that stands for several', () => {
    Flag.fromKey(stack(), 'Elsewhere', 'checkout').grants.edit(support)
    const each = TerraformIterator.fromList(['a', 'b'])
    new Flag(stack(), 'Each', { key: each.value, active: false, forEach: each }).grants.edit(support)
    expect(under(new GrantsOnlyTo(['audit'])).said).toEqual([
      `[production/Elsewhere/Grant support] ${stranger}`,
      '[production/Each/Grant support] error: grant: the role "support" gets a grant, but only "audit" may have one',
    ])
  })

  it('bounds the level', () => {
    const { grants } = flag({ active: false })
    grants.edit(support)
    grants.give(Role.fromId('01900000-0000-0000-0000-0000000000bb', 'audit'), 'viewer')
    grants.give(Role.fromId('01900000-0000-0000-0000-0000000000cc', 'leads'), 'manager')
    const most = 'at most "viewer" is allowed'
    const { said } = under(new GrantsOnlyTo(['support', 'audit', 'leads'], { atMost: 'viewer' }))
    expect(said.filter(line => line.includes(' error: '))).toEqual([
      `[production/Checkout/Grant support] ${refused(`the level is "editor", but ${most}`)}`,
      `[production/Checkout/Grant leads] ${refused(`the level is "manager", but ${most}`)}`,
    ])
  })

  it('cannot tell of a role whose id is unknown', () => {
    const later = new TerraformVariable(stack(), 'role', { type: 'string' }).stringValue
    flag({ active: false }).grants.edit(Role.fromId(later, 'growth'))
    expect(under(new GrantsOnlyTo([id])).said).toEqual([
      '[production/Checkout/Grant growth] warn: flag "checkout": its role is known only in a plan: GrantsOnlyTo is decided when Vexil plans the stack, not by Terraform',
    ])
  })

  it('refuses a level that there is not, and something else than roles', () => {
    expect(() => new GrantsOnlyTo([], { atMost: 'owner' as never })).toThrow(
      '"atMost" cannot be "owner"; the levels are none, viewer, editor, manager',
    )
    expect(() => new GrantsOnlyTo([5 as never])).toThrow(
      '"roles[0]" is 5, not a role; write Role.fromName(scope, name) or Role.fromId(id, name)',
    )
  })
})

describe("a policy of one's own", () => {
  class NoGrants extends Policy {
    public readonly seen: GrantSubject[] = []

    public constructor() {
      super({})
    }

    protected override apply(): void {}

    protected override applyToGrant(grant: GrantSubject): void {
      this.seen.push(grant)
      this.refuse(grant, 'nobody gets grants')
    }
  }

  it('sees grants', () => {
    generated({})
    flag({ active: false }).grants.edit(support)
    const policy = new NoGrants()
    expect(under(policy).said).toEqual([
      '[production/Checkout/Grant support] error: flag "checkout": nobody gets grants',
    ])
    expect(policy.seen).toMatchObject([
      { flag: 'checkout', roleId: id, roleName: 'support', level: 'editor', attributes: { role_id: id } },
    ])
  })
})
