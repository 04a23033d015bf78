import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { LiveEdit, LiveEditField } from '../../../src/core/live-edits/live-edit.ts'
import { fromDocument, liveEditForm, liveEditToJson } from '../../../src/core/record/change-json.ts'
import { planDocument, readPlanDocument } from '../../../src/core/record/plan-file.ts'
import { declare, planned } from '../../support/builders.ts'
import { aLiveEdit, aLiveEditField, treatments } from '../../support/live-edits.ts'

const meta = {
  toolVersion: '0.1.0',
  target: { baseUrl: 'https://flags.example.com', projectId: '1', profile: 'documented' },
}

const time = fc.integer({ min: 0, max: Date.UTC(2100, 0) })
const author = fc.record({ name: fc.string(), at: time, reason: fc.string() }, { requiredKeys: [] })
const field: fc.Arbitrary<LiveEditField> = fc.record(
  {
    field: fc.string(),
    treatment: fc.constantFrom(...treatments),
    evidence: fc.constantFrom('base' as const, 'trail' as const, 'run' as const, 'off' as const),
    summary: fc.array(fc.string()),
    author,
    heldSince: time,
    commit: fc.string(),
  },
  { requiredKeys: ['field', 'treatment', 'summary'] },
)
const liveEdit: fc.Arbitrary<LiveEdit> = fc
  .record({ key: fc.string(), fields: fc.array(field), remedies: fc.array(fc.string()) })
  .map(({ key, fields, remedies }) => aLiveEdit(key, fields, { remedies }))

it('is read back from a plan file as it was', () => {
  fc.assert(
    fc.property(fc.array(liveEdit), liveEdits => {
      const text = JSON.stringify(planDocument({ ...planned(declare([]), []), liveEdits }, meta))
      expect(readPlanDocument(text).liveEdits).toEqual(liveEdits)
    }),
  )
})

it('has the names of the interface, and times as texts', () => {
  const edit = aLiveEdit('a', [aLiveEditField({ treatment: 'behind', commit: 'abc' })])
  const json = liveEditToJson(edit)
  expect(json.fields).toEqual([
    {
      field: 'active',
      treatment: 'behind',
      evidence: 'base',
      summary: ['active: on -> off, nobody gets it any more'],
      author: { name: 'ada@example.com', at: '2026-11-20T10:00:00.000Z', reason: 'checkout fails' },
      held_since: '2026-11-21T02:00:00.000Z',
      commit: 'abc',
    },
  ])
  expect(fromDocument(json, liveEditForm)).toEqual(edit)
})

it('counts objects by what becomes of them in the summary', () => {
  const liveEdits = [
    aLiveEdit('a', [aLiveEditField(), aLiveEditField({ field: 'filters' })]),
    aLiveEdit('b', [aLiveEditField({ treatment: 'conflict' }), aLiveEditField({ field: 'filters' })]),
  ]
  const document = planDocument({ ...planned(declare([]), []), liveEdits }, meta)
  expect(document.summary).toMatchObject({ held: 2, conflict: 1 })
})
