import type { JsonObject } from '../../../model/json/json.ts'
import type { GuardRule } from '../../desired.ts'
import { diffFields, diffFiles, type FieldChange, isSameField } from '../../diff.ts'
import { sentDigests } from '../../fingerprint.ts'
import { canonicalIdentity, type Live } from '../../live.ts'
import type { Policy } from '../../policy.ts'
import { type FoundObject, isAllowedFor, type ObjectContext } from './object-context.ts'

/**
 * Whether one live object is as declared, as far as that shows at once. It does of most, and whatever else could be said
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
