import { describe, expect, it } from 'vitest'
import {
  type Decision,
  type Leave,
  type OutsideWrite,
  type Situation,
  standingWrite,
  treatmentOf,
} from '../../../src/core/live-edits/verdict.ts'
import type { LiveEditWay } from '../../../src/model/live-edit-policy.ts'

const verdicts: readonly Situation['verdict'][] = [
  'unchanged',
  'repository_changed',
  'live_changed',
  'both_the_same',
  'conflict',
  'two_way',
]
const ways: readonly LiveEditWay[] = ['hold', 'revert']
const leaves: readonly Leave[] = ['none', 'standing', 'named']
const outsides = [undefined, 'undo', 'disable'] as const
const evidences = [undefined, 'trail', 'off', 'run'] as const

const situations: readonly Situation[] = verdicts.flatMap(verdict =>
  ways.flatMap(way =>
    leaves.flatMap(leave =>
      outsides.flatMap(outside =>
        evidences.flatMap(evidence =>
          [false, true].map(isBehind => ({
            verdict,
            isBehind,
            way,
            leave,
            ...(outside === undefined ? {} : { outside }),
            ...(evidence === undefined ? {} : { evidence }),
          })),
        ),
      ),
    ),
  ),
)

const isSent = (is: Decision) => is === 'send' || is === 'reverted'

function aSituation(over: Partial<Situation>): Situation {
  return { verdict: 'live_changed', isBehind: false, way: 'hold', leave: 'none', ...over }
}

describe('what becomes of a field', () => {
  it.each<[string, Partial<Situation>, ReturnType<typeof treatmentOf>]>([
    ['live as ever', { verdict: 'unchanged' }, { is: 'nothing' }],
    ['changed alike', { verdict: 'both_the_same' }, { is: 'nothing' }],
    ['changed in git', { verdict: 'repository_changed' }, { is: 'send' }],
    ['changed in git, which is behind', { verdict: 'repository_changed', isBehind: true }, { is: 'behind' }],
    [
      'behind, and let through for good',
      { verdict: 'repository_changed', isBehind: true, leave: 'standing' },
      { is: 'behind' },
    ],
    ['behind, and named', { verdict: 'repository_changed', isBehind: true, leave: 'named' }, { is: 'send' }],
    ['changed in the product', {}, { is: 'held', evidence: 'base' }],
    ['the same under revert', { way: 'revert' }, { is: 'reverted', evidence: 'base' }],
    ['the same, let through for good', { leave: 'standing' }, { is: 'reverted', evidence: 'base' }],
    ['the same, named', { leave: 'named' }, { is: 'reverted', evidence: 'base' }],
    ['turned off by disable', { outside: 'disable', way: 'revert' }, { is: 'held', evidence: 'run' }],
    [
      'the same, let through for good',
      { outside: 'disable', leave: 'standing' },
      { is: 'held', evidence: 'run' },
    ],
    ['the same, named', { outside: 'disable', leave: 'named' }, { is: 'reverted', evidence: 'run' }],
    [
      'turned off by disable as it was declared, and turned on in git',
      { verdict: 'repository_changed', outside: 'disable' },
      { is: 'held', evidence: 'run' },
    ],
    ['put back by undo', { outside: 'undo', way: 'revert' }, { is: 'held', evidence: 'run' }],
    [
      'put back by undo, and changed in git, whatever the policy',
      { verdict: 'conflict', outside: 'undo', way: 'revert', leave: 'standing' },
      { is: 'merge', evidence: 'run' },
    ],
    [
      'put back by undo as it was declared, and changed in git',
      { verdict: 'repository_changed', outside: 'undo' },
      { is: 'send' },
    ],
    ['changed on both sides', { verdict: 'conflict' }, { is: 'merge', evidence: 'base' }],
    ['the same under revert', { verdict: 'conflict', way: 'revert' }, { is: 'reverted', evidence: 'base' }],
    [
      'the same, let through for good',
      { verdict: 'conflict', leave: 'standing' },
      { is: 'reverted', evidence: 'base' },
    ],
    [
      'changed on both sides, of which git is behind',
      { verdict: 'conflict', isBehind: true },
      { is: 'behind' },
    ],
    ['without a base', { verdict: 'two_way' }, { is: 'send' }],
    [
      'without a base, by a person',
      { verdict: 'two_way', evidence: 'trail' },
      { is: 'held', evidence: 'trail' },
    ],
    [
      'the same under revert',
      { verdict: 'two_way', evidence: 'trail', way: 'revert' },
      { is: 'reverted', evidence: 'trail' },
    ],
    ['without a base, off', { verdict: 'two_way', evidence: 'off' }, { is: 'held', evidence: 'off' }],
    ['the same under revert', { verdict: 'two_way', evidence: 'off', way: 'revert' }, { is: 'send' }],
    [
      'the same, let through for good',
      { verdict: 'two_way', evidence: 'off', leave: 'standing' },
      { is: 'send' },
    ],
    ['without a base, disabled', { verdict: 'two_way', outside: 'disable' }, { is: 'held', evidence: 'run' }],
  ])('%s', (_, over, judgement) => {
    expect(treatmentOf(aSituation(over))).toEqual(judgement)
  })

  it('never sends over a live edit under hold, unless somebody let it', () => {
    const held = situations.filter(
      ({ verdict, way, leave, evidence, outside }) =>
        way === 'hold' &&
        leave === 'none' &&
        outside === undefined &&
        (verdict === 'live_changed' ||
          verdict === 'conflict' ||
          (verdict === 'two_way' && evidence !== undefined)),
    )
    expect(held).not.toEqual([])
    expect(held.filter(each => isSent(treatmentOf(each).is))).toEqual([])
  })

  it('holds nothing under revert but what disable, undo or another line has set', () => {
    const sent = situations.filter(
      ({ verdict, way, outside, isBehind }) =>
        way === 'revert' &&
        outside === undefined &&
        !isBehind &&
        verdict !== 'unchanged' &&
        verdict !== 'both_the_same',
    )
    expect(sent).not.toEqual([])
    expect(sent.filter(each => !isSent(treatmentOf(each).is))).toEqual([])
  })

  it('sends every difference of an object that is named', () => {
    const named = situations.filter(
      ({ verdict, leave }) => leave === 'named' && verdict !== 'unchanged' && verdict !== 'both_the_same',
    )
    expect(named).not.toEqual([])
    expect(named.filter(each => !isSent(treatmentOf(each).is))).toEqual([])
  })

  it('never turns on what disable has turned off, whatever the policy and what is allowed for good', () => {
    const disabled = situations.filter(({ outside, leave }) => outside === 'disable' && leave !== 'named')
    expect(disabled).not.toEqual([])
    expect(disabled.filter(each => isSent(treatmentOf(each).is))).toEqual([])
  })

  it('says of each live edit what proves it, and of nothing else', () => {
    for (const situation of situations) {
      const { is, evidence } = treatmentOf(situation)
      const isLiveEdit = is === 'held' || is === 'reverted' || is === 'merge' || is === 'conflict'
      expect(evidence !== undefined, JSON.stringify(situation)).toBe(isLiveEdit)
    }
  })
})

describe('whether a write outside of git stands', () => {
  const write: OutsideWrite = { by: 'disable', run: 'r', at: 200, fields: { active: 'off' } }

  it.each([
    ['the field is as it left it', [write], 'active', 'off', true],
    ['the field is otherwise now', [write], 'active', 'on', false],
    ['it was about another field', [write], 'filters', 'off', false],
    ['there is none', [], 'active', 'off', false],
  ] as const)('%s', (_, given, field, live, stands) => {
    expect(standingWrite(given, field, live)).toBe(stands ? write : undefined)
  })
})
