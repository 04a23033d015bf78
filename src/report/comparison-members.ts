import type { ComparedRow, Comparison } from '../core/compare/comparison.ts'
import type { ComparisonDocument } from './document.ts'

/** How many objects came out how; `only` by each environment that has some which others have not. */
export interface ComparisonCounts {
  readonly equal: number
  readonly differs: number
  readonly only: Readonly<Record<string, number>>
}

export function comparisonCounts({ environments, rows }: Comparison): ComparisonCounts {
  const count = (fits: (row: ComparedRow) => boolean) => rows.filter(fits).length
  return {
    equal: count(({ verdict }) => verdict === 'equal'),
    differs: count(({ verdict }) => verdict === 'differs'),
    only: Object.fromEntries(
      environments.map(name => [
        name,
        count(row => row.verdict === 'only' && row.environments[name]?.state === 'present'),
      ]),
    ),
  }
}

/** What the document of a comparison has for programs: every object, also those that are equal. */
export function comparisonMembers({ comparison, isLive, places }: ComparisonDocument) {
  return {
    of: isLive ? 'live' : 'declared',
    environments: comparison.environments.map(name => ({
      name,
      ...(places[name] === undefined ? {} : { place: places[name] }),
    })),
    objects: comparison.rows,
    summary: comparisonCounts(comparison),
  }
}
