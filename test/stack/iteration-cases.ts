import { Fn, TerraformCount, TerraformIterator, TerraformVariable, Token } from 'cdktf'
import { describe, expect, it } from 'vitest'
import { FeatureFlag } from '../../src/constructs/generated/feature-flag/index.ts'
import { FeatureFlagRoleAccess } from '../../src/constructs/generated/feature-flag-role-access/index.ts'
import { supportRole } from '../support/builders.ts'
import { desiredOf, problemsOf } from './load.ts'

const off = { active: false }

/** A resource that stands for several, and what is refused of it, with whichever library `cdktf` names. */
export function describeIterations(): void {
  describe('a resource stands for several', () => {
    it('with a map', async () => {
      const desired = await desiredOf(stack => {
        const each = TerraformIterator.fromMap({ b: { share: 4, name: 'two' }, a: { share: 3, name: 'one' } })
        new FeatureFlag(stack, 'flags', {
          forEach: each,
          key: `k-${each.key}`,
          name: each.getString('name'),
          release: [{ rolloutPercentage: each.getNumber('share') }],
        })
      })
      const released = (percent: number) => ({ groups: [{ rollout_percentage: percent }] })
      expect(desired.map(({ address, fields }) => [address, fields])).toEqual([
        ['feature_flag.k-a', { name: 'one', filters: released(3) }],
        ['feature_flag.k-b', { name: 'two', filters: released(4) }],
      ])
    })

    it('with a list, each once', async () => {
      const desired = await desiredOf(stack => {
        const each = TerraformIterator.fromList(['y', 'x', 'y'])
        new FeatureFlag(stack, 'flags', { forEach: each, key: `k-${each.value}`, ...off })
      })
      expect(desired.map(({ identity }) => identity)).toEqual(['k-x', 'k-y'])
    })

    it('with a variable', async () => {
      const build = (stack: ConstructorParameters<typeof TerraformVariable>[0]) => {
        const shares = new TerraformVariable(stack, 'shares', { type: 'map(number)' })
        const each = TerraformIterator.fromMap(Token.asNumberMap(shares.value))
        new FeatureFlag(stack, 'flags', {
          forEach: each,
          key: each.key,
          release: [{ rolloutPercentage: Token.asNumber(each.value) }],
        })
      }
      const desired = await desiredOf(build, { variables: { shares: '{ a = 1, b = 99 }' } })
      expect(desired.map(({ identity }) => identity)).toEqual(['a', 'b'])
      expect(await desiredOf(build, { variables: { shares: '{}' } })).toEqual([])
    })

    it('with the resources of another', async () => {
      const desired = await desiredOf(stack => {
        const each = TerraformIterator.fromList(['a', 'b'])
        const flags = new FeatureFlag(stack, 'flags', { forEach: each, key: each.value, ...off })
        const flag = TerraformIterator.fromResources(flags)
        new FeatureFlagRoleAccess(stack, 'grants', {
          forEach: flag,
          featureFlagId: flag.getString('id'),
          roleId: supportRole,
        })
      })
      expect(desired.map(({ address }) => address)).toEqual([
        'feature_flag.a',
        'feature_flag.b',
        `feature_flag_role_access.a:${supportRole}`,
        `feature_flag_role_access.b:${supportRole}`,
      ])
    })

    it('with a count', async () => {
      const desired = await desiredOf(stack => {
        const count = TerraformCount.of(3)
        const flags = new FeatureFlag(stack, 'flags', {
          count,
          key: `k-${Token.asString(count.index)}`,
          active: '${count.index == 1 ? true : false}' as unknown as boolean,
        })
        new FeatureFlag(stack, 'last', { key: `last-\${${flags.fqn}[2].key}`, ...off })
        new FeatureFlag(stack, 'none', { count: TerraformCount.of(0), key: 'never', ...off })
      })
      expect(desired.map(({ identity, fields }) => [identity, fields.active])).toEqual([
        ['k-0', false],
        ['k-1', true],
        ['k-2', false],
        ['last-k-2', false],
      ])
    })

    it('and one of them can be named', async () => {
      const desired = await desiredOf(stack => {
        const each = TerraformIterator.fromMap({ a: {}, b: {} })
        const flags = new FeatureFlag(stack, 'flags', { forEach: each, key: `k-${each.key}`, ...off })
        new FeatureFlagRoleAccess(stack, 'grant', {
          featureFlagId: `\${${flags.fqn}["b"].id}`,
          roleId: supportRole,
        })
      })
      expect(desired.map(({ parent }) => parent)).toEqual([undefined, undefined, { key: 'k-b' }])
    })
  })

  describe('an iteration is refused', () => {
    it.each([
      [
        'over a list',
        'for_each',
        '${["a", "b"]}',
        'for_each: a tuple is neither a map nor a set of texts; write toset([...]) around a list',
      ],
      [
        'over numbers',
        'for_each',
        '${toset([1, 2])}',
        'for_each: the set contains elements that are not texts',
      ],
      [
        'over null',
        'for_each',
        '${tomap(null)}',
        'for_each: null is neither a map nor a set of texts; write toset([...]) around a list',
      ],
      [
        'over what is unknown',
        'for_each',
        '${toset([vexil_feature_flag.other.id])}',
        'for_each: the value of for_each comes from vexil_feature_flag.other.id, which only the service knows; take a value that the stack sets itself, or run this stack with Terraform',
      ],
      [
        'over what is sensitive',
        'for_each',
        '${toset([sensitive("a")])}',
        'for_each: the keys of for_each are sensitive; use a value that is not sensitive',
      ],
      ['so many times', 'count', 1.5, 'count: the count is not a whole number, or is negative'],
      ['less than never', 'count', -1, 'count: the count is not a whole number, or is negative'],
      [
        'as often as is unknown',
        'count',
        '${length(vexil_feature_flag.other.id)}',
        'count: the count comes from vexil_feature_flag.other.id, which only the service knows; take a value that the stack sets itself, or run this stack with Terraform',
      ],
      ['far too often', 'count', 1e9, 'count: the count is over 100000; declare fewer of them'],
    ])('%s', async (_, name, value, line) => {
      const problems = await problemsOf(stack => {
        new FeatureFlag(stack, 'other', { key: 'other', ...off })
        new FeatureFlag(stack, 'flags', { key: 'k', ...off }).addOverride(name, value)
      })
      expect(problems).toEqual([`vexil_feature_flag.flags.${line}`])
    })

    it('both ways at once', async () => {
      const problems = await problemsOf(stack => {
        const flag = new FeatureFlag(stack, 'flags', { key: 'k', ...off })
        flag.addOverride('count', 2)
        flag.addOverride('for_each', { a: 1 })
      })
      expect(problems).toEqual(['vexil_feature_flag.flags.for_each: count is set too; remove one of them'])
    })

    it('once for all its instances', async () => {
      const problems = await problemsOf(stack => {
        const each = TerraformIterator.fromList(['a', 'b', 'c'])
        new FeatureFlag(stack, 'flags', { forEach: each, key: each.value, name: Fn.uuid(), ...off })
      })
      expect(problems).toEqual([
        'vexil_feature_flag.flags["a"].name: function uuid(): is impure: it gives something else at every run; give the value as a variable',
      ])
    })
  })
}
