import { describe, expect, it } from 'vitest'
import { claimedDeclarations } from '../../src/core/plan/ownership.ts'
import { plan } from '../../src/core/plan/plan.ts'
import { aFlag, aPolicy, aSnapshot, declare, declaredFlag } from '../support/builders.ts'

const labels = ['iac']
const live = aFlag({ tags: ['theirs'] })

function planned(declared: ReturnType<typeof declaredFlag>, on = [live]) {
  return plan({ declarations: declare([declared]), snapshot: aSnapshot(on), policy: aPolicy() }).changes.map(
    ({ action, after }) => [action, after],
  )
}

describe('labels that a declaration carries', () => {
  it('are added to those that are there, where none are declared', () => {
    expect(planned(declaredFlag('checkout', {}, { tags: labels }))).toEqual([
      ['update', { tags: ['iac', 'theirs'] }],
    ])
  })

  it('are added to those that are declared', () => {
    expect(planned(declaredFlag('checkout', { tags: ['ours'] }, { tags: labels }))).toEqual([
      ['update', { tags: ['iac', 'ours'] }],
    ])
  })

  it('are the labels of what is new', () => {
    const [[action, after] = []] = planned(declaredFlag('checkout', {}, { tags: labels }), [])
    expect([action, after]).toEqual(['create', { key: 'checkout', tags: ['iac'] }])
  })

  it('are no change once they are there', () => {
    expect(planned(declaredFlag('checkout', {}, { tags: ['theirs'] }))).toEqual([])
  })

  it('are not put on by adopting, which puts on the marker only', () => {
    const declarations = declare([declaredFlag('checkout', {}, { tags: labels })])
    expect(claimedDeclarations(declarations, aSnapshot([live])).desired).toEqual([declaredFlag('checkout')])
  })
})
