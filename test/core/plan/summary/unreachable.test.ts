import { describe, expect, it } from 'vitest'
import type { Json } from '../../../../src/model/text/json.ts'
import { aFlag, declare, declaredFlag, planned } from '../../../support/builders.ts'

const german: Json = {
  properties: [{ key: 'country', type: 'person', value: ['DE'] }],
  rollout_percentage: 10,
}
const all: Json = { rollout_percentage: 50 }

function told(before: Json[], after: Json[]): readonly string[] {
  const live = aFlag({ filters: { groups: before } })
  const [change] = planned(declare([declaredFlag('checkout', { filters: { groups: after } })]), [
    live,
  ]).changes
  return change?.summary ?? []
}

describe('a plan', () => {
  it('says which condition a change puts out of reach', () => {
    expect(told([german], [all, german])).toEqual([
      'condition 1 added: everyone at 50%',
      'condition 2 can never match: condition 1 takes everyone at 50%',
    ])
  })

  it('does not say it of what was out of reach before', () => {
    expect(told([all, german], [{ rollout_percentage: 60 }, german])).toEqual([
      'condition 1  everyone  50% -> 60%',
    ])
  })
})
