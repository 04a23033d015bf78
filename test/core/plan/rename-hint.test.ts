import { describe, expect, it } from 'vitest'
import { withRemarks } from '../../../src/core/describe/hints.ts'
import { type PlanInput, plan } from '../../../src/core/plan/plan.ts'
import { changeFromJson, changeToJson } from '../../../src/core/record/change-json.ts'
import type { JsonObject } from '../../../src/model/text/json.ts'
import {
  aBase,
  aFlag,
  aPolicy,
  aSnapshot,
  declare,
  declaredFlag,
  everyoneAt,
} from '../../support/builders.ts'

const german: JsonObject = {
  groups: [
    {
      properties: [{ key: 'country', value: ['DE'], type: 'person', operator: 'exact' }],
      rollout_percentage: 10,
    },
  ],
}

const create = declaredFlag('checkout_v3', { filters: german })
const live = (over: JsonObject = {}) => aFlag({ id: 7, key: 'checkout_v2', filters: german, ...over })

const made = (input: PlanInput) => withRemarks(plan(input), input)

/** The words of a change that come from the hint, and what it is taken for. */
function hintOf(input: PlanInput) {
  const change = made(input).changes.find(({ action }) => action === 'create')
  return { summary: change?.summary.slice(-3), renameOf: change?.renameOf }
}

const given = (over: Partial<PlanInput> = {}) => ({
  declared: declare([create]),
  live: aSnapshot([], { undeclared: [live()] }),
  policy: aPolicy(),
  ...over,
})

const renameOf = { $ref: 'feature_flag.checkout_v2', identity: 'checkout_v2', id: '7' }
const way =
  'if this is a rename, run `vexil call feature_flag.update id=7 --body \'{"key":"checkout_v3"}\'`: it changes the key and keeps the id and grants; then plan again'
const anew =
  'under another key people are assigned anew to percentages and variants: they may lose the flag, get it, or get another value'

describe('a flag that is to be created while one that is declared nowhere looks like it', () => {
  it('may be a rename, which the plan says with the way to make it one', () => {
    expect(hintOf(given())).toEqual({
      summary: ['has the same filters as checkout_v2 (id 7), which is not declared', way, anew],
      renameOf,
    })
  })

  it('is on record with it, exactly', () => {
    const [change] = made(given()).changes
    expect(change && changeToJson(change)).toMatchObject({ rename_of: renameOf })
    expect(change && changeFromJson(changeToJson(change))).toEqual(change)
  })

  it('is told of what prune deletes in the same plan', () => {
    const other = live({ id: 8, key: 'other', filters: everyoneAt(5) })
    const policy = aPolicy({ ownership: { prune: 'all' } })
    const declarations = declare([create, declaredFlag('other')])
    expect(
      hintOf(given({ live: aSnapshot([live(), other]), policy, declared: declarations })).summary,
    ).toEqual([
      'has the same filters as checkout_v2 (id 7), which is not declared and deleted by this plan',
      way,
      anew,
    ])
  })

  const plain = everyoneAt(10)
  const ours = { ownership: { tag: 'ours', prune: 'never' } } as const

  it.each<[string, JsonObject, JsonObject, Partial<PlanInput>, boolean]>([
    ['the same conditions', { filters: german }, {}, {}, true],
    [
      'the same variants',
      { filters: { ...plain, multivariate: { variants: [{ key: 'a', rollout_percentage: 100 }] } } },
      { filters: { ...plain, multivariate: { variants: [{ key: 'a', rollout_percentage: 100 }] } } },
      {},
      true,
    ],
    [
      'a share of everybody and the same description',
      { filters: plain, name: 'New' },
      { filters: plain, name: 'New' },
      {},
      true,
    ],
    [
      'a share of everybody and nothing else',
      { filters: plain, name: 'New' },
      { filters: plain, name: 'Old' },
      {},
      false,
    ],
    ['a share of everybody and no description', { filters: plain }, { filters: plain, name: '' }, {}, false],
    [
      'a share of everybody and our tag',
      { filters: plain },
      { filters: plain, tags: ['ours'] },
      { policy: aPolicy(ours) },
      true,
    ],
    [
      'a share of everybody and a run on record',
      { filters: plain },
      { filters: plain },
      { records: { base: aBase({ 'feature_flag.checkout_v2': {} }) } },
      true,
    ],
    [
      'other conditions and our tag',
      { filters: plain },
      { tags: ['ours'] },
      { policy: aPolicy(ours) },
      false,
    ],
    ['the same conditions and soft-deleted', { filters: german }, { deleted: true }, {}, false],
  ])('with %s', (_, fields, record, over, isTold) => {
    const declarations = declare([declaredFlag('checkout_v3', fields)])
    const snapshot = aSnapshot([], { undeclared: [live(record)] })
    expect(hintOf(given({ declared: declarations, live: snapshot, ...over })).renameOf).toEqual(
      isTold ? renameOf : undefined,
    )
  })

  it.each([
    ['declared', declare([create, declaredFlag('checkout_v2', { filters: german })])],
    ['declared absent', declare([create, declaredFlag('checkout_v2', {}, { ensure: 'absent' })])],
    ['declared by its id', declare([create, declaredFlag('anything', {}, { id: '7' })])],
    ['left out of this plan', { ...declare([create]), skipped: [declaredFlag('checkout_v2')] }],
  ])('is not told of one that is %s', (_, declarations) => {
    expect(hintOf(given({ declared: declarations, live: aSnapshot([live()]) })).renameOf).toBe(undefined)
  })

  it('is told of the likeliest of several, and how many there are', () => {
    const undeclared = [
      live({ id: 5, key: 'a_copy' }),
      live(),
      live({ id: 9, key: 'ours_once', tags: ['ours'] }),
    ]
    const policy = aPolicy(ours)
    expect(hintOf(given({ live: aSnapshot([], { undeclared }), policy })).summary?.[0]).toBe(
      'has the same filters as ours_once (id 9), which is not declared; 2 others have them too',
    )
  })

  it('is not told of a change or of a flag that comes back', () => {
    const there = aFlag({ id: 3, key: 'checkout_v3', deleted: true })
    const { changes } = made(given({ live: aSnapshot([there], { undeclared: [live()] }) }))
    expect(changes.map(({ action, renameOf }) => [action, renameOf])).toEqual([['restore', undefined]])
  })
})
