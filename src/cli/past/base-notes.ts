import { type Action, type Plan, writtenFields } from '../../core/change.ts'
import { isDifference } from '../../core/plan/drift.ts'
import type { PlanInput } from '../../core/plan/plan.ts'
import type { RunRecord } from '../../core/record/run.ts'
import { isSandbox, type Target, targetText } from '../../core/target.ts'
import { counted } from '../../report/object-names.ts'
import { someOf } from './past-notes.ts'

/** Where a plan is made, as far as it matters for what it can be measured from. */
export interface MeasuringPlace {
  readonly target: Target
  readonly environment: string | undefined
  /** The newest apply of this environment on record, where it was to another place. */
  readonly elsewhere: RunRecord | undefined
  /** Whether the settings say where records are shared. */
  readonly sharesRecords: boolean
  /** Whether records are there that cannot be read, which has been told. */
  readonly hasUnread: boolean
  /** Whether it is only looked at what differs, and nothing is going to be applied. */
  readonly isLookedAt: boolean
}

/**
 * What a plan has nothing to measure from, a line each with what to do; only where something differs that somebody may
 * have changed.
 *
 * | an apply is on record             | and the plan                          | told                               |
 * |-----------------------------------|---------------------------------------|------------------------------------|
 * | of the target                     | sets a field that has `${env:}` in it | the field                          |
 * | of the environment, elsewhere     | changes or blocks anything            | where that was                     |
 * | nowhere                           | changes or restores what is live      | how many, and how to get a record  |
 * | nowhere                           | creates, deletes                      | nothing; by `vexil drift` the same |
 * | nowhere                           | claims                                | nothing                            |
 * | any, and the target is a sandbox  | does anything                         | nothing                            |
 */
export function baseNotes(plan: Plan, asked: PlanInput, place: MeasuringPlace): string[] {
  if (isSandbox(place.target)) return []
  if (asked.isApplied) return environmentNotes(plan, asked)
  if (place.elsewhere) {
    const isAny = plan.changes.length + plan.blocked.length > 0
    return isAny ? [elsewhereNote(place.elsewhere, place)] : []
  }
  const wanted: readonly Action[] = place.isLookedAt
    ? ['create', 'update', 'restore', 'delete']
    : ['update', 'restore']
  const differing = [...plan.changes, ...plan.blocked.filter(isDifference)]
  const count = differing.filter(({ action }) => wanted.includes(action)).length
  return count === 0 ? [] : [unrecordedNote(count, place)]
}

function environmentNotes({ changes }: Plan, { declarations, base = {} }: PlanInput): string[] {
  const declared = new Map(declarations.desired.map(desired => [desired.address, desired]))
  const fields = changes.flatMap(change => {
    const { address, action } = change
    const written = writtenFields(change)
    const { fromEnvironment = [] } = declared.get(address) ?? {}
    const isKnown = action === 'update' && Object.hasOwn(base, address)
    return isKnown
      ? fromEnvironment.filter(name => written.includes(name)).map(name => `${address} ${name}`)
      : []
  })
  if (fields.length === 0) return []
  const [it, have] = fields.length === 1 ? ['it', 'has'] : ['them', 'have']
  return [
    `${someOf(fields)} ${have} a value of \`\${env:NAME}\`, of which nothing is on record, so nobody can tell which side has changed ${it}; write values that differ under \`environments\` in the declaration to have ${it} compared`,
  ]
}

function elsewhereNote({ run, target }: RunRecord, place: MeasuringPlace): string {
  return `no apply to ${targetText(place.target)} is on record: the last one of ${place.environment} was to ${targetText(target)} (run ${run}), and what was declared for another place says nothing of this one; the first apply starts its records`
}

function unrecordedNote(
  count: number,
  { environment, target, sharesRecords, hasUnread, isLookedAt }: MeasuringPlace,
): string {
  const sent = isLookedAt ? '' : ', and what is declared is sent'
  if (hasUnread)
    return `no apply to ${environment ?? targetText(target)} can be read, so nobody can tell which side has changed ${counted(count, 'object')}${sent}`
  const shared = sharesRecords
    ? ''
    : '; where others apply, `runs: { ref: refs/vexil/runs }` in the settings shares their records'
  return `no apply to ${environment ?? targetText(target)} is on record, so nobody can tell which side has changed ${counted(count, 'object')}${sent}; the first apply starts the records${shared}`
}
