import { describe, expect, it } from 'vitest'
import type { Live } from '../../../../src/core/live.ts'
import type { JsonObject } from '../../../../src/model/text/json.ts'
import { aFlag, declare, declaredFlag, planned } from '../../../support/builders.ts'

/** Filters whose one condition asks for another flag, by its key or id. */
const on = (name: string): JsonObject => ({
  groups: [
    {
      properties: [{ key: name, type: 'flag', operator: 'flag_evaluates_to', value: true }],
      rollout_percentage: 100,
    },
  ],
})
const plain: JsonObject = { groups: [{ properties: [], rollout_percentage: 50 }] }

/** What each change waits for, by keys. */
function order(desired: Parameters<typeof declare>[0], live: readonly Live[] = []) {
  const { changes } = planned(declare(desired), live)
  return Object.fromEntries(
    changes.map(({ identity, dependsOn }) => [identity, dependsOn.map(address => address.split('.')[1])]),
  )
}

const base = (over: JsonObject = {}) => aFlag({ id: 1, key: 'base', active: true, filters: plain, ...over })
const naming = (name: string) => aFlag({ id: 2, key: 'naming', active: true, filters: on(name) })

describe('changes of flags that name each other', () => {
  it('come in any order where the named flag is only described otherwise', () => {
    const changes = order(
      [declaredFlag('base', { name: 'new words' }), declaredFlag('naming', { active: false })],
      [base(), naming('base')],
    )
    expect(changes).toEqual({ base: [], naming: [] })
  })

  it('form a chain', () => {
    const chain = order([
      declaredFlag('a', { filters: on('b') }),
      declaredFlag('b', { filters: on('c') }),
      declaredFlag('c', { filters: plain }),
      declaredFlag('other', { filters: plain }),
    ])
    expect(chain).toEqual({ a: ['b'], b: ['c'], c: [], other: [] })
  })

  it('let go of each other where a third flag is between them', () => {
    const changes = order(
      [declaredFlag('base', { filters: on('naming') }), declaredFlag('between', { filters: plain })],
      [base(), naming('between'), aFlag({ id: 3, key: 'between', active: true, filters: on('base') })],
    )
    expect(changes).toEqual({ base: ['between'], between: [] })
  })
})
