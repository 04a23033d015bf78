import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { inChain } from '../../../../src/core/live-edits/base-index.ts'
import type { RunOnRecord } from '../../../../src/core/live-edits/base-of-runs.ts'
import { runAt } from './runs.ts'

const names = (runs: readonly RunOnRecord[]) => inChain(runs).map(({ record }) => record.run)
const run = (name: string, at: number, after: readonly string[], command: 'apply' | 'disable' = 'apply') =>
  runAt(at, { run: name, after, command })

describe('the order of runs', () => {
  it.each<[string, readonly RunOnRecord[], string]>([
    [
      'is that of their clocks where they knew nothing of each other',
      [run('b', 2, []), run('a', 1, [])],
      'ab',
    ],
    [
      'is that in which they knew of each other, whatever the clocks',
      [run('b', 1, ['a']), run('a', 9, [])],
      'ab',
    ],
    [
      'has a disable after every apply that did not know of it, and before those that did',
      [run('d', 1, [], 'disable'), run('a', 5, []), run('b', 9, ['a']), run('c', 7, ['a', 'd'])],
      'abdc',
    ],
    ['passes over what is not there', [run('b', 2, ['gone']), run('a', 1, ['gone'])], 'ab'],
    [
      'is that of the clocks where somebody has written a circle',
      [run('b', 2, ['a']), run('a', 1, ['b'])],
      'ab',
    ],
  ])('%s', (_, runs, order) => {
    expect(names(runs).join('')).toBe(order)
  })

  it('has each run once, after all that it knew of, however they are listed', () => {
    const someRuns = fc.array(
      fc.record({
        at: fc.integer({ min: 1, max: 9 }),
        knows: fc.array(fc.nat(30), { maxLength: 3 }),
        command: fc.constantFrom('apply' as const, 'disable' as const),
      }),
      { maxLength: 30 },
    )
    fc.assert(
      fc.property(someRuns, given => {
        const runs = given.map(({ at, knows, command }, index) =>
          run(`${index}`, at * 100 + index, knows.filter(each => each < index).map(String), command),
        )
        const order = names(runs)
        expect(order.toSorted()).toEqual(runs.map(({ record }) => record.run).toSorted())
        for (const { record } of runs)
          for (const known of record.after ?? [])
            expect(order.indexOf(known)).toBeLessThan(order.indexOf(record.run))
        expect(names(runs.toReversed())).toEqual(order)
      }),
    )
  })
})
