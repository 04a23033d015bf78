import type { RunOnRecord } from '../../../../src/core/live-edits/base-of-runs.ts'
import type { RunRecord } from '../../../../src/core/record/run.ts'
import type { DeclaredDigests } from '../../../../src/core/record/run-folder.ts'

/** A whole apply that began and ended at a time, in milliseconds since 1970: `r2` knew of `r1`, and so on. */
export function runAt(at: number, over: Partial<RunRecord> = {}, declared?: DeclaredDigests): RunOnRecord {
  const record: RunRecord = {
    run: `r${at}`,
    command: 'apply',
    target: { baseUrl: 'https://flags.example.com', projectId: '1', profile: 'documented' },
    startedAt: at,
    after: Array.from({ length: at - 1 }, (_, before) => `r${before + 1}`),
    finishedAt: at,
    blocked: [],
    notTargeted: [],
    unchanged: 0,
    isComplete: true,
    entries: [],
    ...over,
  }
  return { record, ...(declared ? { declared } : {}) }
}
