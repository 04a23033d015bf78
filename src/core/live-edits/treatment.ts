import type { LiveEditWay } from '../../model/safety/live-edit-policy.ts'
import type { OutsideWrite } from './base.ts'
import type { Evidence, Treatment } from './live-edit.ts'
import type { Verdict } from './verdict.ts'

/** All that decides what a plan does about one field. */
export interface Situation {
  readonly verdict: Exclude<Verdict, 'behind'>
  /** Whether what is declared is older than the base: see `isBehind`. */
  readonly isBehind: boolean
  readonly way: LiveEditWay
  readonly leave: Leave
  /** Which command has set the field to what is live, without a declaration: see `standingWrite`. */
  readonly outside?: OutsideWrite['by']
  /** Without a base: what speaks for a live edit. With one, the base tells by itself. */
  readonly evidence?: Extract<Evidence, 'trail' | 'off'>
}

/**
 * How somebody has said to go ahead where a live edit stands in the way: for good (`allow: [live_edit]` in a declaration
 * or in the settings, and `--allow live_edit` for a whole run), or for this very object in this run
 * (`--allow live_edit=ADDRESS`). What was done in an incident, or what another line has brought, is no matter of habit:
 * only naming the object lifts that.
 */
export type Leave = 'none' | 'standing' | 'named'

/**
 * `send`: a change like any other. `merge`: both sides have changed it; it is merged where that is possible, and otherwise
 * a conflict. `nothing`: it is live as declared.
 */
export type Decision = 'nothing' | 'send' | 'merge' | Exclude<Treatment, 'merged'>

export interface Judgement {
  readonly is: Decision
  /** Of a live edit: what proves it. */
  readonly evidence?: Evidence
}

/** Undefined stands for any value. */
interface Row {
  readonly verdict: readonly Situation['verdict'][]
  readonly leave?: readonly Leave[]
  readonly outside?: readonly (OutsideWrite['by'] | 'none')[]
  readonly behind?: boolean
  readonly way?: LiveEditWay
  readonly evidence?: readonly ('trail' | 'off' | 'none')[]
  readonly is: Decision
}

const unnamed = ['none', 'standing'] as const
const outsides = ['undo', 'disable'] as const

/**
 * What becomes of a field. Each situation fits exactly one row, so the order of the rows decides nothing.
 *
 * - What `vexil disable` has turned off stays off until the repository has been of one mind with it. What `vexil undo`
 *   has put back stays until git changes it, and then goes together with that or is a conflict. Neither asks for the policy.
 * - With `revert` nothing else is held; with `hold` nothing that was changed in the product is lost unseen.
 * - Without a base nobody knows who changed a field, so it is a change like any other unless something proves more.
 */
export const rows: readonly Row[] = [
  { verdict: ['unchanged', 'both_the_same'], is: 'nothing' },

  { verdict: ['repository_changed'], leave: ['named'], is: 'send' },
  { verdict: ['repository_changed'], leave: unnamed, outside: ['disable'], is: 'held' },
  { verdict: ['repository_changed'], leave: unnamed, outside: ['undo', 'none'], behind: true, is: 'behind' },
  { verdict: ['repository_changed'], leave: unnamed, outside: ['undo', 'none'], behind: false, is: 'send' },

  { verdict: ['live_changed'], leave: ['named'], is: 'reverted' },
  { verdict: ['live_changed'], leave: unnamed, outside: outsides, is: 'held' },
  { verdict: ['live_changed'], leave: ['standing'], outside: ['none'], is: 'reverted' },
  { verdict: ['live_changed'], leave: ['none'], outside: ['none'], way: 'revert', is: 'reverted' },
  { verdict: ['live_changed'], leave: ['none'], outside: ['none'], way: 'hold', is: 'held' },

  { verdict: ['conflict'], leave: ['named'], is: 'reverted' },
  { verdict: ['conflict'], leave: unnamed, outside: ['disable'], is: 'held' },
  { verdict: ['conflict'], leave: unnamed, outside: ['undo', 'none'], behind: true, is: 'behind' },
  { verdict: ['conflict'], leave: unnamed, outside: ['undo'], behind: false, is: 'merge' },
  { verdict: ['conflict'], leave: ['standing'], outside: ['none'], behind: false, is: 'reverted' },
  { verdict: ['conflict'], leave: ['none'], outside: ['none'], behind: false, way: 'revert', is: 'reverted' },
  { verdict: ['conflict'], leave: ['none'], outside: ['none'], behind: false, way: 'hold', is: 'merge' },

  { verdict: ['two_way'], leave: ['named'], outside: outsides, is: 'reverted' },
  { verdict: ['two_way'], leave: unnamed, outside: outsides, is: 'held' },
  { verdict: ['two_way'], outside: ['none'], evidence: ['none'], is: 'send' },
  {
    verdict: ['two_way'],
    leave: ['standing', 'named'],
    outside: ['none'],
    evidence: ['trail'],
    is: 'reverted',
  },
  { verdict: ['two_way'], leave: ['standing', 'named'], outside: ['none'], evidence: ['off'], is: 'send' },
  {
    verdict: ['two_way'],
    leave: ['none'],
    outside: ['none'],
    evidence: ['trail'],
    way: 'revert',
    is: 'reverted',
  },
  { verdict: ['two_way'], leave: ['none'], outside: ['none'], evidence: ['off'], way: 'revert', is: 'send' },
  {
    verdict: ['two_way'],
    leave: ['none'],
    outside: ['none'],
    evidence: ['trail', 'off'],
    way: 'hold',
    is: 'held',
  },
]

/** Decides what a plan does about one field. */
export function treatmentOf(situation: Situation): Judgement {
  const row = rows.find(each => fits(each, situation))
  // The table has a row for every situation; without one nothing is written.
  const is = row?.is ?? 'conflict'
  const evidence = evidenceFor(is, situation)
  return { is, ...(evidence === undefined ? {} : { evidence }) }
}

/** Whether a situation is one of those that a row is for. */
export function fits(row: Row, situation: Situation): boolean {
  const { verdict, leave, outside, isBehind, way, evidence } = {
    outside: 'none',
    evidence: 'none',
    ...situation,
  } as const
  return (
    row.verdict.includes(verdict) &&
    (row.leave === undefined || row.leave.includes(leave)) &&
    (row.outside === undefined || row.outside.includes(outside)) &&
    (row.behind === undefined || row.behind === isBehind) &&
    (row.way === undefined || row.way === way) &&
    (row.evidence === undefined || row.evidence.includes(evidence))
  )
}

function evidenceFor(is: Decision, { verdict, outside, evidence }: Situation): Evidence | undefined {
  if (is === 'nothing' || is === 'send' || is === 'behind') return undefined
  if (outside !== undefined) return 'run'
  return verdict === 'two_way' ? evidence : 'base'
}

/** The write by which a field is live as `vexil undo` or `vexil disable` has set it. */
export function standingWrite(
  writes: readonly OutsideWrite[],
  field: string,
  live: string,
): OutsideWrite | undefined {
  return writes.find(({ fields }) => fields[field] === live)
}
