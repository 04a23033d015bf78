import type { Json } from '../../model/json/json.ts'
import { type DeclarableKind, switchField } from '../../model/kind.ts'
import type { LiveEditWay } from '../../model/live-edit-policy.ts'
import type { BaseObject, OutsideWrite } from './base.ts'
import type { Evidence, Treatment } from './live-edit.ts'

/** What became of one declared field, by the three values that decide: base, declared and live. */
export type Verdict =
  | 'unchanged'
  | 'repository_changed'
  | 'live_changed'
  | 'both_the_same'
  | 'conflict'
  /** Another line has declared what is live, and this one has not taken part in that. */
  | 'behind'
  /** Without a base declared and live are compared, and nobody can tell which of them changed. */
  | 'two_way'

/** Digests of the canonical forms of one field. */
export interface ThreeDigests {
  /** Undefined where nothing is known. */
  readonly base: string | undefined
  readonly declared: string
  readonly live: string
}

/**
 * The verdict on one field.
 *
 * | base = declared | base = live | declared = live | verdict              |
 * |-----------------|-------------|-----------------|----------------------|
 * | yes             | yes         | yes             | `unchanged`          |
 * | no              | yes         | no              | `repository_changed` |
 * | yes             | no          | no              | `live_changed`       |
 * | no              | no          | yes             | `both_the_same`      |
 * | no              | no          | no              | `conflict`           |
 * | no base         |             | yes             | `unchanged`          |
 * | no base         |             | no              | `two_way`            |
 */
export function verdictOf({ base, declared, live }: ThreeDigests): Exclude<Verdict, 'behind'> {
  if (base === undefined) return declared === live ? 'unchanged' : 'two_way'
  if (declared === live) return base === live ? 'unchanged' : 'both_the_same'
  if (base === live) return 'repository_changed'
  return base === declared ? 'live_changed' : 'conflict'
}

/** How the base of a field stands to the commit that is planned. */
export interface Standing {
  readonly relation: Relation
  /** Whether the planned line declares the field as it was where a diverged line parted from it. */
  readonly isAsAtFork?: boolean
  /** Of a missing commit: whether the planned line has declared the field as the base has it before. */
  readonly wasDeclared?: boolean
}

/**
 * Whether what is declared is older than the base: then a difference is no wish of the repository, and applying it would
 * take back what another commit has brought.
 *
 * | the commit of the base | and the planned line                             | behind |
 * |------------------------|--------------------------------------------------|--------|
 * | same, ancestor         |                                                  | no     |
 * | descendant             |                                                  | yes    |
 * | diverged               | has left the field as it was where they parted   | yes    |
 * | diverged               | has changed the field as well                    | no     |
 * | missing                | has declared the field so before                 | no     |
 * | missing                | has never declared it so                         | yes    |
 * | missing, unknown       | cannot be looked at                              | no     |
 */
export function isBehind({ relation, isAsAtFork, wasDeclared }: Standing): boolean {
  switch (relation) {
    case 'same':
    case 'ancestor':
    case 'unknown':
      return false
    case 'descendant':
      return true
    case 'diverged':
      return isAsAtFork === true
    case 'missing':
      return wasDeclared === false
  }
}

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

/** A field without a base that is not live as declared. */
export interface Unproven {
  readonly kind: DeclarableKind
  readonly field: string
  readonly declared: Json
  readonly live: Json
  /** Whether the newest row of the activity trail for it is by somebody who is no automation. */
  readonly isByPerson: boolean
  /** Whether the environment has a run on record. */
  readonly isOnRecord: boolean
}

/**
 * What speaks for a live edit where there is no base.
 *
 * | the field                                          | evidence | under `hold` |
 * |----------------------------------------------------|----------|--------------|
 * | was changed last by a person, as the trail has it  | `trail`  | held         |
 * | is the switch, off, and would be turned on, in an  | `off`    | held         |
 * | environment that has a run on record               |          |              |
 * | is any other                                       | none     | a change     |
 *
 * A flag that somebody turned off in an incident is what must not come back by chance. In an environment without runs the
 * repository is being set up, and there nobody would know what to do with it.
 */
export function unprovenEvidence({
  kind,
  field,
  declared,
  live,
  isByPerson,
  isOnRecord,
}: Unproven): Situation['evidence'] {
  if (isByPerson) return 'trail'
  const isTurnedOn = field === switchField(kind) && live === false && declared === true
  return isTurnedOn && isOnRecord ? 'off' : undefined
}

/** Whether an object is there, of the three that decide. A soft-deleted one is absent. */
export interface Existence {
  readonly base: BaseObject | undefined
  readonly declared: BaseObject['ensure']
  readonly live: BaseObject['ensure']
  /** Those of its fields that were changed in the product: see `editedFields`. */
  readonly edited: readonly string[]
}

/**
 * The verdict on the existence of an object, which is a field like any other.
 *
 * | base    | declared | live              | verdict              | under `hold`         | under `revert`        |
 * |---------|----------|-------------------|----------------------|----------------------|-----------------------|
 * | present | present  | absent            | `live_changed`       | it is not restored   | restored, or created  |
 * | absent  | absent   | present           | `live_changed`       | it is not deleted    | deleted               |
 * | absent  | present  | absent            | `repository_changed` | created, or restored | the same              |
 * | present | absent   | present           | `repository_changed` | deleted              | the same              |
 * | present | absent   | present, edited   | `conflict`           | it is not deleted    | deleted               |
 * | any     | present  | present           | both are the same    |                      |                       |
 * | any     | absent   | absent            | both are the same    |                      |                       |
 * | none    | present  | absent            | `two_way`            | created, or restored | the same              |
 * | none    | absent   | present           | `two_way`            | deleted              | the same              |
 */
export function existenceVerdict({ base, declared, live, edited }: Existence): Exclude<Verdict, 'behind'> {
  const verdict = verdictOf({ base: base?.ensure, declared, live })
  const isRetired = verdict === 'repository_changed' && declared === 'absent'
  return isRetired && edited.length > 0 ? 'conflict' : verdict
}

/**
 * The fields of a living object in which it is not as it was declared when it last converged. What `vexil undo` and
 * `vexil disable` have set is no edit of the product: who retires the object knows of it from each plan. `live` has a
 * digest for each of its fields.
 */
export function fieldsEditedInProduct(
  base: BaseObject | undefined,
  live: Readonly<Record<string, string | undefined>>,
  write: OutsideWrite | undefined,
): string[] {
  return Object.entries(base?.fields ?? {}).flatMap(([name, field]) => {
    const now = live[name]
    // A field that the service does not show tells nothing.
    if (field === undefined || now === undefined || now === field.digest) return []
    return write?.fields[name] === now ? [] : [name]
  })
}

/**
 * How a commit on record stands to the commit that is planned.
 *
 * | relation     | the recorded commit                                                              |
 * |--------------|----------------------------------------------------------------------------------|
 * | `same`       | is the one that is planned                                                       |
 * | `ancestor`   | is part of the history that is planned                                           |
 * | `descendant` | is newer: the commit that is planned is part of its history                      |
 * | `diverged`   | is on another line                                                               |
 * | `missing`    | is not in this clone, which is whole: it was not fetched, or squashed and pruned |
 * | `unknown`    | cannot be told: a shallow clone, no git, no commit on record                     |
 */
export type Relation = 'same' | 'ancestor' | 'descendant' | 'diverged' | 'missing' | 'unknown'

/** What git tells of commits on record. All of it was read before a plan is made: a plan reads nothing. */
export interface Lineage {
  relationOf(commit: string | undefined): Relation
  /**
   * The digest of a field where the two lines of a diverged commit part; undefined where it was not declared there, or
   * cannot be told.
   */
  digestAtFork(commit: string, address: string, field: string): string | undefined
  /**
   * Whether the history that is planned declared a field with this digest before; undefined where that cannot be told.
   * Asked where the commit on record is missing. With `since`, only what came after that commit counts: the repository has
   * taken over what is live since then.
   */
  wasDeclared(address: string, field: string, digest: string, since?: string): boolean | undefined
}

/** Where git tells nothing. */
export const noLineage: Lineage = {
  relationOf: () => 'unknown',
  digestAtFork: () => undefined,
  wasDeclared: () => undefined,
}
