import { describe, expect, it } from 'vitest'
import { isBehind, type Relation, type Standing, verdictOf } from '../../../src/core/live-edits/verdict.ts'

describe('the verdict on a field', () => {
  it.each([
    ['a', 'a', 'a', 'unchanged'],
    ['a', 'b', 'a', 'repository_changed'],
    ['a', 'a', 'b', 'live_changed'],
    ['a', 'b', 'b', 'both_the_same'],
    ['a', 'b', 'c', 'conflict'],
    [undefined, 'a', 'a', 'unchanged'],
    [undefined, 'a', 'b', 'two_way'],
  ] as const)('base %s, declared %s, live %s: %s', (base, declared, live, verdict) => {
    expect(verdictOf({ base, declared, live })).toBe(verdict)
  })

  it('is told by which of the three are the same, whatever they are', () => {
    const values = ['a', 'b', 'c']
    for (const base of values) {
      for (const declared of values) {
        for (const live of values) {
          const renamed = { base: `${base}!`, declared: `${declared}!`, live: `${live}!` }
          expect(verdictOf(renamed)).toBe(verdictOf({ base, declared, live }))
        }
      }
    }
  })
})

describe('whether what is declared is older than the base', () => {
  it.each<[Relation, Omit<Standing, 'relation'>, boolean]>([
    ['same', {}, false],
    ['ancestor', {}, false],
    ['descendant', {}, true],
    ['diverged', { isAsAtFork: true }, true],
    ['diverged', { isAsAtFork: false }, false],
    ['diverged', {}, false],
    ['missing', { wasDeclared: true }, false],
    ['missing', { wasDeclared: false }, true],
    ['missing', {}, false],
    ['unknown', {}, false],
  ])('%s, %j: %s', (relation, about, behind) => {
    expect(isBehind({ relation, ...about })).toBe(behind)
  })
})
