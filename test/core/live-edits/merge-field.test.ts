import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mergeField, mergeTags } from '../../../src/core/live-edits/three-values.ts'
import { declarableKind } from '../../../src/kinds/index.ts'
import type { Json } from '../../../src/model/text/json.ts'

const flag = declarableKind('feature_flag')
const germans = { properties: [{ key: 'country', value: ['DE'], type: 'person' }] }
const at = (rollout_percentage: number, more: Json = {}) => ({
  groups: [{ ...germans, rollout_percentage }],
  ...(more as object),
})

describe('a field that was changed on both sides', () => {
  it('is merged where it holds release conditions', () => {
    const [base, declared] = [at(10), at(30)]
    const live = { groups: [{ ...germans, rollout_percentage: 10 }, { rollout_percentage: 1 }] }
    expect(mergeField(flag, 'filters', { base, declared, live })).toEqual({
      is: 'merged',
      value: { groups: [{ ...germans, rollout_percentage: 30 }, { rollout_percentage: 1 }] },
    })
  })

  it('keeps what other parts of the product have written, and takes it for no change', () => {
    const holdout = { id: 3, exclusion_percentage: 10 }
    const live = { groups: [{ ...germans, rollout_percentage: 10 }, {}], holdout }
    const merged = mergeField(flag, 'filters', { base: at(10), declared: at(30), live })
    expect(merged).toMatchObject({ is: 'merged', value: { holdout } })
    expect(mergeField(flag, 'filters', { base: at(10), declared: at(30, { holdout }), live })).toEqual(merged)
  })

  it('is merged where it holds tags', () => {
    const three = { base: ['a', 'b'], declared: ['a', 'b', 'c'], live: ['A ', 'd'] }
    expect(mergeField(flag, 'tags', three)).toEqual({ is: 'merged', value: ['a', 'c', 'd'] })
  })

  it.each(['name', 'evaluation_contexts', 'active', 'exists'])('is a conflict where it is %s', field => {
    expect(mergeField(flag, field, { base: ['a', 'b'], declared: ['a'], live: ['b'] })).toEqual({
      is: 'conflict',
      reason: `${field} was changed in the repository and in the product`,
    })
  })

  it.each(['filters', 'tags'])('is a conflict where nobody knows what %s was', field => {
    expect(mergeField(flag, field, { base: undefined, declared: [], live: ['b'] })).toEqual({
      is: 'conflict',
      reason: `${field} was changed in the repository and in the product, and its earlier value is not available`,
    })
  })

  it('is a conflict where tags are none', () => {
    expect(mergeField(flag, 'tags', { base: ['a'], declared: ['b'], live: 'x' })).toEqual({
      is: 'conflict',
      reason: 'the tags of one side cannot be read',
    })
  })
})

describe('tags that were changed on both sides', () => {
  it.each([
    ['put on on both sides', ['a'], ['a', 'b'], ['a', 'c'], undefined, ['a', 'b', 'c']],
    ['taken off on both sides', ['a', 'b', 'c'], ['b', 'c'], ['a', 'c'], undefined, ['c']],
    ['taken off here, kept there', ['a', 'b'], ['a'], ['a', 'b', 'c'], undefined, ['a', 'c']],
    ['the ownership tag, taken off there', ['a', 'ours'], ['b', 'ours'], ['a'], 'Ours', ['b', 'ours']],
    ['the ownership tag, which is set here no more', ['a'], ['b'], ['a', 'ours'], 'ours', ['b']],
    [
      'an owner that is declared',
      ['owner:x'],
      ['a', 'owner:y'],
      ['owner:z', 'b'],
      undefined,
      ['a', 'b', 'owner:y'],
    ],
    ['an owner that is not declared', ['a'], ['b'], ['a', 'owner:z'], undefined, ['b', 'owner:z']],
  ] as const)('%s', (_, base, declared, live, ownershipTag, merged) => {
    expect(mergeTags({ base, declared, live }, ownershipTag)).toEqual(merged)
  })

  it('are put on where one side put them on, and off where one side took them off', () => {
    const tags = fc.subarray(['a', 'b', 'c', 'd', 'e'])
    fc.assert(
      fc.property(tags, tags, tags, (base, declared, live) => {
        const merged = mergeTags({ base, declared, live })
        const expected = ['a', 'b', 'c', 'd', 'e'].filter(tag => {
          const [ours, theirs] = [declared.includes(tag), live.includes(tag)]
          return ours === theirs ? ours : !base.includes(tag)
        })
        expect(merged).toEqual(expected)
      }),
    )
  })
})
