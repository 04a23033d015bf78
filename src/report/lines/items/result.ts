import type { Item, Result, Section, SectionKind } from '../report.ts'

/** How an item counts among test results: what keeps live from being as declared has failed. */
export function resultOf({ is }: Section, { result }: Item): Result {
  return result ?? results[is]
}

const results: Readonly<Record<SectionKind, Result>> = {
  changes: 'passed',
  lost: 'passed',
  blocked: 'failed',
  conflict: 'failed',
  held: 'skipped',
  drift: 'failed',
  not_compared: 'skipped',
  unchanged: 'passed',
  events: 'passed',
  comparison: 'passed',
  runs: 'passed',
  outcomes: 'passed',
  tests: 'failed',
  passed_tests: 'passed',
  coverage: 'passed',
  problems: 'failed',
}
