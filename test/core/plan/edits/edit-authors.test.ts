import { describe, expect, it } from 'vitest'
import type { Plan } from '../../../../src/core/change.ts'
import type { Desired } from '../../../../src/core/desired.ts'
import { toLive } from '../../../../src/core/live.ts'
import type { BaseObject } from '../../../../src/core/live-edits/verdict.ts'
import { type PlannedOn, wantedAuthors } from '../../../../src/core/read/read-authors.ts'
import { kinds } from '../../../../src/kinds/index.ts'
import type { JsonObject } from '../../../../src/model/text/json.ts'
import { flagRecord } from '../../../support/builders.ts'
import { aLiveEdit, aLiveEditField } from '../../../support/live-edits.ts'

const kind = kinds.feature_flag
const at = Date.UTC(2026, 10, 20, 10)

const declared = (key: string): Desired => ({
  address: `feature_flag.${key}`,
  kind: kind.name,
  identity: key,
  ensure: 'present',
  fields: {},
})

function on(records: readonly JsonObject[], base: Readonly<Record<string, BaseObject>> = {}): PlannedOn {
  const live = records.map(record => toLive(kind, flagRecord(record))!)
  return {
    declared: {
      desired: records.map(({ key }) => declared(String(key))).concat(declared('gone')),
      ownedGrants: [],
    },
    live: { live },
    records: { base },
  }
}

function planOf(...liveEdits: Plan['liveEdits']): Plan {
  return { changes: [], blocked: [], drift: [], unchanged: [], inventory: {}, liveEdits }
}

const field = (name: string, over = {}) => ({ ...unknown, field: name, ...over })
const { author: _, ...unknown } = aLiveEditField()
const base = (id: string, more: Partial<BaseObject> = {}): BaseObject => ({
  ensure: 'present',
  id,
  fields: { active: { digest: 'a', origin: { run: 'r1', at: at - 5000 } }, filters: { digest: 'b' } },
  origin: { run: 'r2', at: at - 1000 },
  ...more,
})

describe('the authors that a plan wants to know', () => {
  it('are none where nothing was changed in the product', () => {
    expect(wantedAuthors(planOf(), on([{ id: 7, key: 'checkout' }]))).toEqual([])
  })

  it('are those of its live edits, each since it last converged', () => {
    const edits = planOf(aLiveEdit('checkout', [field('active'), field('filters'), field('name')]))
    const wanted = wantedAuthors(
      edits,
      on([{ id: 7, key: 'checkout' }], { 'feature_flag.checkout': base('7') }),
    )
    expect(wanted).toEqual([
      { kind: kind.name, id: '7', field: 'active', since: at - 5000 },
      { kind: kind.name, id: '7', field: 'filters', since: at - 1000 },
      { kind: kind.name, id: '7', field: 'name', since: at - 1000 },
    ])
  })

  it('are of a deleted object by the id that it had', () => {
    const edits = planOf(aLiveEdit('gone', [field('exists')]))
    expect(wantedAuthors(edits, on([], { 'feature_flag.gone': base('9') }))).toEqual([
      { kind: kind.name, id: '9', field: 'exists', since: at - 1000 },
    ])
    expect(wantedAuthors(edits, on([]))).toEqual([])
  })

  it('leave out what a record tells the author of, and what another line has declared', () => {
    const told = aLiveEditField({ author: { name: 'vexil' } })
    const edits = planOf(aLiveEdit('checkout', [told, field('filters', { treatment: 'behind' })]))
    expect(wantedAuthors(edits, on([{ id: 7, key: 'checkout' }]))).toEqual([])
  })
})
