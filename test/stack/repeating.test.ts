import { Fn, propertyAccess, TerraformIterator, TerraformLocal, TerraformVariable, Token } from 'cdktf'
import { describe, expect, it } from 'vitest'
import { FeatureFlag } from '../../src/constructs/generated/feature-flag/index.ts'
import { desiredOf, fieldsOf, problemsOf } from './load.ts'

const off = { active: false }

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

describe('what repeats itself ends', () => {
  const range = 'range(1000)'
  it.each([
    [
      'loops within each other',
      `\${length([for a in ${range} : [for b in ${range} : [for c in ${range} : [for d in ${range} : 1]]]])}`,
      'going through more than 1000000 elements',
    ],
    [
      'texts that grow',
      `\${length(join("", [for a in ${range} : format("%9999s%9999s", "", "")]))}`,
      'a text of more than 16777216 characters',
    ],
    ['long formats', '${format("%999999999s", "")}', 'a text of more than 16777216 characters'],
    [
      'products',
      `\${length(setproduct(${range}, ${range}, ${range}))}`,
      'a list of more than 1000000 elements',
    ],
  ])('%s', async (_, text, words) => {
    const problems = await problemsOf(stack => {
      new FeatureFlag(stack, 'flag', { key: 'flag', ...off, name: text })
    })
    expect(problems).toHaveLength(1)
    expect(problems[0]).toContain(words)
  })

  it('values that hold each other twice', async () => {
    const problems = await problemsOf(stack => {
      new FeatureFlag(stack, 'flag', { key: 'flag', ...off, name: '${length(local.l40)}' })
      stack.addOverride('locals.l0', ['x', 'y'])
      for (let level = 1; level <= 40; level++)
        stack.addOverride(`locals.l${level}`, [`\${local.l${level - 1}}`, `\${local.l${level - 1}}`])
    })
    expect(problems).toHaveLength(1)
    expect(problems[0]).toContain('a value of more than 2000000 parts')
  })
})
