import { describe, expect, it } from 'vitest'
import { declarableKinds } from '../../../src/kinds/index.ts'
import { managedFields } from '../../../src/model/kind.ts'
import {
  defaultLiveEdits,
  defaultMember,
  existsField,
  layLiveEdits,
  liveEditWay,
  parseLiveEdits,
} from '../../../src/model/live-edit-policy.ts'

const fields = ['active', 'filters', 'exists', 'tags', 'name']

describe('the policy of live edits', () => {
  it.each([
    ['nothing', undefined, ['hold', 'hold', 'hold', 'revert', 'revert']],
    ['an empty map', {}, ['hold', 'hold', 'hold', 'revert', 'revert']],
    ['a way for all', 'revert', ['revert', 'revert', 'revert', 'revert', 'revert']],
    ['a way for all', 'hold', ['hold', 'hold', 'hold', 'hold', 'hold']],
    ['a way for one', { filters: 'revert' }, ['hold', 'revert', 'hold', 'revert', 'revert']],
    ['a way for the others', { default: 'hold' }, ['hold', 'hold', 'hold', 'hold', 'hold']],
    ['both', { default: 'hold', name: 'revert' }, ['hold', 'hold', 'hold', 'hold', 'revert']],
  ] as const)('with %s: %j', (_, said, ways) => {
    const policy = layLiveEdits(defaultLiveEdits, said)
    expect(fields.map(field => liveEditWay(policy, field))).toEqual(ways)
  })

  it('has one way for all source files, by the name of their member', () => {
    expect(liveEditWay(defaultLiveEdits, 'source/index.ts')).toBe('hold')
    const policy = layLiveEdits(defaultLiveEdits, { source: 'revert' })
    expect(['source/index.ts', 'source/a/b.ts'].map(field => liveEditWay(policy, field))).toEqual([
      'revert',
      'revert',
    ])
    expect(liveEditWay(layLiveEdits(defaultLiveEdits, 'revert'), 'source/index.ts')).toBe('revert')
  })

  it('goes by what is nearest, and keeps who is no person', () => {
    const repository = layLiveEdits({ ...defaultLiveEdits, automation: ['ci@example.com'] }, { tags: 'hold' })
    const policy = layLiveEdits(layLiveEdits(repository, 'revert'), { filters: 'hold' })
    expect(policy).toEqual({ default: 'revert', fields: { filters: 'hold' }, automation: ['ci@example.com'] })
  })

  it('names nothing that a field is called', () => {
    const names = declarableKinds.flatMap(managedFields)
    expect(names).toContain('filters')
    expect(names.filter(name => [defaultMember, existsField, 'automation'].includes(name))).toEqual([])
  })

  it('leaves out what is no way', () => {
    expect(parseLiveEdits({ filters: 'hold', active: 'keep', tags: 3 })).toEqual({ filters: 'hold' })
    expect([parseLiveEdits('keep'), parseLiveEdits(null), parseLiveEdits(undefined)]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
    expect(parseLiveEdits('hold')).toBe('hold')
  })
})
