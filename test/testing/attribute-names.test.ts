import { describe, expect, it } from 'vitest'
import { propertyOf } from '../../src/constructs/engine/engine-marks.ts'
import { DataVexilFeatureFlag, FeatureFlag, Flag, When } from '../../src/constructs/index.ts'
import { terraformSchema } from '../../src/schema/terraform/terraform-schema.ts'
import { asSynthesized } from '../../src/testing/block-expectation.ts'
import '../../src/testing/vitest.ts'
import { aStack } from '../constructs/a-stack.ts'
import { aShop } from './shop.ts'

/** Every type of ours, with the names of its attributes; those of lists of objects behind them. */
function everyType(): [type: string, names: readonly (readonly string[])[]][] {
  const { resources, dataSources, provider } = terraformSchema()
  const blocks = [
    ...Object.entries(resources),
    ...Object.entries(dataSources).map(([name, block]) => [`data.${name}`, block] as const),
    ['provider.vexil', provider] as const,
  ]
  return blocks.map(([type, { attributes }]) => [
    type,
    Object.entries(attributes).flatMap(([name, attribute]) => [
      [name],
      ...('list' in attribute ? Object.keys(attribute.list).map(inner => [name, inner]) : []),
    ]),
  ])
}

function nested(path: readonly string[]): object {
  const [name = '', inner] = path
  return { [name]: inner === undefined ? 1 : [{ [inner]: 1 }] }
}

describe('the names of expected attributes', () => {
  it.each(everyType())('are those of a stack or of a construct: %s', (type, paths) => {
    for (const path of paths) {
      const expected = nested(path)
      expect(asSynthesized(type, { ...expected })).toEqual(expected)
      expect(asSynthesized(type, { ...nested(path.map(propertyOf)) })).toEqual(expected)
    }
    expect(() => asSynthesized(type, { xyzzy: 1 })).toThrow(
      `"xyzzy" is not an attribute of ${type}; there are `,
    )
  })

  it('may stand in lists, in matchers, and beside what Terraform takes in every block', () => {
    const release = [{ rolloutPercentage: 25, properties: [{ key: 'country' }] }]
    expect(aShop()).toHaveResource(Flag, { release })
    expect(aShop()).not.toHaveResource(Flag, { release: [{ rolloutPercentage: 26 }] })
    expect(aShop()).toHaveResource(Flag, { release: [expect.objectContaining({ rolloutPercentage: 25 })] })
    const some = expect.arrayContaining([expect.objectContaining({ rolloutPercentage: 25 })])
    expect(aShop()).toHaveResource(Flag, { release: some })
    expect(aShop()).toHaveResource(Flag, { release: [expect.not.objectContaining({ groupTypeIndex: 1 })] })
    const stack = aStack()
    new Flag(stack, 'A', { key: 'a', protect: true })
    expect(stack).toHaveResource(Flag, { lifecycle: { preventDestroy: true } })
  })

  it('are left as they are in JSON and in maps', () => {
    const stack = aStack()
    new FeatureFlag(stack, 'A', { key: 'a', filters: '{"groups":[{"rollout_percentage":5}]}' })
    expect(stack).toHaveResource(Flag, { filters: { groups: [{ rollout_percentage: 5 }] } })
    expect(stack).not.toHaveResource(Flag, { filters: { groups: [{ rolloutPercentage: 5 }] } })
    expect(stack).toHaveResource(Flag, { filters: expect.objectContaining({ groups: expect.any(Array) }) })
  })

  it.each<[string, Record<string, unknown>, string]>([
    [
      'a misspelled one',
      { actve: true },
      '"actve" is not an attribute of vexil_feature_flag; did you mean "active"?',
    ],
    ['a misspelled one of two words', { projctId: '1' }, 'did you mean "projectId"?'],
    ['one misspelled as Terraform has it', { projct_id: '1' }, 'did you mean "project_id"?'],
    [
      'one further in',
      { release: [{ rolloutPercent: 1 }] },
      'release[0]: "rolloutPercent" is not an attribute',
    ],
    ['one in a matcher', { release: expect.arrayContaining([{ shown: 1 }]) }, 'release[0]: "shown" is no'],
    [
      'one that is there twice',
      { projectId: '1', project_id: '1' },
      '"project_id" and "project_id" are the same attribute; expect it once',
    ],
    ['what only a construct has', { protect: true }, 'lifecycle: { preventDestroy: true }'],
    [
      'a condition of ours',
      { release: [When.everyone()] },
      'release[0]: a stack does not contain a When; expect its result, such as { rolloutPercentage: 5 }',
    ],
  ])('are refused, whatever is there: %s', (_, attributes, message) => {
    expect(() => expect(aShop()).toHaveResource(Flag, attributes)).toThrow(message)
    expect(() => expect(aShop()).not.toHaveResource(Flag, attributes)).toThrow(message)
  })

  it('are those of a data source where one is meant', () => {
    const stack = aStack()
    Flag.fromKey(stack, 'Theirs', 'theirs', { projectId: '3' })
    expect(stack).toHaveResource(DataVexilFeatureFlag, { projectId: '3' })
    expect(() => expect(stack).not.toHaveResource(DataVexilFeatureFlag, { earlyExit: true })).toThrow(
      '"earlyExit" is not an attribute of data.vexil_feature_flag',
    )
  })

  it('belong to a type that there is', () => {
    expect(() => expect(aShop()).not.toHaveResource('vexil_feature_flags')).toThrow(
      'there is no vexil_feature_flags; did you mean "vexil_feature_flag"?',
    )
    expect(() => expect(aShop()).not.toHaveResource('data.vexil_feature_flg')).toThrow(
      'did you mean "data.vexil_feature_flag"?',
    )
  })
})
