import { TerraformResource, TerraformStack } from 'cdktf'
import { expect as jestExpect } from 'expect'
import { describe, expect, it } from 'vitest'
import { EventDefinition, FeatureFlag, Flag, Tags, VexilProvider, When } from '../../src/constructs/index.ts'
import { capture, matchers } from '../../src/testing/index.ts'
import '../../src/testing/vitest.ts'
import { anApp, aStack } from '../constructs/a-stack.ts'

jestExpect.extend(matchers as never)

function aTaggedStack() {
  const stack = new TerraformStack(anApp(), 'shop')
  new VexilProvider(stack, 'vexil', { projectId: '7', defaultTags: ['managed', 'vexil'] })
  const release = [When.person('country').is('DE', 'AT').at(25)]
  new Flag(stack, 'A', { key: 'a', active: true, release, tags: ['team-b', 'beta', 'team-a'] })
  EventDefinition.named(stack, 'paid').tag('payments', 'checkout')
  return stack
}

describe.each(Object.entries({ vitest: expect, jest: jestExpect as unknown as typeof expect }))(
  'a set in %s',
  (_, framework) => {
    it.each<[string, readonly unknown[]]>([
      ['its own order', ['team-b', 'beta', 'team-a']],
      ['another', ['beta', 'team-a', 'team-b']],
      ['another, one of them twice', ['beta', 'team-a', 'team-b', 'beta']],
      ['matchers before what is plain', [framework.any(String), framework.any(String), 'beta']],
      [
        'matchers that would take each other\u2019s',
        [framework.any(String), framework.stringMatching(/^team/), framework.stringMatching(/b$/)],
      ],
    ])('is as expected in %s', (_order, tags) => {
      framework(aTaggedStack()).toHaveResource(Flag, { tags })
      expect(() => framework(aTaggedStack()).not.toHaveResource(Flag, { tags })).toThrow(
        'expected no vexil_feature_flag like vexil_feature_flag.a, but the stack has it',
      )
    })

    it.each<[string, readonly unknown[]]>([
      ['with one too few', ['beta', 'team-a']],
      ['with one too many', ['beta', 'team-a', 'team-b', 'x']],
      ['with another', ['beta', 'team-a', 'x']],
      [
        'where two matchers mean one',
        [framework.any(String), framework.stringMatching(/^beta/), framework.stringMatching(/^be/)],
      ],
    ])('is not as expected %s', (_lack, tags) => {
      framework(aTaggedStack()).not.toHaveResource(Flag, { tags })
    })

    it('is captured from', () => {
      const others = [capture<string>(), capture<string>()]
      framework(aTaggedStack()).toHaveResource(Flag, { tags: [others[0], 'beta', others[1]] })
      expect(others.map(({ value }) => value).sort()).toEqual(['team-a', 'team-b'])
    })
  },
)

describe('what has no order', () => {
  it('is what is tagged from around, of a provider and of events too', () => {
    const stack = aTaggedStack()
    Tags.of(stack).add('team:growth')
    expect(stack).toHaveResource(Flag, { tags: ['beta', 'team:growth', 'team-a', 'team-b'] })
    expect(stack).toHaveResource(EventDefinition, { tags: ['team:growth', 'checkout', 'payments'] })
    expect(stack).toHaveProvider(VexilProvider, { defaultTags: ['vexil', 'managed'] })
  })

  it('are the values that a condition compares, but for the bounds of a range', () => {
    const values = (...expected: string[]) => ({ release: [{ properties: [{ values: expected }] }] })
    expect(aTaggedStack()).toHaveResource(Flag, values('AT', 'DE'))
    const stack = aStack()
    const properties = [{ key: 'age', operator: 'between' as const, values: ['1', '10'] }]
    new FeatureFlag(stack, 'Range', { key: 'range', release: [{ properties }] })
    expect(stack).toHaveResource(Flag, values('1', '10'))
    expect(stack).not.toHaveResource(Flag, values('10', '1'))
  })

  it('has one within the matchers of the framework, which compare themselves', () => {
    const within = (...values: string[]) => ({
      release: [expect.objectContaining({ properties: [{ values, key: 'country' }] })],
    })
    expect(aTaggedStack()).toHaveResource(Flag, within('DE', 'AT'))
    expect(aTaggedStack()).not.toHaveResource(Flag, within('AT', 'DE'))
  })

  it('are not the conditions of a flag, nor lists of other providers', () => {
    const stack = aStack()
    new Flag(stack, 'A', { key: 'a', release: [When.person('country').is('DE'), When.everyone().at(5)] })
    expect(stack).not.toHaveResource(Flag, { release: [{ rolloutPercentage: 5 }, {}] })
    const other = new TerraformResource(stack, 'other', { terraformResourceType: 'other_thing' })
    other.addOverride('tags', ['a', 'b'])
    expect(stack).not.toHaveResource('other_thing', { tags: ['b', 'a'] })
  })

  it('is shown as a whole where it is not as expected', () => {
    expect(() => expect(aTaggedStack()).toHaveResource(Flag, { tags: ['beta'] })).toThrow(
      '  /tags: expected ["beta"], got ["team-b","beta","team-a"]',
    )
  })
})
