import { Fn, propertyAccess, TerraformIterator, TerraformLocal, TerraformVariable, Token } from 'cdktf'
import { describe, expect, it } from 'vitest'
import { FeatureFlag } from '../../src/constructs/generated/feature-flag/index.ts'
import { desiredOf, fieldsOf } from './load.ts'

const off = { active: false }

/** What iterators make and go through, with whichever library `cdktf` names. */
export function describeIterators(): void {
  describe('iterators', () => {
    it('make the conditions of a flag: iterator.dynamic', async () => {
      const fields = await fieldsOf(stack => {
        const shares = TerraformIterator.fromList(['3', '5'])
        new FeatureFlag(stack, 'flag', {
          key: 'flag',
          ...off,
          release: shares.dynamic({ rollout_percentage: Token.asNumber(shares.value) }) as never,
        })
      })
      expect(fields?.filters).toMatchObject({
        groups: [{ rollout_percentage: 3 }, { rollout_percentage: 5 }],
      })
    })

    it('go through a complex list: fromComplexList', async () => {
      const desired = await desiredOf(stack => {
        const list = new TerraformLocal(stack, 'list', [
          { name: 'a', text: 'one' },
          { name: 'b', text: 'two' },
        ])
        const each = TerraformIterator.fromComplexList(list.expression, 'name')
        new FeatureFlag(stack, 'flags', {
          forEach: each,
          key: each.getString('name'),
          name: each.getString('text'),
          ...off,
        })
      })
      expect(desired.map(({ identity, fields }) => [identity, fields.name])).toEqual([
        ['a', 'one'],
        ['b', 'two'],
      ])
    })

    it('take one property of each: pluckProperty, keys and values', async () => {
      const fields = await fieldsOf(stack => {
        const each = TerraformIterator.fromMap({ a: { team: 'x' }, b: { team: 'y' } })
        new FeatureFlag(stack, 'flag', {
          key: 'flag',
          ...off,
          tags: Token.asList(each.pluckProperty('team')),
          name: Fn.join(',', Token.asList(each.keys())),
        })
      })
      expect(fields).toMatchObject({ name: 'a,b', tags: ['x', 'y'] })
    })

    it('make lists and maps: forExpressionForList, forExpressionForMap', async () => {
      const fields = await fieldsOf(stack => {
        const names = new TerraformVariable(stack, 'names', { type: 'list(string)', default: ['a', 'b'] })
        const each = TerraformIterator.fromList(names.listValue)
        const map = each.forExpressionForMap('val', 'upper(val)')
        new FeatureFlag(stack, 'flag', {
          key: 'flag',
          ...off,
          tags: Token.asList(each.forExpressionForList('"tag-${val}"')),
          name: Token.asString(propertyAccess(map, ['b'])),
        })
      })
      expect(fields).toMatchObject({ name: 'B', tags: ['tag-a', 'tag-b'] })
    })

    it('go through other resources, also in a splat', async () => {
      const desired = await desiredOf(stack => {
        const each = TerraformIterator.fromMap({ a: {}, b: {} })
        const flags = new FeatureFlag(stack, 'z_flags', { forEach: each, key: each.key, ...off })
        new FeatureFlag(stack, 'flag', {
          key: 'flag',
          ...off,
          name: `\${join(",", values(${flags.fqn})[*].key)}`,
        })
      })
      expect(desired.find(({ identity }) => identity === 'flag')?.fields.name).toBe('a,b')
    })
  })
}
