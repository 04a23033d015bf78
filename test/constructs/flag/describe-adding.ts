import { Aspects, TerraformVariable, Testing, Token } from 'cdktf'
import { describe, expect, it } from 'vitest'
import { Flag, FlagSet, Variants, When } from '../../../src/constructs/own-constructs.ts'
import { aStack, flagAttributes, saidOf, synthesized } from '../a-stack.ts'

const staff = When.person('email').contains('@example.com')
const austria = When.person('country').is('AT').at(10)
const few = When.everyone().at(5)

function checkout(props: object = {}) {
  const stack = aStack()
  return { stack, flag: new Flag(stack, 'Checkout', { key: 'checkout', active: true, ...props }) }
}

function attributes(stack: ReturnType<typeof aStack>) {
  return synthesized(stack).resource.vexil_feature_flag.checkout
}

/** For whichever engine `cdktf` is. */
export function describeAdding(): void {
  describe('conditions that are added to a flag', () => {
    it.each([
      ['alone', {}],
      ['beside variants', { variants: Variants.even('a', 'b') }],
      ['beside a payload', { payload: { a: 1 } }],
      ['beside an early exit', { earlyExit: true }],
      ['beside members of the service', { filters: { super_groups: [] } }],
    ])('are what they would be if all were declared at once: %s', (_, props) => {
      const { stack, flag } = checkout({ ...props, release: [staff] })
      expect(flag.addRelease(austria, few).addRelease(When.cohort(3))).toBe(flag)
      const release = [staff, austria, few, When.cohort(3)]
      expect(attributes(stack)).toEqual(flagAttributes({ active: true, ...props, release }))
    })

    it('count the groups of the flag', () => {
      const pro = When.group('plan').is('pro')
      const { stack, flag } = checkout({ groupTypeIndex: 1, release: [] })
      expect(() => flag.addRelease(staff)).toThrow(
        'a property of type "person" in a flag that is released to groups',
      )
      flag.addRelease(pro)
      expect(attributes(stack)).toEqual(flagAttributes({ active: true, groupTypeIndex: 1, release: [pro] }))
    })

    it('may be the first that say who gets it', () => {
      const { stack, flag } = checkout()
      flag.addRelease(few)
      expect(attributes(stack)).toEqual(flagAttributes({ active: true, release: [few] }))
      expect(saidOf(stack)).toEqual([])
    })

    it('may need the form of the service where those before did not', () => {
      const { stack, flag } = checkout({ release: [few], payload: 1 })
      flag.addRelease(When.flag('other').serves('true'))
      const release = [few, When.flag('other').serves('true')]
      expect(attributes(stack)).toEqual(flagAttributes({ active: true, payload: 1, release }))
      expect(attributes(stack)).not.toHaveProperty('release')
    })

    it('change nothing where there are none', () => {
      const { stack, flag } = checkout()
      flag.addRelease()
      expect(attributes(stack)).toEqual({ key: 'checkout', active: true })
    })

    it('are checked at once, with those before, and a refused one is not added', () => {
      const { stack, flag } = checkout({ release: [few], variants: Variants.even('a', 'b') })
      expect(() => flag.addRelease(austria, When.everyone().serve('c').at(101))).toThrow(
        'flag "checkout" at "flags/Checkout": condition 3: 101 is not a percentage (write a number from 0 to 100); ' +
          'condition 3: "c" is not a variant of this flag (the variants are "a", "b")',
      )
      expect(attributes(stack).release).toEqual([{ rollout_percentage: 5 }])
    })

    it('are warned of like all others', () => {
      const { stack, flag } = checkout({ release: [When.everyone()] })
      flag.addRelease(austria)
      expect(saidOf(stack)).toEqual([
        '[flags/Checkout] warn: condition 2 can never match: condition 1 takes everyone at 100% (remove it, or move it to the first place)',
      ])
    })

    it.each([
      ['a reference', (flag: Flag) => flag.resource.putRelease(Token.asAny('${var.r}') as never), 'release'],
      [
        'a share of everybody',
        (flag: Flag) => Object.assign(flag.resource, { rolloutPercentage: 5 }),
        'rolloutPercentage',
      ],
      ['other conditions', (flag: Flag) => flag.resource.putRelease([]), 'release'],
      [
        'other filters',
        (flag: Flag) => Object.assign(flag.resource, { filters: '{"groups":[]}' }),
        'filters',
      ],
    ])('are refused where the generated construct was given %s by hand', (_, give, name) => {
      const { flag } = checkout({ release: [few] })
      give(flag)
      expect(() => flag.addRelease(austria)).toThrow(
        `flag "checkout" at "flags/Checkout": "${name}" of the generated construct was set by hand, so nothing can be added ` +
          'to it; set all conditions there: flag.resource.putRelease(...)',
      )
    })

    it('are refused beside conditions that are written as the service has them', () => {
      const { flag } = checkout({ filters: { groups: [] } })
      expect(() => flag.addRelease(few)).toThrow(
        'flag "checkout" at "flags/Checkout": "release" and "filters.groups" mean the same: remove one of them',
      )
    })

    it('are refused once the stack is synthesized', () => {
      const { stack, flag } = checkout({ release: [few] })
      Testing.synth(stack)
      const late =
        '(...) was called after its stack was synthesized, or after its aspects ran: call it before app.synth()'
      expect(() => flag.addRelease(austria)).toThrow(`flag "checkout" at "flags/Checkout": addRelease${late}`)
      expect(() => flag.tag('late')).toThrow(`flag "checkout" at "flags/Checkout": tag${late}`)
    })

    it('may come from an aspect that visits the flag', () => {
      const { stack, flag } = checkout({ release: [few] })
      Aspects.of(stack).add({ visit: node => void (node === flag && flag.addRelease(austria).tag('eu')) })
      expect(attributes(stack)).toEqual(
        flagAttributes({ active: true, release: [few, austria], tags: ['eu'] }),
      )
    })
  })

  describe('tags that are added to a flag', () => {
    it('come behind those that it has, each once', () => {
      const { stack, flag } = checkout({ tags: ['shop', 'pay'] })
      expect(flag.tag('beta', 'shop').tag('beta')).toBe(flag)
      expect(attributes(stack).tags).toEqual(['shop', 'pay', 'beta'])
    })

    it('join those that are known only once a plan is made', () => {
      const stack = aStack()
      const tags = new TerraformVariable(stack, 'tags', { type: 'list(string)' }).listValue
      new Flag(stack, 'Checkout', { key: 'checkout', active: false, tags }).tag('beta')
      expect(attributes(stack).tags).toBe('${concat(var.tags, ["beta"])}')
    })

    it('are checked at once', () => {
      const { flag } = checkout()
      expect(() => flag.tag('ok', ' ')).toThrow('flag "checkout" at "flags/Checkout": ')
      expect(() => flag.tag('x'.repeat(300))).toThrow('tags[0]')
    })
  })

  it('a flag of a set is added to without the others', () => {
    const stack = aStack()
    const release = [few]
    const flags = FlagSet.of(stack, { one: {}, two: {} }, { active: true, release, tags: ['shop'] })
    flags.one.addRelease(austria).tag('beta')
    expect(release).toEqual([few])
    const { one, two } = synthesized(stack).resource.vexil_feature_flag
    expect([one.release.length, two.release.length]).toEqual([2, 1])
    expect([one.tags, two.tags]).toEqual([['shop', 'beta'], ['shop']])
  })
}
