import { declarableKind, parentAddress } from '../../kinds/index.ts'
import { fileOfField } from '../../model/field.ts'
import type { JsonObject } from '../../model/text/json.ts'
import { type Blocked, type BlockRule, type Change, type Drift, type Plan, writtenFields } from '../change.ts'
import { existsField, type LiveEdit } from '../live-edits/live-edit.ts'
import type { Base, BaseObject } from '../live-edits/verdict.ts'

/** Objects that differ from their declaration, grouped by cause. */
export interface FoundDrift {
  /** Changed in the product since the last convergence. */
  readonly edited: readonly LiveEdit[]
  /** Live as declared by a commit that this branch lacks. */
  readonly behind: readonly LiveEdit[]
  /** Differences for which it is unknown which side has changed. */
  readonly differing: readonly (Change | Blocked)[]
  /** Changes in the repository that are not applied yet. */
  readonly unapplied: readonly (Change | Blocked)[]
  /** Objects with the ownership tag that are not declared. */
  readonly undeclared: readonly Drift[]
}

export interface DriftRecords {
  /** The declaration of each object when it last converged. */
  readonly base?: Base
  /** Whether an apply of this target is on record. */
  readonly isApplied?: boolean
}

/** Blocks for which it is unknown which side has changed. */
const unclear: readonly BlockRule[] = ['ambiguous', 'changed_since', 'other_identity', 'renamed_in_product']

/**
 * Separates edits in the product from changes that are not applied yet.
 *
 * | what an apply would do                                | group       |
 * |-------------------------------------------------------|-------------|
 * | nothing, or revert it: a live edit, or a conflict     | `edited`    |
 * | nothing: a commit that this branch lacks declares it  | `behind`    |
 * | nothing: its parent was deleted in the product        | none        |
 * | write fields that have a base                         | `unapplied` |
 * | write fields without a base                           | `differing` |
 * | create, delete, restore, claim; an apply is recorded  | `unapplied` |
 * | the same; no apply is recorded                        | `differing` |
 * | nothing: renamed in the product, or an ambiguous name | `differing` |
 * | several objects                                       |             |
 *
 * Fields that the service does not have or does not show are skipped: see `isDifference`.
 */
export function foundDrift(plan: Plan, { base = {}, isApplied = false }: DriftRecords): FoundDrift {
  const { liveEdits, changes, blocked, drift } = plan
  const edits = new Map(liveEdits.map(edit => [edit.address, edit]))
  const sides = [...changes, ...blocked.filter(isDifference)].flatMap(each => {
    const object = Object.hasOwn(base, each.address) ? base[each.address] : undefined
    const parent = edits.get(parentAddress(each.address) ?? '')
    // The flag of the grant was deleted in the product, which is reported.
    if ('rule' in each && each.rule === 'parent_missing' && parent?.fields.some(isOfExistence)) return []
    const side = sideOf(each, { edit: edits.get(each.address), object, isApplied })
    return side === undefined ? [] : [{ each, side }]
  })
  const of = (wanted: Side) => sides.flatMap(({ each, side }) => (side === wanted ? [each] : []))
  return {
    edited: liveEdits.filter(edit => !isBehind(edit)),
    behind: liveEdits.filter(isBehind),
    differing: of('differing'),
    unapplied: of('unapplied'),
    undeclared: drift,
  }
}

/** The addresses of each group, for programs. */
export function driftSides({ edited, behind, differing, unapplied, undeclared }: FoundDrift): JsonObject {
  const addresses = (all: readonly { readonly address: string }[]) => [
    ...new Set(all.map(({ address }) => address)),
  ]
  return {
    edited: addresses(edited),
    differing: addresses(differing),
    undeclared: addresses(undeclared),
    unapplied: addresses(unapplied),
    behind: addresses(behind),
  }
}

/** Whether `drift` ends in 6: something live is not declared. */
export function hasDrift({ edited, differing, undeclared }: FoundDrift): boolean {
  return edited.length + differing.length + undeclared.length > 0
}

type Side = 'differing' | 'unapplied'

interface Known {
  readonly edit: LiveEdit | undefined
  readonly object: BaseObject | undefined
  readonly isApplied: boolean
}

/** Undefined if live edits explain all differences. */
function sideOf(each: Change | Blocked, { edit, object, isApplied }: Known): Side | undefined {
  const edited = new Set(edit?.fields.map(({ field }) => field))
  if (edited.has(existsField)) return undefined
  if ('rule' in each) {
    if (unclear.includes(each.rule)) return 'differing'
    if (each.rule === 'behind') return 'unapplied'
    if (edited.size > 0) return undefined
    return object || (isApplied && each.action !== 'update') ? 'unapplied' : 'differing'
  }
  if (each.action !== 'update') return object || isApplied ? 'unapplied' : 'differing'
  const left = writtenFields(each).filter(field => !edited.has(field))
  if (left.length === 0) return undefined
  const { ownedBy } = declarableKind(each.kind).lifecycle
  // If tags are not declared, only the ownership tag differs, which belongs to the repository. Files that the
  // service does not show do not count.
  const isUnseen = (field: string) => fileOfField(field) !== undefined && !each.filesBefore
  const hasBase = (field: string) =>
    object !== undefined && (field in object.fields || field === ownedBy || isUnseen(field))
  return object && left.every(hasBase) ? 'unapplied' : 'differing'
}

function isOfExistence({ field }: LiveEdit['fields'][number]): boolean {
  return field === existsField
}

function isBehind({ fields }: LiveEdit): boolean {
  return fields.every(({ treatment }) => treatment === 'behind')
}

/** Blocks because of missing fields or unreadable objects. */
const noDifference: readonly BlockRule[] = [
  'not_kept',
  'not_offered',
  'not_seen',
  'source_unreadable',
  'unreadable',
]

/** Whether something blocked is a difference between the declared and the live state. */
export function isDifference({ rule }: Blocked): boolean {
  return !noDifference.includes(rule)
}
