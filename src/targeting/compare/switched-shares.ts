import type { Release, ReleaseVariant } from '../release.ts'

/** The share of those whom weights decide who get one value before and another after. */
export interface SwitchedShare {
  /** Undefined where no variant has that place: then they get true. */
  readonly from: string | undefined
  readonly to: string | undefined
  /** More than 0, and 100 at the most. */
  readonly points: number
}

/**
 * Who changes variants where the weights, the order or the keys of variants change: everybody keeps their place between 0 and
 * 100, and the variants lie on that line one after the other. The largest share first. [service-behaviour 12]
 *
 *     before  |--- a 50 ---|--- b 50 ---|
 *     after   |- a 30 -|----- b 70 -----|       20 points go from a to b
 */
export function switchedShares(before: Release, after: Release): readonly SwitchedShare[] {
  const [was, becomes] = [rangesOf(before.variants), rangesOf(after.variants)]
  const borders = [...new Set([0, 100, ...[...was, ...becomes].flatMap(({ start, end }) => [start, end])])]
    .filter(border => border <= 100)
    .sort((left, right) => left - right)
  const shares = new Map<string, SwitchedShare>()
  for (const [index, start] of borders.entries()) {
    const end = borders[index + 1]
    const [from, to] = [variantAt(was, start), variantAt(becomes, start)]
    if (end === undefined || from === to) continue
    const name = JSON.stringify([from ?? null, to ?? null])
    shares.set(name, { from, to, points: (shares.get(name)?.points ?? 0) + end - start })
  }
  return [...shares.values()]
    .map(share => ({ ...share, points: Number(share.points.toFixed(6)) }))
    .filter(({ points }) => points > 0)
    .sort((left, right) => right.points - left.points)
}

interface Range {
  readonly key: string
  readonly start: number
  readonly end: number
}

function rangesOf(variants: readonly ReleaseVariant[]): readonly Range[] {
  let end = 0
  return variants.map(({ key, percent }) => {
    const start = end
    end = Number((start + percent).toFixed(9))
    return { key, start, end }
  })
}

function variantAt(ranges: readonly Range[], place: number): string | undefined {
  return ranges.find(({ start, end }) => place >= start && place < end)?.key
}
