import { describe, expect, it } from 'vitest'
import type { Blocked, Change, Plan } from '../../../src/core/change.ts'
import type { LiveEdit, Treatment } from '../../../src/core/live-edits/live-edit.ts'
import type { BaseObject } from '../../../src/core/live-edits/verdict.ts'
import {
  type DriftRecords,
  type FoundDrift,
  foundDrift,
  hasDrift,
} from '../../../src/core/plan/found-drift.ts'
import { aChange, aPlan } from '../../support/builders.ts'
import { aLiveEdit, aLiveEditField, treatments } from '../../support/live-edits.ts'

const address = 'feature_flag.checkout'

const change = (over: Partial<Change>) => aChange({ after: { active: true }, ...over })

function blocked(over: Partial<Blocked>): Blocked {
  return {
    ...{ address, kind: 'feature_flag', action: 'update', rule: 'protected', reason: 'no', remedy: 'none' },
    summary: [],
    ...over,
  }
}

const edit = (field: string, treatment: Treatment): LiveEdit =>
  aLiveEdit('checkout', [aLiveEditField({ field, treatment })])

const base: BaseObject = {
  ensure: 'present',
  fields: { active: { digest: 'a' }, filters: { digest: 'b' } },
  origin: { run: 'r', at: 0 },
}
const known: DriftRecords = { base: { [address]: base }, isApplied: true }
const others: DriftRecords = { isApplied: true }
const nothing: DriftRecords = {}

/** Which lists something is in. */
const sidesOf = (found: FoundDrift) =>
  Object.entries(found).flatMap(([side, all]) => (all.length > 0 ? [side] : []))

describe('what is not as declared', () => {
  it.each<[string, Partial<Plan>, DriftRecords, readonly (keyof FoundDrift)[]]>([
    ['is nothing where all is as declared', {}, known, []],
    ['was changed by the repository where it has a base', { changes: [change({})] }, known, ['unapplied']],
    [
      'is unclear in a field without a base',
      { changes: [change({ after: { active: true, name: 'x' } })] },
      known,
      ['differing'],
    ],
    ['is unclear in an object without a base', { changes: [change({})] }, others, ['differing']],
    ['is unclear where nothing is on record', { changes: [change({})] }, nothing, ['differing']],
    [
      "is the ownership tag, and that is the repository's",
      { changes: [change({ after: { active: true, tags: ['ours'] } })] },
      known,
      ['unapplied'],
    ],
    [
      'is what live edits say, where they say all of it',
      { changes: [change({})], liveEdits: [edit('active', 'reverted')] },
      known,
      ['edited'],
    ],
    [
      'is both where a field is left',
      {
        changes: [change({ after: { active: true, filters: {} } })],
        liveEdits: [edit('active', 'reverted')],
      },
      known,
      ['edited', 'unapplied'],
    ],
    [
      'was deleted in the product, and a restore is no wish of the repository',
      { changes: [change({ action: 'restore' })], liveEdits: [edit('exists', 'reverted')] },
      known,
      ['edited'],
    ],
    [
      'is not live yet, where an apply is on record',
      { changes: [change({ action: 'create' })] },
      others,
      ['unapplied'],
    ],
    [
      'is unclear as to why it is not live, where none is',
      { changes: [change({ action: 'create' })] },
      nothing,
      ['differing'],
    ],
    [
      'is claimed by the repository',
      { changes: [change({ action: 'claim', after: { tags: [] } })] },
      others,
      ['unapplied'],
    ],
    [
      'is declared absent, where an apply is on record',
      { changes: [change({ action: 'delete' })] },
      others,
      ['unapplied'],
    ],
    [
      "is held up by a guard, and the repository's all the same",
      { blocked: [blocked({})] },
      known,
      ['unapplied'],
    ],
    ['is held up by a guard, and unclear', { blocked: [blocked({})] }, others, ['differing']],
    ['is a creation that is held up', { blocked: [blocked({ action: 'create' })] }, others, ['unapplied']],
    ['is one of several of that name', { blocked: [blocked({ rule: 'ambiguous' })] }, known, ['differing']],
    [
      'is nothing of what the service does not show',
      { blocked: [blocked({ rule: 'unreadable' })] },
      nothing,
      [],
    ],
    ['is behind', { liveEdits: [edit('active', 'behind')] }, known, ['behind']],
    [
      'is declared nowhere',
      { drift: [{ address, kind: 'feature_flag', reason: 'undeclared', fields: [], summary: [] }] },
      known,
      ['undeclared'],
    ],
  ])('%s', (_, parts, records, sides) => {
    expect(sidesOf(foundDrift(aPlan(parts), records))).toEqual(sides)
  })

  it.each(treatments)('is drift but for what the repository itself has brought: %s', treatment => {
    const found = foundDrift(aPlan({ liveEdits: [edit('active', treatment)] }), known)
    expect(hasDrift(found)).toBe(treatment !== 'behind')
  })

  it('is drift where nobody can tell, and none where it only has to be applied', () => {
    const plan = aPlan({ changes: [change({})] })
    expect([known, others, nothing].map(records => hasDrift(foundDrift(plan, records)))).toEqual([
      false,
      true,
      true,
    ])
  })
})
