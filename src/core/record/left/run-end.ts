import type { RunEntry, RunRecord } from '../run.ts'

/** Whether a run was to make things as they are declared. */
export function isApply({ command }: Pick<RunRecord, 'command'>): boolean {
  return command === 'apply'
}

/** When a run ended, in milliseconds since 1970; of one that was cut off, when it began. */
export function endOf({ finishedAt, startedAt }: Pick<RunRecord, 'finishedAt' | 'startedAt'>): number {
  return finishedAt ?? startedAt
}

/** Whether a change is in effect. */
export function isKnown({ outcome }: Pick<RunEntry, 'outcome'>): boolean {
  return outcome === 'done' || outcome === 'already'
}
