import { describe, expect, it } from 'vitest'
import { claimedDeclarations } from '../../src/core/ownership.ts'
import { aFlag, aSnapshot, declare, declaredFlag, planned } from '../support/builders.ts'

const labels = ['iac']
const live = aFlag({ tags: ['theirs'] })

function changesOf(declared: ReturnType<typeof declaredFlag>, on = [live]) {
  return planned(declare([declared]), on).changes.map(({ action, after }) => [action, after])
}

describe('labels that a declaration carries', () => {
  it('are added to those that are there, where none are declared', () => {
    expect(changesOf(declaredFlag('checkout', {}, { tags: labels }))).toEqual([
      ['update', { tags: ['iac', 'theirs'] }],
    ])
  })

  it('are added to those that are declared', () => {
    expect(changesOf(declaredFlag('checkout', { tags: ['ours'] }, { tags: labels }))).toEqual([
      ['update', { tags: ['iac', 'ours'] }],
    ])
  })

  it('are the labels of what is new', () => {
    const [[action, after] = []] = changesOf(declaredFlag('checkout', {}, { tags: labels }), [])
    expect([action, after]).toEqual(['create', { key: 'checkout', tags: ['iac'] }])
  })

  it('are no change once they are there', () => {
    expect(changesOf(declaredFlag('checkout', {}, { tags: ['theirs'] }))).toEqual([])
  })

  it('are not put on by adopting, which puts on the marker only', () => {
    const declarations = declare([declaredFlag('checkout', {}, { tags: labels })])
    expect(claimedDeclarations(declarations, aSnapshot([live])).desired).toEqual([declaredFlag('checkout')])
  })
})
