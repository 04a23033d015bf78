import type { RunOnRecord } from './left.ts'
import { outsideCommand } from './outside-after.ts'
import { endOf } from './run-end.ts'

/**
 * Runs in the order in which they count. A run comes after those that it knew of, whatever the clocks of their machines
 * said. Of two that knew nothing of each other:
 *
 * | they are                                    | and first is                                                     |
 * |---------------------------------------------|------------------------------------------------------------------|
 * | an undo or a disable, and any other command | the other: it cannot have agreed with what it did not know of    |
 * | any other two                               | the one that ended first by the clocks; else the one given first |
 */
export function inChain(runs: readonly RunOnRecord[]): RunOnRecord[] {
  const ranked = [...runs].sort(byRank)
  const ranks = new Map(ranked.map(({ record }, rank) => [record.run, rank]))
  const followers = ranked.map((): number[] => [])
  const open = ranked.map(({ record: { after = [] } }, rank) => {
    const before = new Set(after.flatMap(run => ranks.get(run) ?? []))
    for (const each of before) followers[each]?.push(rank)
    return before.size
  })
  // The ranks of those whose turn it may be, the first one at the end.
  const ready = ranked.flatMap((_, rank) => (open[rank] === 0 ? [rank] : [])).reverse()
  const inOrder: RunOnRecord[] = []
  for (let rank = ready.pop(); rank !== undefined; rank = ready.pop()) {
    inOrder.push(...ranked.slice(rank, rank + 1))
    for (const next of followers[rank] ?? []) {
      open[next] = (open[next] ?? 0) - 1
      if (open[next] === 0) ready.splice(ready.findLastIndex(each => each > next) + 1, 0, next)
    }
  }
  // Only somebody who writes records by hand makes a circle.
  return inOrder.length === ranked.length ? inOrder : ranked
}

function byRank({ record: left }: RunOnRecord, { record: right }: RunOnRecord): number {
  const isOutside = (record: RunOnRecord['record']) => (outsideCommand(record) === undefined ? 0 : 1)
  return isOutside(left) - isOutside(right) || endOf(left) - endOf(right)
}
