import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Change } from '../../src/core/change.ts'
import { plan } from '../../src/core/plan/plan.ts'
import type { Json, JsonObject } from '../../src/model/text/json.ts'
import { aFlag, aPolicy, aSnapshot, declare, declaredFlag } from '../support/builders.ts'
import { anyFilters, someFilters } from '../targeting/some-filters.ts'

interface Before {
  readonly isSoftDeleted: boolean
  readonly fields: JsonObject
}

function fields(filters: fc.Arbitrary<Json>): fc.Arbitrary<JsonObject> {
  return fc.record(
    {
      name: fc.constantFrom('', 'One', 'Two'),
      active: fc.boolean(),
      filters,
      tags: fc.subarray(['one', 'two', 'three']),
      ensure_experience_continuity: fc.boolean(),
      rollback_conditions: fc.constantFrom<Json>(null, [{ threshold: 1 }], [{ threshold: 2 }]),
    },
    { requiredKeys: [] },
  ) as fc.Arbitrary<JsonObject>
}

function changesOf(declared: JsonObject, before: Before | null): readonly Change[] {
  const snapshot = aSnapshot(before ? [aFlag({ ...before.fields, deleted: before.isSoftDeleted })] : [])
  const declarations = declare([declaredFlag('checkout', declared)])
  return plan({ declared: declarations, live: snapshot, policy: aPolicy() }).changes
}

/** How the fields begin that have a line of their own; filters and the switch are told by what they do. */
const beginnings: Readonly<Record<string, string>> = {
  name: 'description',
  tags: 'tags',
  ensure_experience_continuity: 'ensure_experience_continuity',
  rollback_conditions: 'rollback_conditions',
}

describe.each([
  ['as people write them', someFilters],
  ['of any shape', anyFilters],
])('a change, with filters %s', (_, filters) => {
  const before = fc.option(fc.record({ isSoftDeleted: fc.boolean(), fields: fields(filters) }))

  it('names every field that will be sent', () => {
    fc.assert(
      fc.property(fields(filters), before, (declared, now) => {
        for (const { after, summary: words } of changesOf(declared, now)) {
          const sent = Object.keys(after).filter(name => name in beginnings)
          const silent = sent.filter(name => !words.some(word => word.startsWith(beginnings[name] ?? '')))
          expect({ silent, words }).toEqual({ silent: [], words })
        }
      }),
    )
  })

  it('has words for filters and for the switch, also where nothing else changes', () => {
    fc.assert(
      fc.property(fields(filters), before, fc.constantFrom('filters', 'active'), (declared, now, name) => {
        const one: JsonObject = name in declared ? { [name]: declared[name] as Json } : {}
        for (const { summary: words } of changesOf(one, now)) expect(words).not.toEqual([])
      }),
    )
  })

  it('is never a low risk where people may get the flag who did not have it', () => {
    fc.assert(
      fc.property(fields(filters), before, (declared, now) => {
        for (const { risk, exposure } of changesOf(declared, now)) {
          if (exposure?.direction === 'wider' || exposure?.direction === 'mixed') expect(risk).not.toBe('low')
        }
      }),
    )
  })
})

describe('a flag that nobody had', () => {
  it('is no low risk where members without words of their own give it to people', () => {
    const filters = { groups: [], super_groups: [{ properties: [], rollout_percentage: 100 }] }
    const [change] = changesOf({ active: true, filters }, null)
    expect(change).toMatchObject({
      risk: 'high',
      summary: ['no conditions', 'super_groups: [{"properties":[],"rollout_percentage":100}]'],
    })
  })

  it('says who gets it when it is turned on', () => {
    const filters = { groups: [{ properties: [], rollout_percentage: 100 }] }
    const [change] = changesOf({ active: true }, { isSoftDeleted: false, fields: { filters, active: false } })
    expect(change).toMatchObject({
      risk: 'critical',
      summary: ['active: off -> on', 'who gets it from now on: everyone at 100%'],
      alert: 'everyone: 0% -> 100%',
    })
  })

  it('says who gets it when it comes back from its soft delete', () => {
    const filters = { groups: [{ properties: [], rollout_percentage: 100 }] }
    const [change] = changesOf({ name: 'Two' }, { isSoftDeleted: true, fields: { filters, active: true } })
    expect(change).toMatchObject({
      risk: 'critical',
      summary: [
        'restored from its soft delete, with the same id',
        'condition 1  everyone at 100%',
        'description: (none) -> "Two"',
      ],
    })
  })
})
