import { type DeclarableKind, switchField } from '../../model/kind.ts'
import type { LiveEditWay } from '../../model/live-edit-policy.ts'
import type { Json } from '../../model/text/json.ts'
import type { RunCommit } from '../record/run.ts'
import type { Evidence, SettingRun, Treatment } from './live-edit.ts'

/** What happened to one declared field, by three values: base, declared and live. */
export type Verdict =
  | 'unchanged'
  | 'repository_changed'
  | 'live_changed'
  | 'both_the_same'
  | 'conflict'
  /** A commit that this branch lacks has declared the live value. */
  | 'behind'
  /** Without a base only declared and live are compared: the side that changed is unknown. */
  | 'two_way'

/** Digests of the canonical forms of one field. */
export interface ThreeDigests {
  /** Undefined if nothing is known. */
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

/** How the commit of a field's base relates to the planned commit. */
export interface Standing {
  readonly relation: Relation
  /** Whether the planned branch declares the field as at the common ancestor with the diverged commit. */
  readonly isAsAtFork?: boolean
  /** For a missing commit: whether the planned branch declared the base's value earlier. */
  readonly wasDeclared?: boolean
}

/**
 * Whether the declared value is older than the base: then applying it would revert another commit.
 *
 * | the commit of the base | and the planned branch                  | behind |
 * |------------------------|-----------------------------------------|--------|
 * | same, ancestor         |                                         | no     |
 * | descendant             |                                         | yes    |
 * | diverged               | has the field as at the common ancestor | yes    |
 * | diverged               | has changed the field as well           | no     |
 * | missing                | declared the base's value earlier       | no     |
 * | missing                | never declared the base's value         | yes    |
 * | missing, unknown       | cannot be read                          | no     |
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

export interface Situation {
  readonly verdict: Exclude<Verdict, 'behind'>
  readonly isBehind: boolean
  readonly way: LiveEditWay
  readonly leave: Leave
  /** The command that set the live value without a declaration: see `standingWrite`. */
  readonly outside?: OutsideWrite['by']
  /** Without a base: the evidence for a live edit. With a base, the base is the evidence. */
  readonly evidence?: Exclude<Evidence, 'base'>
}

/**
 * The permission to overwrite a live edit. `standing`: `allow: [live_edit]` in a declaration or the settings,
 * or `--allow live_edit` for a whole run. `named`: `--allow live_edit=ADDRESS`. Only a named permission
 * covers `vexil disable` and changes of another branch.
 */
export type Leave = 'none' | 'standing' | 'named'

/** `send`: an ordinary change. `merge`: both sides, or a conflict. `nothing`: it is live as declared. */
export type Decision = 'nothing' | 'send' | 'merge' | Exclude<Treatment, 'merged'>

export interface Judgement {
  readonly is: Decision
  readonly evidence?: Evidence
}

/**
 * Decides what a plan does with one field; the first matching row counts.
 *
 * | the difference                                                | decision                                    |
 * |---------------------------------------------------------------|---------------------------------------------|
 * | none                                                          | `nothing`                                   |
 * | any, with a named permission                                  | `reverted` for a live edit, or `send`       |
 * | a flag that `vexil disable` turned off                        | `held`, until it is declared off            |
 * | changed in the repository, or on both sides, and it is behind | `behind`                                    |
 * | changed in the repository alone                               | `send`                                      |
 * | without a base and without evidence                           | `send`                                      |
 * | a live edit under `revert`, or permitted; not set by `undo`   | `reverted`; `send` if the evidence is `off` |
 * | changed on both sides                                         | `merge`                                     |
 * | any other live edit                                           | `held`                                      |
 */
export function treatmentOf(situation: Situation): Judgement {
  const is = decisionOn(situation)
  const evidence = evidenceFor(is, situation)
  return { is, ...(evidence === undefined ? {} : { evidence }) }
}

function decisionOn({ verdict, isBehind, way, leave, outside, evidence }: Situation): Decision {
  if (verdict === 'unchanged' || verdict === 'both_the_same') return 'nothing'
  const isRepositoryAlone = verdict === 'repository_changed'
  const isUnproven = verdict === 'two_way' && outside === undefined
  const isGuess = isUnproven && (evidence === undefined || evidence === 'off')
  const overwrite = isRepositoryAlone || isGuess ? 'send' : 'reverted'
  if (leave === 'named') return overwrite
  if (outside === 'disable') return 'held'
  if (isBehind && (isRepositoryAlone || verdict === 'conflict')) return 'behind'
  if (isRepositoryAlone || (isUnproven && evidence === undefined)) return 'send'
  if (outside === undefined && (way === 'revert' || leave === 'standing')) return overwrite
  return verdict === 'conflict' ? 'merge' : 'held'
}

function evidenceFor(is: Decision, { verdict, outside, evidence }: Situation): Evidence | undefined {
  if (is === 'nothing' || is === 'send' || is === 'behind') return undefined
  if (outside !== undefined) return 'run'
  return verdict === 'two_way' ? evidence : 'base'
}

/** The write by `vexil undo` or `vexil disable` that gave a field its live value. */
export function standingWrite(
  writes: readonly OutsideWrite[],
  field: string,
  live: string,
): OutsideWrite | undefined {
  return writes.find(({ fields }) => fields[field] === live)
}

/** A field without a base whose live value differs from the declared one. */
export interface Unproven {
  readonly kind: DeclarableKind
  readonly field: string
  readonly declared: Json
  readonly live: Json
  /** Whether the newest row of the activity trail for it is by a person, not by automation. */
  readonly isByPerson: boolean
  /** Whether the environment has a run on record. */
  readonly isOnRecord: boolean
}

/**
 * The evidence for a live edit without a base.
 *
 * | the field                                            | evidence | under `hold` |
 * |------------------------------------------------------|----------|--------------|
 * | was last changed by a person, according to the trail | `trail`  | held         |
 * | is the switch, off, and would be turned on, in an    | `off`    | held         |
 * | environment that has a run on record                 |          |              |
 * | is any other                                         | none     | a change     |
 *
 * A flag that was turned off in an incident must not be turned on by accident. An environment without runs is
 * still being set up, so a hold would only confuse.
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

/** The three values for whether an object exists. A soft-deleted one is absent. */
export interface Existence {
  readonly base: BaseObject | undefined
  readonly declared: BaseObject['ensure']
  readonly live: BaseObject['ensure']
  /** The fields that were changed in the product: see `editedFields`. */
  readonly edited: readonly string[]
}

/**
 * The verdict on the existence of an object.
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
 * The fields of a live object that differ from their base. Values from `vexil undo` and `vexil disable` do
 * not count: plans already show them. `live` has a digest for each field.
 */
export function fieldsEditedInProduct(
  base: BaseObject | undefined,
  live: Readonly<Record<string, string | undefined>>,
  write: OutsideWrite | undefined,
): string[] {
  return Object.entries(base?.fields ?? {}).flatMap(([name, field]) => {
    const now = live[name]
    // A field that the service does not show proves nothing.
    if (field === undefined || now === undefined || now === field.digest) return []
    return write?.fields[name] === now ? [] : [name]
  })
}

/**
 * How a commit on record relates to the commit that is planned.
 *
 * | relation     | the recorded commit                                                       |
 * |--------------|---------------------------------------------------------------------------|
 * | `same`       | is the one that is planned                                                |
 * | `ancestor`   | is part of the history that is planned                                    |
 * | `descendant` | is newer: the commit that is planned is part of its history               |
 * | `diverged`   | is on another branch                                                      |
 * | `missing`    | is not in this complete clone: it was not fetched, or squashed and pruned |
 * | `unknown`    | is not known: a shallow clone, no git, no recorded commit                 |
 */
export type Relation = 'same' | 'ancestor' | 'descendant' | 'diverged' | 'missing' | 'unknown'

/** How recorded commits relate to the planned one, read from git before planning. */
export interface Lineage {
  relationOf(commit: string | undefined): Relation
  /**
   * The digest of a field at the common ancestor with a diverged commit; undefined if it was not declared
   * there, or cannot be read.
   */
  digestAtFork(commit: string, address: string, field: string): string | undefined
  /**
   * Whether an earlier commit of the planned branch declared this field with this digest; undefined if
   * unknown. Used if the recorded commit is missing. With `since`, only later commits are searched: the
   * repository has contained the live value since that commit.
   */
  wasDeclared(address: string, field: string, digest: string, since?: string): boolean | undefined
}

/** Used if git is not available. */
export const noLineage: Lineage = {
  relationOf: () => 'unknown',
  digestAtFork: () => undefined,
  wasDeclared: () => undefined,
}

/**
 * The base of live edits, by address: the declaration of an object when it last converged. An object
 * converges when a run finds it as declared or writes it so.
 */
export type Base = Readonly<Record<string, BaseObject | undefined>>

export interface BaseObject {
  readonly ensure: 'present' | 'absent'
  /** The id by which the object was found or made; a rename in the product does not change it. */
  readonly id?: string
  /** By name, each field that was declared. A field that was not declared has no base. */
  readonly fields: Readonly<Record<string, BaseField | undefined>>
  /** The run of this base, except for fields with their own origin. */
  readonly origin: BaseOrigin
}

export interface BaseField {
  /** A short digest of its canonical form, like those of `sentDigests`. */
  readonly digest: string
  /** The value, if it was read from the commit of its origin and has this digest. */
  readonly value?: Json
  /** The run that the field is from, if it was held in later runs. */
  readonly origin?: BaseOrigin
  /**
   * Digests of values that later runs may have written: an answer was lost, or a request waits for approval.
   * A live value with one of these digests counts as equal to the base.
   */
  readonly maybe?: readonly string[]
  /** The ignored paths in it, which the digest does not include; undefined if there are none. */
  readonly ignore?: readonly string[]
}

/**
 * By flag address, the roles in the declared list of grants when an apply last read it completely. Other
 * roles had no grant then, so a later grant was made in the product.
 */
export type GrantLists = Readonly<Record<string, GrantList | undefined>>

export interface GrantList {
  /** Ids of roles. */
  readonly roles: readonly string[]
  readonly origin: BaseOrigin
  /** Addresses of grants that existed outside the list at that time. */
  readonly unknown?: readonly string[]
}

/** A run on record, as far as a base needs it. */
export interface BaseOrigin {
  readonly run: string
  /** Milliseconds since 1970. */
  readonly at: number
  /** Without git there is none. */
  readonly revision?: RunCommit
}

/** A recorded write without a declaration: by `vexil undo` or `vexil disable`. */
export interface OutsideWrite {
  readonly by: SettingRun['command']
  readonly run: string
  /** Milliseconds since 1970. */
  readonly at: number
  readonly who?: string
  /** The reason, in the words of the person who did it. */
  readonly reason?: string
  /**
   * By name, a short digest of each written value, with the ownership tag if it was sent. `exists`: the
   * digest of `true` if the run restored the object, of `false` if it deleted it.
   */
  readonly fields: Readonly<Record<string, string>>
}

/**
 * Undeclared writes that still count, by address, newest first. A field belongs to its last write until a run
 * finds or sets its declared value.
 */
export type OutsideWrites = Readonly<Record<string, readonly OutsideWrite[] | undefined>>

/** By address and field, since when it is held, in milliseconds since 1970. */
export type HeldSince = Readonly<Record<string, Readonly<Record<string, number>> | undefined>>

/**
 * The base of a live grant that is not in the declared list of its flag.
 *
 * | the list, when an apply last read it completely | its base                      |
 * |-------------------------------------------------|-------------------------------|
 * | is not on record                                | its own, if any               |
 * | named its role                                  | that it was declared          |
 * | did not, but the apply kept the grant           | its own, if any; else unknown |
 * | did not                                         | that it did not exist         |
 */
export function surplusBase(
  list: GrantList | undefined,
  own: BaseObject | undefined,
  { address, identity }: { readonly address: string; readonly identity: string },
): BaseObject | undefined {
  if (!list) return own
  const { origin, roles, unknown = [] } = list
  if (roles.includes(identity))
    return own?.ensure === 'present' ? own : { ensure: 'present', fields: {}, origin }
  return own ?? (unknown.includes(address) ? undefined : { ensure: 'absent', fields: {}, origin })
}

/** The base of a plan's live edits, for display. */
export interface Measured extends BaseOrigin {
  /** How many declared objects were last as declared in an earlier run; absent if there are none. */
  readonly earlier?: number
}

/** The newest run among the bases of some objects; undefined if none of them has a base. */
export function measuredFrom(base: Base, addresses: readonly string[]): Measured | undefined {
  const origins = addresses.flatMap(address => {
    const object = Object.hasOwn(base, address) ? base[address] : undefined
    return object ? [object.origin] : []
  })
  const [first, ...others] = origins
  if (!first) return undefined
  // Names of runs sort in the order of the runs; clocks may differ.
  const newest = others.reduce((newest, origin) => (origin.run > newest.run ? origin : newest), first)
  const earlier = origins.filter(({ run }) => run !== newest.run).length
  return { ...newest, ...(earlier === 0 ? {} : { earlier }) }
}
