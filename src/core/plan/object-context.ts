import { declarableKind } from '../../kinds/index.ts'
import type { DeclarableKind } from '../../model/kind.ts'
import type { Problem } from '../../model/problem.ts'
import { once, oncePer } from '../../model/runtime.ts'
import { type Json, type JsonObject, pickMembers } from '../../model/text/json.ts'
import { type Behaviour, behaviourOf, profilesWith } from '../../services/differences.ts'
import type { EvaluationRules } from '../../services/engines.ts'
import type { Block, Change } from '../change.ts'
import type { Declarations, Desired, GuardRule } from '../desired.ts'
import { diffFields, diffFiles, type FieldChange, isSameField, sentDigests } from '../diff.ts'
import { type FlagLink, keysOf, linkOf, renamedDesired } from '../flag-links.ts'
import {
  canonicalIdentity,
  findLive,
  indexLive,
  type Live,
  type LiveIndex,
  meantIdentity,
  type NotKept,
  type Pending,
} from '../live.ts'
import { isAllowed, type Policy } from '../policy.ts'
import type { Snapshot } from '../read/snapshot.ts'
import type { ObjectRedaction } from '../redaction.ts'

interface ContextsInput {
  readonly declared: Declarations
  readonly live: Snapshot
  readonly policy: Policy
  readonly records?: { readonly notKept?: NotKept; readonly pending?: Pending }
}

interface Contexts {
  readonly snapshot: Snapshot
  readonly links: readonly FlagLink[]
  readonly rules: Behaviour
  readonly ensured: ObjectContext['ensured']
  /** The context of a declaration: its effective fields and the live object. */
  readonly contextOf: (written: Desired) => ObjectContext
  /** The same, or only the live object if nothing differs. */
  readonly foundOrContextOf: (written: Desired) => Unchanged | ObjectContext
}

export function contextsFor(input: ContextsInput): Contexts {
  const { declared: declarations, live, policy, records = {} } = input
  const { notKept = {}, pending = {} } = records
  const { links = linksOf(live) } = live
  const snapshot = { ...live, links }
  const index = indexLive(snapshot.live)
  const has = fieldsOf(snapshot)
  const rules = behaviourOf(snapshot.profile ?? 'documented')
  const toKey = keysOf(links.filter(({ hasKey }) => hasKey))
  const ensure = once(
    () =>
      new Map([
        ...(declarations.skipped ?? []).map(({ address }) => [address, 'skipped'] as const),
        ...declarations.desired.map(desired => [desired.address, desired.ensure] as const),
      ]),
  )
  const ensured: ObjectContext['ensured'] = address => ensure().get(address)
  // A lookup in an empty object costs as much as in a full one.
  const areNotKept = Object.keys(notKept).length > 0
  const arePending = Object.keys(pending).length > 0
  const foundFor = (written: Desired): FoundObject => {
    const kind = declarableKind(written.kind)
    const found = findLive(index, kind, written)
    const named = written.id === undefined ? written : { ...written, identity: meantIdentity(written, found) }
    const meant = renamedDesired(kind, withLevel(kind, named, snapshot), toKey)
    return { kind, desired: offeredPart(kind, meant, has, found[0]?.record), found }
  }
  const completed = ({ kind, desired, found }: FoundObject): ObjectContext => {
    const { address } = desired
    return {
      kind,
      desired,
      found,
      index,
      snapshot,
      policy,
      rules,
      has,
      ensured,
      notKept: areNotKept ? notKept[address] : undefined,
      pending: arePending ? pending[address] : undefined,
      redaction: policy.redaction?.of(desired),
    }
  }
  const mayBeUnchanged = snapshot.unreadable.size === 0
  return {
    snapshot,
    links,
    rules,
    ensured,
    contextOf: written => completed(foundFor(written)),
    foundOrContextOf(written) {
      const one = foundFor(written)
      const isUnchanged = mayBeUnchanged && written.ensure === 'present' && isAsDeclared(one, policy)
      return isUnchanged ? { ...one, isUnchanged } : completed(one)
    },
  }
}

/** If no links were read, conditions name only declared flags. */
function linksOf({ live }: Snapshot): FlagLink[] {
  return live.flatMap(one => linkOf(declarableKind(one.kind), one) ?? [])
}

/** One declaration with its live state: the input of every planning step. */
export interface ObjectContext {
  readonly kind: DeclarableKind
  readonly desired: Desired
  readonly found: readonly Live[]
  /** The live object, if it was renamed in the product. */
  readonly renamed?: Live
  readonly index: LiveIndex
  readonly snapshot: Snapshot
  readonly policy: Policy
  /** Which fields the service has. */
  readonly has: HasField
  /** How the service evaluates flags. */
  readonly rules: EvaluationRules
  /** Whether the object at an address is declared, and how. */
  readonly ensured: (address: string) => Desired['ensure'] | 'skipped' | undefined
  readonly redaction?: ObjectRedaction
  /** Fields that the service accepted before but did not store. */
  readonly notKept?: NotKept[string]
  /** The earlier request that waits for approval in the service. */
  readonly pending?: Pending[string]
}

/** A declaration with its effective fields, and the live object. */
type FoundObject = Pick<ObjectContext, 'kind' | 'desired' | 'found'>

/** An object that is as declared: it needs no further planning. */
export interface Unchanged extends FoundObject {
  readonly isUnchanged: true
}

/** Whether the declaration, or the person who runs the plan, has allowed a rule for an object. */
export function isAllowedFor(
  { desired, policy }: Pick<ObjectContext, 'desired' | 'policy'>,
  rule: GuardRule,
): boolean {
  return (desired.allow?.includes(rule) ?? false) || isAllowed(policy, rule, desired.address)
}

/**
 * A quick check whether a live object is as declared, which holds for most. Objects with an id, files or a
 * parent need the full check.
 */
export function isAsDeclared(
  { kind, desired, found }: FoundObject,
  { ownership }: Pick<Policy, 'ownership'>,
): boolean {
  const { id, renamedTo, tags, prefixedTags, parent, files, liveOnly, fields } = desired
  const live = found[0]
  if (
    !live ||
    found.length > 1 ||
    live.isSoftDeleted ||
    live.identity !== canonicalIdentity(kind, desired.identity)
  )
    return false
  if (ownership.tag !== undefined || tags || prefixedTags || parent || files || liveOnly) return false
  if (id !== undefined || renamedTo !== undefined) return false
  for (const name in fields)
    if (!isSameField(kind, name, live.record[name] ?? null, fields[name] ?? null)) return false
  return true
}

/** All differences between one live object and its declaration. */
export interface Difference {
  readonly fields: readonly FieldChange[]
  readonly files?: Readonly<Record<string, string | null>>
  /** Differences that are not sent, in words. */
  readonly leftOut: readonly string[]
}

/**
 * Compares one object, without changes that would have no effect.
 *
 * | differs                                             | sent                                         |
 * |-----------------------------------------------------|----------------------------------------------|
 * | a field                                             | yes                                          |
 * | a field that the service accepted but did not store | no, unless allowed                           |
 * | source files that the service does not show         | no, unless allowed                           |
 * | only such fields or files                           | a guard decides: the whole change is blocked |
 */
export function differenceOf(context: ObjectContext, live: Live): Difference {
  const { kind, desired, policy } = context
  const fields = diffFields(kind, desired, live, policy.ownership.tag)
  const files = diffFiles(desired, live)
  const isHeld = (rule: GuardRule) => !isAllowedFor(context, rule)
  const lost = isHeld('not_kept') ? lostBefore(context, bodyOf(fields)) : []
  const unseen = files && live.filesUnreadable !== undefined && isHeld('source_unreadable')
  const kept = fields.filter(({ field }) => !lost.includes(field))
  if (kept.length === 0 && !(files && !unseen) && !live.isSoftDeleted) {
    return { fields, ...(files ? { files } : {}), leftOut: [] }
  }
  return {
    fields: kept,
    ...(files && !unseen ? { files } : {}),
    leftOut: [
      ...lost.map(field => `${field} not sent: the service accepted it before but did not store it`),
      ...(unseen ? [`source files not sent: ${live.filesUnreadable}`] : []),
    ],
  }
}

/** The fields of a body whose value the service accepted before but did not store. */
export function lostBefore({ kind, notKept }: ObjectContext, body: JsonObject): string[] {
  if (!notKept) return []
  const digests = sentDigests(kind, body)
  return Object.keys(digests).filter(field => digests[field] === notKept[field])
}

function bodyOf(fields: readonly FieldChange[]): JsonObject {
  return Object.fromEntries(fields.map(({ field, after }) => [field, after]))
}

/** Whether a service has a field; undefined if unknown. */
type HasField = (kind: DeclarableKind, name: string) => boolean | undefined

/**
 * Whether the service has a field. A service may omit an empty field, so a record only proves the fields that
 * it contains.
 *
 * | the field in a record | the profile has the field | a record exists, or the profile was given | it has it |
 * |-----------------------|---------------------------|-------------------------------------------|-----------|
 * | shown                 |                           |                                           | yes       |
 * | not shown             | yes                       |                                           | yes       |
 * | not shown             | no                        | yes                                       | no        |
 * | not shown             | no                        | no                                        | unknown   |
 */
export function fieldsOf({
  live,
  undeclared = [],
  profile = 'documented',
  isGuessed,
}: Pick<Snapshot, 'live' | 'undeclared' | 'profile' | 'isGuessed'>): HasField {
  const records = new Map<string, JsonObject>()
  for (const one of [...live, ...undeclared]) if (!records.has(one.kind)) records.set(one.kind, one.record)
  return ({ name: kind, fields }, name) => {
    const offered = fields[name]?.offered
    const record = records.get(kind)
    if (!offered || (record && name in record)) return true
    if (profilesWith(offered.behaviour, offered.is).includes(profile)) return true
    return record === undefined && isGuessed ? undefined : false
  }
}

/**
 * A declaration without fields that the service lacks, and with defaults for undeclared fields.
 *
 * | the service | the field                          | result                          |
 * |-------------|------------------------------------|---------------------------------|
 * | lacks it    | has its default value              | it is removed                   |
 * | lacks it    | was removed from newer services    | it is removed, with a warning   |
 * | lacks it    | is new in newer services           | it stays; the object is blocked |
 * | shows it    | is not declared, and has a default | it gets the default             |
 */
function offeredPart(kind: DeclarableKind, desired: Desired, has: HasField, live?: JsonObject): Desired {
  if (desired.ensure === 'absent') return desired
  const declared = lackingFields(kind, desired, has)
  const assumed = desired.isPart || !live ? [] : shownOf(assumedFields(kind), live)
  if (declared.length === 0 && assumed.length === 0) return desired
  const lacking = declared.filter(name => !kind.fields[name]?.newer || isIdle(kind, desired, name))
  if (lacking.length === 0 && assumed.length === 0) return desired
  const fields = pickMembers(desired.fields, (_, name) => !lacking.includes(name))
  const meant = assumed.map(({ name, value }) => [name, value] as const)
  return { ...desired, fields: { ...Object.fromEntries(meant), ...fields } }
}

interface AssumedField {
  readonly name: string
  readonly value: Json
}

/** The assumed fields in this record. Records of older services have none. */
function shownOf(assumed: readonly AssumedField[], record: JsonObject): readonly AssumedField[] {
  return assumed.filter(({ name }) => name in record)
}

/** Fields that only some services have, with their defaults. */
const assumedFields = oncePer(({ fields }: DeclarableKind) =>
  Object.entries(fields).flatMap(([name, { offered, assumed }]) =>
    offered && assumed !== undefined ? [{ name, value: assumed }] : [],
  ),
)

/** Declared fields that the service does not have yet. */
export function missingFields(kind: DeclarableKind, desired: Desired, has: HasField): string[] {
  return lackingFields(kind, desired, has).filter(
    name => kind.fields[name]?.newer && !isIdle(kind, desired, name),
  )
}

/** Declared fields that the service no longer has. */
function goneFields(kind: DeclarableKind, desired: Desired, has: HasField): string[] {
  return lackingFields(kind, desired, has).filter(name => !kind.fields[name]?.newer)
}

/** Whether a declared field has its default value. */
function isIdle(kind: DeclarableKind, { fields }: Desired, name: string): boolean {
  return isSameField(kind, name, fields[name] ?? null, null)
}

function lackingFields(kind: DeclarableKind, { fields, ensure }: Desired, has: HasField): readonly string[] {
  const lacking = lackingOf(has)(kind)
  if (ensure === 'absent' || lacking.size === 0) return []
  const found: string[] = []
  for (const name in fields) if (lacking.has(name)) found.push(name)
  return found
}

const lackingOf = oncePer((has: HasField) =>
  oncePer(
    (kind: DeclarableKind): ReadonlySet<string> =>
      new Set(Object.keys(kind.fields).filter(name => has(kind, name) === false)),
  ),
)

/**
 * Problems of declared fields that the service lacks: an error for a field of newer services, whose value
 * would be lost; a warning for a field of older services.
 */
export function offerProblems({ desired }: Declarations, snapshot: Snapshot): Problem[] {
  const has = fieldsOf(snapshot)
  return desired.flatMap(one => {
    const kind = declarableKind(one.kind)
    if (lackingFields(kind, one, has).length === 0) return []
    const { address, source } = one
    const at = { address, ...(source ? { source } : {}) }
    const gone = goneFields(kind, one, has).filter(name => !isIdle(kind, one, name))
    return [
      ...missingFields(kind, one, has).map((name): Problem => {
        const { reason, remedy } = notOfferedYet(name)
        return { code: 'field-not-offered', severity: 'error', message: reason, hint: remedy, ...at }
      }),
      ...gone.map(
        (name): Problem => ({
          code: 'field-gone',
          severity: 'warning',
          message: goneReason(name),
          hint: elsewhere,
          ...at,
        }),
      ),
    ]
  })
}

export function goneReason(name: string): string {
  return `this service no longer has "${name}"; it is neither compared nor sent`
}

export function notOfferedYet(name: string): Block {
  return {
    rule: 'invalid',
    reason: `"${name}" is declared, but this service does not have this field: the value would be lost`,
    remedy: elsewhere,
  }
}

const elsewhere = 'remove it, or limit it to the environments whose service has it'

/**
 * A declaration with its level. A grant without a level permits editing, as on older services.
 *
 * | declared | the service has levels | it has none | unknown yet                           |
 * |----------|------------------------|-------------|---------------------------------------|
 * | a level  | the declared one       | an error    | the declared one, or the change fails |
 * | none     | the default one        | none        | decided when it is known              |
 */
function withLevel(
  { fields, lifecycle }: DeclarableKind,
  desired: Desired,
  { hasLevels }: Pick<Snapshot, 'hasLevels'>,
): Desired {
  const level = lifecycle.levels?.field
  if (level === undefined || !hasLevels || desired.ensure === 'absent') return desired
  return { ...desired, fields: { [level]: fields[level]?.assumed ?? null, ...desired.fields } }
}

/** Whether a new grant lets its role edit: levels are listed from the lowest to the highest. */
export function givesLeaveToEdit({ kind: name, after }: Pick<Change, 'kind' | 'after'>): boolean {
  const { fields, lifecycle } = declarableKind(name)
  const field = fields[lifecycle.levels?.field ?? '']
  const level = after[lifecycle.levels?.field ?? '']
  if (level === undefined || field?.type !== 'string') return true
  const levels: readonly (Json | undefined)[] = field.oneOf ?? []
  return levels.indexOf(level) >= levels.indexOf(field.assumed)
}

/** Whether a level is declared, but the service has none. */
export function hasLevelInVain(
  { lifecycle }: DeclarableKind,
  { fields, ensure }: Desired,
  { hasLevels }: Pick<Snapshot, 'hasLevels'>,
): boolean {
  const { levels } = lifecycle
  return levels !== undefined && hasLevels === false && ensure === 'present' && levels.field in fields
}

export function levelProblems({ desired }: Declarations, snapshot: Snapshot): Problem[] {
  return desired
    .filter(one => hasLevelInVain(declarableKind(one.kind), one, snapshot))
    .map(({ address, source }) => ({
      code: 'no-levels',
      severity: 'error',
      message: noLevels.reason,
      hint: noLevels.remedy,
      address,
      ...(source ? { source } : {}),
    }))
}

export const noLevels: Block = {
  rule: 'invalid',
  reason: 'a level is declared, but this service has no levels: a role either may edit a flag or may not',
  remedy: 'remove the level, or limit the declaration to the environments whose service has levels',
}
