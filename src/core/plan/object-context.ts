import { declarableKind } from '../../kinds/index.ts'
import type { DeclarableKind } from '../../model/kind.ts'
import { once } from '../../model/runtime.ts'
import type { JsonObject } from '../../model/text/json.ts'
import { type Behaviour, behaviourOf } from '../../services/differences.ts'
import type { EvaluationRules } from '../../services/engines.ts'
import type { Declarations, Desired, GuardRule } from '../desired.ts'
import { diffFields, diffFiles, type FieldChange, isSameField, sentDigests } from '../diff.ts'
import { type FlagLink, keysOf, linkOf, renamedDesired } from '../flag-links.ts'
import { fieldsOf, type HasField, offeredPart, withLevel } from '../guards/offered.ts'
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

/** What a plan looks declarations up in. */
interface Contexts {
  readonly snapshot: Snapshot
  readonly links: readonly FlagLink[]
  readonly rules: Behaviour
  readonly ensured: ObjectContext['ensured']
  /** A declaration as it is compared with what is live: with what it means there, beside what was found. */
  readonly contextOf: (written: Desired) => ObjectContext
  /** The same; only what was found, where that is as declared and nothing else is asked of it. */
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
  // To look for an address in what is empty takes as long as where it is not.
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

/** Where nothing else was read, the flags that are declared are all that conditions name. */
function linksOf({ live }: Snapshot): FlagLink[] {
  return live.flatMap(one => linkOf(declarableKind(one.kind), one) ?? [])
}

/** One declaration beside what is live of it: what every step of planning looks at. */
export interface ObjectContext {
  readonly kind: DeclarableKind
  readonly desired: Desired
  readonly found: readonly Live[]
  /** What was found in its place where somebody has given it another name in the product. */
  readonly renamed?: Live
  readonly index: LiveIndex
  readonly snapshot: Snapshot
  readonly policy: Policy
  /** Which fields the service has. */
  readonly has: HasField
  /** How the service evaluates flags. */
  readonly rules: EvaluationRules
  /** What the declaration says of the object at an address, if anything. */
  readonly ensured: (address: string) => Desired['ensure'] | 'skipped' | undefined
  /** What of it no word may show; undefined where that is nothing. */
  readonly redaction?: ObjectRedaction
  /** Fields that the service took before and did not keep. */
  readonly notKept?: NotKept[string]
  /** What was asked for before, and waits for approval in the service. */
  readonly pending?: Pending[string]
}

/** A declaration, with what it means to the service, and what was found of it there. */
type FoundObject = Pick<ObjectContext, 'kind' | 'desired' | 'found'>

/** One that is as declared: what a plan would do about it needs no looking at. */
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
 * Whether one live object is as declared, as far as that shows at once. It does of most, and whatever else could be found
 * of an object has to do with a difference, an id, files or a parent.
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

/** Everything in which one live object is not as declared. */
export interface Difference {
  readonly fields: readonly FieldChange[]
  readonly files?: Readonly<Record<string, string | null>>
  /** What differs and is not sent along, in words. */
  readonly leftOut: readonly string[]
}

/**
 * Compares one object, and leaves out what would only be sent in vain.
 *
 * | differs                                           | sent                                              |
 * |---------------------------------------------------|---------------------------------------------------|
 * | a field                                           | yes                                               |
 * | a field that the service took and did not keep    | no, unless allowed                          |
 * | source files that the service does not show       | no, unless allowed                          |
 * | nothing but such fields or files                  | a guard decides: the whole change is blocked     |
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
      ...lost.map(field => `${field} left out: the service took it before and did not keep it`),
      ...(unseen ? [`source files left out: ${live.filesUnreadable}`] : []),
    ],
  }
}

/** Those fields of a body whose value the service took before and did not keep. */
export function lostBefore({ kind, notKept }: ObjectContext, body: JsonObject): string[] {
  if (!notKept) return []
  const digests = sentDigests(kind, body)
  return Object.keys(digests).filter(field => digests[field] === notKept[field])
}

function bodyOf(fields: readonly FieldChange[]): JsonObject {
  return Object.fromEntries(fields.map(({ field, after }) => [field, after]))
}
