import {
  type Contradiction,
  type DeclarableKind,
  isTargeting,
  switchField,
  targetingField,
} from '../../model/kind.ts'
import { isJsonObject, type JsonObject } from '../../model/text/json.ts'
import { brokenTogether, isHeld } from '../../targeting/check/filter-mistakes.ts'
import type { Action, Block, Blocked, Change, Outcome, Reference } from '../change.ts'
import { type Desired, type LiveOnly, parentKey } from '../desired.ts'
import {
  declaredFields,
  ignoredIn,
  ignoredPlaces,
  isSameField,
  isThere,
  keepByPosition,
  placedIn,
} from '../diff.ts'
import type { Live } from '../live.ts'
import type { ObjectContext } from './object-context.ts'

export function blockedFrom(
  { address, kind, action, summary, source }: Change,
  { rule, reason, remedy }: Block,
): Blocked {
  return { address, kind, action, rule, reason, remedy, summary, ...(source ? { source } : {}) }
}

export function blockedOutcome(change: Change, block: Block): Extract<Outcome, { is: 'blocked' }> {
  return { is: 'blocked', blocked: blockedFrom(change, block) }
}

export function blockedOf(
  { kind, desired: { address, source } }: Pick<ObjectContext, 'kind' | 'desired'>,
  action: Action,
  { rule, reason, remedy }: Block,
  summary: readonly string[] = [],
): Outcome {
  const where = source ? { source } : {}
  return {
    is: 'blocked',
    blocked: { address, kind: kind.name, action, rule, reason, remedy, summary, ...where },
  }
}

/** The block for an object whose list the service refuses: unknown objects are not changed. */
export function unreadable({
  kind,
  desired,
  snapshot,
}: Pick<ObjectContext, 'kind' | 'desired' | 'snapshot'>): Block | undefined {
  if (snapshot.unreadable.size === 0) return undefined
  const parentKind = kind.lifecycle.parent?.kind
  const lists = parentKind ? [parentKind, `${parentKind}.${parentKey(desired)}`] : [kind.name]
  const reason = lists.map(list => snapshot.unreadable.get(list)).find(each => each !== undefined)
  if (reason === undefined) return undefined
  return {
    rule: 'unreadable',
    reason,
    remedy: 'plan with a key that may read it, or remove the declaration',
  }
}

/** The block if the list is incomplete: an object that is not in it may exist. */
export const notReadWhole: Block = {
  rule: 'incomplete_inventory',
  reason: 'the list of live objects is incomplete, so an object with this name may exist',
  remedy: 'plan again',
}

export const notOffered: Block = {
  rule: 'not_offered',
  reason: 'the service does not offer grants on this flag',
  remedy: 'remove the grant from the declarations',
}

export function parentBlocked(parent: string): Block {
  return {
    rule: 'parent_missing',
    reason: `${parent} is blocked itself`,
    remedy: `resolve ${parent} first`,
  }
}

export function parentMissing({ $ref }: Reference, why: string): Block {
  return { rule: 'parent_missing', reason: `${$ref} ${why}`, remedy: `declare ${$ref}, or remove the grant` }
}

export function parentLeftOut({ $ref }: Reference): Block {
  return {
    rule: 'parent_missing',
    reason: `${$ref} does not exist and is not part of this plan`,
    remedy: `plan ${$ref} too`,
  }
}

/** The block if declared and live values together break a rule of the kind. */
export function contradiction({ doc, remedy }: Contradiction): Block {
  return { rule: 'invalid', reason: doc, remedy }
}

/**
 * The block for a flag whose filters have a version: this API does not support its rules. The service only
 * allows to turn it off or delete it. [service-today 3]
 */
export function closedRules(
  kind: DeclarableKind,
  { record, isSoftDeleted }: Live,
  after: JsonObject,
): Block | undefined {
  const held = record[targetingField(kind) ?? '']
  const version = isJsonObject(held) ? (held.version ?? 1) : 1
  const [turned = '', ...others] = Object.keys(after)
  const isNothing = turned === '' && !isSoftDeleted
  const turnsOff = turned === switchField(kind) && after[turned] === false && others.length === 0
  if (version === 1 || isNothing || (turnsOff && !isSoftDeleted)) return undefined
  return {
    rule: 'invalid',
    reason: `its rules have version ${JSON.stringify(version)}, which this API cannot change: it can only be turned off or deleted`,
    remedy: `change it in the product and remove ${isSoftDeleted ? 'it' : [turned, ...others].join(', ')} from the declaration`,
  }
}

/** The block for a flag that is declared for nobody, but that the service would release to everybody. */
export function openedBlock({
  message,
  hint = '',
}: {
  readonly message: string
  readonly hint?: string
}): Block {
  return { rule: 'invalid', reason: message, remedy: hint }
}

/** Repositories, plans and records must not contain a value that the service keeps encrypted. */
export function encryptedBlock(member: string): Block {
  return {
    rule: 'invalid',
    reason: `"${member}" is declared, but the service keeps it encrypted: plans and records would show it`,
    remedy: 'remove it from the declaration and set it in the product',
  }
}

export function ambiguity(found: readonly Live[]): Block {
  const ids = found.map(({ id }) => id).join(', ')
  return {
    rule: 'ambiguous',
    reason: `${found.length} objects have this name (ids ${ids})`,
    remedy: 'choose one with `id:`',
  }
}

export function otherIdentity({ id, identity }: Live): Block {
  return {
    rule: 'other_identity',
    reason: `the object with id ${id} is "${identity}"`,
    remedy: 'correct or remove `id:`',
  }
}

export function notSeen(kind: DeclarableKind): Block {
  return {
    rule: 'not_seen',
    reason: `it does not exist yet, and ${kind.lifecycle.cannotCreate}`,
    remedy: 'send one such event, then plan again',
  }
}

export function unknownId(id: string): Block {
  return { rule: 'not_seen', reason: `nothing has the id ${id}`, remedy: 'correct or remove `id:`' }
}

/**
 * Which broken rules of a declaration are errors, depending on the live object.
 *
 * | live                          | a broken rule                          |
 * |-------------------------------|----------------------------------------|
 * | nothing                       | is an error                            |
 * | the same value, or part of it | is not an error, because it is not new |
 * | anything else                 | is an error                            |
 */
export function brokenRules(
  kind: DeclarableKind,
  desired: Desired,
  live: Live | undefined,
): readonly LiveOnly[] {
  const { liveOnly = [] } = desired
  if (liveOnly.length === 0 || !live) return liveOnly
  const field = targetingField(kind) ?? ''
  const declared = declaredFields(kind, desired, live)[field] ?? null
  return liveOnly.filter(({ requires }) =>
    requires.is === 'filters'
      ? !isHeld(declared, live.record[field] ?? null, requires)
      : isWritten(requires.name, desired, live),
  )
}

/** The block for an object that breaks rules which the live object follows. */
export function invalidBlock([first, ...others]: readonly LiveOnly[]): Block {
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`
  return {
    rule: 'invalid',
    reason: `${first?.problem.message}${more}`,
    remedy: first?.problem.hint ?? 'correct the declaration',
  }
}

/** Files that cannot be compared have their own guard. */
function isWritten(name: string, { files }: Desired, live: Live): boolean {
  return live.filesUnreadable === undefined && live.files?.[name] !== files?.[name]
}

/**
 * The block if declared values and ignored places cannot be sent together.
 *
 * | an ignored place                                               | blocked |
 * |----------------------------------------------------------------|---------|
 * | is in the declared and in the live value, each once            | no      |
 * | is only in the declared value, and all live parts are declared | no      |
 * | the same, but its list position is another part live           | yes     |
 * | is ambiguous, or may be any of several live parts              | yes     |
 * | is another part to the engine, which compares positions        | yes     |
 * | makes the value break a rule that the live value follows       | yes     |
 */
export function ignoredBlock(
  { kind, desired, redaction }: Pick<ObjectContext, 'kind' | 'desired' | 'redaction'>,
  { record }: Live,
  after: JsonObject,
): Block | undefined {
  for (const [field, sent = null] of Object.entries(after)) {
    const ignored = ignoredIn(desired, field)
    const live = record[field] ?? null
    const places = ignoredPlaces(kind, desired, field, live)
    for (const [index, { pointer, found }] of places.entries()) {
      const isTaken = () => isThere(placedIn(kind, field, live), pointer)
      const isByPosition = () => desired.positions?.includes(ignored[index] ?? '') === true
      if (found.is === 'unclear') return unclear(desired, ignored[index], found.reason)
      if (found.is === 'new' && isByPosition() && isTaken())
        return unclear(desired, ignored[index], 'the live flag has another part at that position')
    }
    if (places.length === 0) continue
    const declared = desired.fields[field] ?? null
    if (desired.positions === 'engine') {
      const byEngine = keepByPosition(kind, desired, field, { declared, live })
      if (!isSameField(kind, field, byEngine, sent))
        return unclear(
          desired,
          ignored[0],
          'the engine compares positions, and the live flag has another part there',
        )
    }
    const [broken] = isTargeting(kind, field) ? brokenTogether(sent, [declared, live]) : []
    if (broken)
      return {
        rule: 'invalid',
        reason: `together with the parts that \`${memberOf(desired)}\` leaves to the product, ${redaction ? `a rule is broken: ${broken.code}` : broken.message}`,
        remedy: `${broken.hint ?? 'correct the declaration'}, there or in the product`,
      }
  }
  return undefined
}

function unclear(desired: Desired, place = '', reason: string): Block {
  return {
    rule: 'ignored_place',
    reason: `it is unclear which part of the live flag ${place.slice(1).replaceAll('/', '.')} refers to: ${reason}`,
    remedy: `make the declaration and the product equal except for that part, or remove it from \`${memberOf(desired)}\``,
  }
}

function memberOf({ positions }: Desired): string {
  return positions === 'engine' ? 'ignore_changes' : 'ignore'
}
