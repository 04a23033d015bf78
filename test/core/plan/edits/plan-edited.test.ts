import { describe, expect, it } from 'vitest'
import type { Plan } from '../../../../src/core/change.ts'
import type { Desired } from '../../../../src/core/desired.ts'
import { sentDigests } from '../../../../src/core/diff.ts'
import type { Live } from '../../../../src/core/live.ts'
import { leftOutFields } from '../../../../src/core/live-edits/live-edit.ts'
import type { Records } from '../../../../src/core/live-edits/records.ts'
import { declarableKind } from '../../../../src/kinds/index.ts'
import type { JsonObject } from '../../../../src/model/text/json.ts'
import {
  aFlag,
  aGrant,
  aPolicy,
  declare,
  declaredFlag,
  declaredGrant,
  everyoneAt,
  planned,
} from '../../../support/builders.ts'
import { baseOf, converged, related } from '../../../support/recorded.ts'

const address = 'feature_flag.checkout'
const source = { file: 'flags.yaml', line: 3, column: 3 }

function checkout(fields: JsonObject, over: Partial<Desired> = {}): Desired {
  return declaredFlag('checkout', fields, { source, ...over })
}

/** What a plan makes of one flag that was declared, is declared, and is live. */
function planOf(
  was: JsonObject,
  now: Desired,
  live: readonly Live[],
  more: Records = {},
  policy = aPolicy(),
): Plan {
  const base = baseOf([checkout(was)], { [address]: '7' })
  return planned(declare([now]), live, policy, { base, isApplied: true, ...more })
}

/** The parts that say what is sent and what is not. */
function told({ changes, blocked, unchanged, liveEdits }: Plan) {
  return {
    sent: changes.map(({ action, after }) => [action, after]),
    blocked: blocked.map(({ rule }) => rule),
    unchanged,
    edits: liveEdits.flatMap(({ fields }) =>
      fields.map(({ field, treatment, evidence }) => [field, treatment, evidence]),
    ),
  }
}

const nothing = { sent: [], blocked: [], unchanged: [], edits: [] }
const on = { filters: everyoneAt(10), active: true }
const wider = { filters: everyoneAt(20), active: true }

describe('a flag that was turned off in the product', () => {
  it('stays off, and its other fields go on', () => {
    const made = planOf(on, checkout(wider), [aFlag({ active: false })])
    expect(told(made)).toEqual({
      ...nothing,
      sent: [['update', { filters: everyoneAt(20) }]],
      edits: [['active', 'held', 'base']],
    })
    // What is sent reaches nobody while it is off.
    expect(made.changes[0]).toMatchObject({
      before: { filters: everyoneAt(10) },
      exposure: { before: 0, after: 0, direction: 'none' },
      allowed: [],
    })
    expect(made.changes[0]?.summary[0]).toBe('inactive: nobody gets it, before and after')
    expect(leftOutFields(made.liveEdits)).toEqual([{ address, fields: ['active'] }])
  })

  it('is turned on again where that is allowed for it, and the change says so', () => {
    const policy = aPolicy({ allow: [{ rule: 'live_edit', address }] })
    const made = planOf(on, checkout(on), [aFlag({ active: false })], {}, policy)
    expect(told(made)).toEqual({
      ...nothing,
      sent: [['update', { active: true }]],
      edits: [['active', 'reverted', 'base']],
    })
    expect(made.changes[0]?.allowed).toEqual(['live_edit'])
  })

  it('is turned on again where its declaration says `revert`, with nothing allowed', () => {
    const made = planOf(on, checkout(on, { liveEdits: 'revert' }), [aFlag({ active: false })])
    expect(told(made)).toMatchObject({ sent: [['update', { active: true }]] })
    expect(made.changes[0]?.allowed).toEqual([])
  })

  it('is told with what was changed, and the ways on', () => {
    const [edit] = planOf(on, checkout(on), [aFlag({ active: false })], {
      heldSince: { [address]: { active: 5000 } },
    }).liveEdits
    expect(edit).toEqual({
      address,
      kind: 'feature_flag',
      fields: [
        {
          field: 'active',
          treatment: 'held',
          evidence: 'base',
          summary: ['active: on -> off, nobody gets it any more', 'who had it until now: everyone at 10%'],
          heldSince: 5000,
        },
      ],
      remedies: [
        '`vexil pull feature_flag.checkout` writes the live values into the files',
        '--allow live_edit=feature_flag.checkout sends the declared values',
        'edit flags.yaml:3 to match',
      ],
      source,
    })
  })

  it('stays off without a base where the environment has been applied, and nowhere else', () => {
    const live = [aFlag({ active: false })]
    const without = (isApplied: boolean) =>
      told(planned(declare([checkout(on)]), live, aPolicy(), { isApplied }))
    expect(without(true)).toEqual({ ...nothing, edits: [['active', 'held', 'off']] })
    expect(without(false)).toEqual({ ...nothing, sent: [['update', { active: true }]] })
  })
})

describe('a field that the last apply held', () => {
  const held = (field: string) => ({ isApplied: true, heldSince: { [address]: { [field]: 5000 } } })

  it('stays held if the run of its base is lost', () => {
    const live = [aFlag({ filters: everyoneAt(30) })]
    const declared = declare([checkout({ ...on, name: 'New' })])
    expect(told(planned(declared, live, aPolicy(), held('filters')))).toEqual({
      ...nothing,
      sent: [['update', { name: 'New' }]],
      edits: [['filters', 'held', 'run']],
    })
    const policy = aPolicy({ allow: [{ rule: 'live_edit', address }] })
    expect(told(planned(declared, live, policy, held('filters'))).edits).toEqual([
      ['filters', 'reverted', 'run'],
    ])
  })

  it('is not sent either if it is whether the object exists', () => {
    const made = told(planned(declare([checkout(on)]), [], aPolicy(), held('exists')))
    expect(made).toEqual({ ...nothing, edits: [['exists', 'held', 'run']] })
  })
})

describe('a change of the repository', () => {
  it('contradicts one in the product: that field waits, the others go on', () => {
    const made = planOf(on, checkout({ ...wider, name: 'New' }), [aFlag({ filters: everyoneAt(30) })])
    expect(told(made)).toEqual({
      ...nothing,
      sent: [['update', { name: 'New' }]],
      edits: [['filters', 'conflict', 'base']],
    })
    expect(made.liveEdits[0]?.fields[0]?.summary).toEqual([
      'condition 1  everyone  20% -> 30%',
      'filters was changed in the repository and in the product, and its earlier value is not available',
    ])
  })

  it.each([
    ['descendant', {}],
    ['diverged', { digestAtFork: () => sentDigests(declarableKind('feature_flag'), wider).filters }],
    ['missing', { wasDeclared: () => false }],
  ] as const)('that another commit has overtaken is behind: %s', (relation, more) => {
    const lineage = related(relation, more)
    // Both have 10% on record; this line says 20%, and was there before.
    const made = planOf(on, checkout(wider), [aFlag()], { lineage })
    expect(told(made)).toEqual({ ...nothing, edits: [['filters', 'behind', undefined]] })
    expect(made.liveEdits[0]?.fields[0]?.commit).toBe(converged.revision?.commit)
    expect(made.liveEdits[0]?.remedies).toEqual([
      'merge commit cccccccccccc into this branch: `git merge cccccccccccc`',
      '--allow live_edit=feature_flag.checkout sends the declared values',
    ])
  })

  it.each([
    ['ancestor', {}],
    ['unknown', {}],
    ['diverged', { digestAtFork: () => 'another' }],
    ['diverged', {}],
    ['missing', { wasDeclared: () => true }],
    ['missing', {}],
  ] as const)('that is its own is sent: %s', (relation, more) => {
    const made = planOf(on, checkout(wider), [aFlag()], { lineage: related(relation, more) })
    expect(told(made)).toMatchObject({ sent: [['update', { filters: everyoneAt(20) }]], edits: [] })
  })
})

describe('tags', () => {
  it('that somebody added are taken off again, and told before they are lost', () => {
    const made = planOf({ tags: ['a'] }, checkout({ tags: ['a'] }), [aFlag({ tags: ['a', 'b'] })])
    expect(told(made)).toEqual({
      ...nothing,
      sent: [['update', { tags: ['a'] }]],
      edits: [['tags', 'reverted', 'base']],
    })
    expect(made.liveEdits[0]?.fields[0]?.summary).toEqual(['tags +b'])
  })

  it('are a claim where the ownership tag is put on for the first time', () => {
    const policy = aPolicy({ ownership: { tag: 'ours', prune: 'never' } })
    const made = planOf({ tags: ['a'] }, checkout({ tags: ['a'] }), [aFlag({ tags: ['a'] })], {}, policy)
    expect(told(made)).toEqual({ ...nothing, sent: [['claim', { tags: ['a', 'ours'] }]] })
  })

  it('that are held still get the ownership tag', () => {
    const policy = aPolicy({ ownership: { tag: 'ours', prune: 'never' } })
    const desired = checkout({ tags: ['a'] }, { liveEdits: { tags: 'hold' }, tags: ['all'] })
    const made = planOf(
      { tags: ['a'] },
      { ...desired, tags: undefined },
      [aFlag({ tags: ['b'] })],
      {},
      policy,
    )
    expect(told(made)).toEqual({
      ...nothing,
      sent: [['claim', { tags: ['b', 'ours'] }]],
      edits: [['tags', 'held', 'base']],
    })
  })
})

describe('a flag that was deleted in the product', () => {
  const gone = aFlag({ deleted: true })

  it.each([
    ['is the one on record', '7', { ...nothing, edits: [['exists', 'held', 'base']] }],
    ['is another one, which nothing has', '999', { ...nothing, blocked: ['not_seen'] }],
  ])('is not one whose declared id is wrong: the id %s', (_, id, expected) => {
    expect(told(planOf(on, checkout(on, { id }), []))).toEqual(expected)
  })

  it.each([
    ['soft-deleted', [gone]],
    ['nowhere', []],
  ] as const)('stays deleted: %s', (_, live) => {
    const made = planOf(on, checkout(wider), live)
    expect(told(made)).toEqual({ ...nothing, edits: [['exists', 'held', 'base']] })
    expect(made.liveEdits[0]).toMatchObject({
      fields: [{ summary: ['deleted in the product'] }],
      remedies: [
        '`vexil pull feature_flag.checkout` writes the live values into the files',
        '--allow live_edit=feature_flag.checkout creates it again',
        'edit flags.yaml:3 to match: `ensure: absent`',
      ],
    })
  })

  it('gets no grants', () => {
    const grant = declaredGrant('checkout')
    const base = baseOf([checkout(on), grant])
    const made = planned(declare([checkout(on), grant]), [gone], aPolicy(), { base })
    expect(told(made)).toEqual({
      ...nothing,
      blocked: ['parent_missing'],
      edits: [['exists', 'held', 'base']],
    })
    expect(made.blocked[0]?.reason).toBe(
      'feature_flag.checkout was deleted in the product, and stays deleted',
    )
  })

  it('comes back where that is allowed, and where the policy says so', () => {
    const policy = aPolicy({ allow: [{ rule: 'live_edit', address }] })
    expect(told(planOf(on, checkout(on), [gone], {}, policy))).toMatchObject({
      sent: [['restore', {}]],
      edits: [['exists', 'reverted', 'base']],
    })
    expect(told(planOf(on, checkout(on, { liveEdits: 'revert' }), [gone]))).toMatchObject({
      sent: [['restore', {}]],
    })
  })

  it('is restored where no run knows it, and where it was declared absent before', () => {
    expect(told(planned(declare([checkout(on)]), [gone], aPolicy(), { isApplied: true }))).toMatchObject({
      sent: [['restore', {}]],
      edits: [],
    })
    const base = baseOf([checkout({}, { ensure: 'absent' })])
    expect(told(planned(declare([checkout(on)]), [gone], aPolicy(), { base }))).toMatchObject({
      sent: [['restore', {}]],
      edits: [],
    })
  })

  it('takes along a grant that is taken away in the product: it is not made again', () => {
    const grant = declaredGrant('checkout')
    const base = baseOf([checkout(on), grant])
    const made = planned(declare([checkout(on), grant]), [aFlag()], aPolicy(), { base })
    expect(told(made)).toEqual({
      ...nothing,
      unchanged: [address],
      edits: [['exists', 'held', 'base']],
    })
    const live = [aFlag(), aGrant(aFlag())]
    expect(told(planned(declare([checkout(on), grant]), live, aPolicy(), { base })).edits).toEqual([])
  })
})

describe('a flag that is declared absent', () => {
  const absent = checkout({}, { ensure: 'absent' })

  it('is deleted all the same where that is allowed', () => {
    const policy = aPolicy({ allow: [{ rule: 'live_edit', address }] })
    const made = planOf(on, absent, [aFlag({ filters: everyoneAt(50) })], {}, policy)
    expect(told(made)).toMatchObject({ sent: [['delete', {}]], edits: [['exists', 'reverted', 'base']] })
    expect(made.changes[0]?.allowed).toEqual(['live_edit'])
  })

  it('stays where somebody made it again', () => {
    const base = baseOf([absent])
    expect(told(planned(declare([absent]), [aFlag()], aPolicy(), { base }))).toEqual({
      ...nothing,
      edits: [['exists', 'held', 'base']],
    })
  })

  it('is deleted where a service writes members of its own into it', () => {
    const filters = { ...everyoneAt(10), super_groups: [{ properties: [], rollout_percentage: 5 }] }
    expect(told(planOf(on, absent, [aFlag({ filters })]))).toMatchObject({ sent: [['delete', {}]] })
  })
})

describe('a flag that was renamed in the product', () => {
  const renamed = aFlag({ key: 'checkout_new' })

  it('is followed by its id and blocked: there is no second one', () => {
    const made = planOf(on, checkout(wider), [renamed])
    expect(told(made)).toEqual({ ...nothing, blocked: ['renamed_in_product'] })
    expect(made.blocked[0]).toMatchObject({
      reason: 'it was renamed in the product: id 7 is checkout_new now',
      remedy:
        'declare it as checkout_new, or `vexil call feature_flag.update id=7 --body \'{"key":"checkout"}\'` gives it the declared key again',
    })
  })

  it('gets no grants, and is not pruned under its new name', () => {
    const policy = aPolicy({ ownership: { prune: 'all' } })
    const base = baseOf([checkout(on)], { [address]: '7' })
    const made = planned(
      declare([checkout(on), declaredGrant('checkout')], [{ flag: 'checkout' }]),
      [renamed, aGrant(renamed)],
      policy,
      { base },
    )
    expect(told(made)).toEqual({ ...nothing, blocked: ['renamed_in_product', 'parent_missing'] })
  })

  it('is blocked where it is declared absent too', () => {
    expect(told(planOf(on, checkout({}, { ensure: 'absent' }), [renamed])).blocked).toEqual([
      'renamed_in_product',
    ])
  })

  it('is found among what is declared nowhere', () => {
    const base = baseOf([checkout(on)], { [address]: '7' })
    const snapshot = { undeclared: [renamed] }
    const made = planned(declare([checkout(on)]), [], aPolicy(), { base }, snapshot)
    expect(told(made).blocked).toEqual(['renamed_in_product'])
  })

  it('is another one where its id is another, or where it was deleted', () => {
    expect(told(planOf(on, checkout(on), [aFlag({ id: 8, key: 'checkout_new' })])).blocked).toEqual([])
    expect(told(planOf(on, checkout(on), [{ ...renamed, isSoftDeleted: true }])).blocked).toEqual([])
  })
})

describe('what a command has set without a declaration', () => {
  const digest = sentDigests(declarableKind('feature_flag'), { active: false }).active ?? ''
  const write = {
    by: 'disable' as const,
    run: 'd1',
    at: converged.at + 1000,
    who: 'ada',
    reason: 'checkout fails',
    fields: { active: digest },
  }
  const outsideWrites = { [address]: [write] }

  it('stays, whatever the policy says, and is told with who and why', () => {
    const desired = checkout(on, { liveEdits: 'revert' })
    const made = planOf(on, desired, [aFlag({ active: false })], { outsideWrites })
    expect(told(made)).toEqual({ ...nothing, edits: [['active', 'held', 'run']] })
    expect(made.liveEdits[0]).toMatchObject({
      fields: [{ author: { name: 'ada', at: write.at, reason: 'checkout fails' } }],
      remedies: [
        '`vexil enable feature_flag.checkout` turns it on again',
        '`vexil pull feature_flag.checkout` writes the live values into the files',
        '--allow live_edit=feature_flag.checkout sends the declared values',
        'edit flags.yaml:3 to match',
      ],
    })
  })

  it('keeps a widening of the repository from reaching anybody', () => {
    const made = planOf(on, checkout(wider), [aFlag({ active: false })], { outsideWrites })
    expect(told(made)).toMatchObject({
      sent: [['update', { filters: everyoneAt(20) }]],
      edits: [['active', 'held', 'run']],
    })
  })
})

describe('what another line has brought', () => {
  it('is not pruned here', () => {
    const policy = aPolicy({ ownership: { prune: 'all' } })
    const other = declaredFlag('other', on)
    const base = baseOf([checkout(on), other])
    const live = [aFlag(), aFlag({ id: 8, key: 'other' })]
    const made = (relation: 'descendant' | 'ancestor') =>
      told(planned(declare([checkout(on)]), live, policy, { base, lineage: related(relation) }))
    expect(made('descendant')).toMatchObject({ sent: [], blocked: ['behind'] })
    expect(made('ancestor')).toMatchObject({ sent: [['delete', {}]], blocked: [] })
  })
})
