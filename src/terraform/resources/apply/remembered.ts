import type { PendingChange } from '../../../core/plan/base.ts'
import { isJsonObject, type Json, type JsonObject } from '../../../model/json/json.ts'
import { readJsonIfAny, writeJson } from '../../../model/json/json-text.ts'
import type { Private } from '../../provider.ts'
import { longDigest, longFingerprint, packedDigest, packedFingerprint } from './packed-digest.ts'
import { entriesFromTexts } from './remembered-texts.ts'

/** What is kept of an object beside its state, so that what it was like can be told without keeping it twice. */
export interface Remembered {
  /** The object as it was last read, as a plan is bound to it. */
  readonly fingerprint?: string
  /** By field: a digest of the canonical value that the service held when the state was last as configured. */
  readonly fields: Readonly<Record<string, string>>
  /** What an adopted object was like before, for when it is let go. */
  readonly origin?: JsonObject
  /** What waits for approval, and was asked for of the object as `fingerprint` has it. */
  readonly pending?: PendingChange
  /** What live edits are measured from. */
  readonly base?: StateBase
  /** The state comes from an import, or another provider's, and was not read yet. */
  readonly isNew?: true
}

/**
 * By field, a short digest of what was configured of an object when it was last as configured. A digest can be guessed
 * from when a value is short; it stands in the state file beside the value itself, as Terraform writes it in clear.
 *
 * | it comes from                                          | `at`    | and tells of an edit in the product             |
 * |--------------------------------------------------------|---------|-------------------------------------------------|
 * | an apply that made the object so                       | of that | whatever is configured by now                   |
 * | the state as it was read: of an import, of another     | none    | where what is configured is what was read: else |
 * | provider, of a version of ours that kept no base       |         | nobody knows whether it was ever configured so  |
 */
export interface StateBase {
  /** Milliseconds since 1970. */
  readonly at?: number
  readonly fields: Readonly<Record<string, string>>
}

export const nothingRemembered: Remembered = { fields: {} }

/**
 * What is remembered, in few bytes: names are written once for both tables of digests, and digests in base64url.
 *
 * | entry  | holds the digests of fields that are                                                                |
 * |--------|-----------------------------------------------------------------------------------------------------|
 * | `both` | in `fields` and in the base, and the same                                                           |
 * | `live` | in `fields`, and not in the base or other than there                                                |
 * | `base` | in the base, and not in `fields` or other than there; there is such an entry wherever there is a base |
 */
export function remember({ fingerprint, fields, origin, pending, base, isNew }: Remembered): Private {
  const declared = base?.fields ?? {}
  const both = digestsWhere(fields, name => declared[name] === fields[name])
  const live = digestsWhere(fields, name => declared[name] !== fields[name])
  return {
    ...(fingerprint === undefined ? {} : { fingerprint: packedFingerprint(fingerprint) }),
    both,
    ...(Object.keys(live).length > 0 ? { live } : {}),
    ...(base ? { base: digestsWhere(declared, name => declared[name] !== fields[name]) } : {}),
    ...(base?.at === undefined ? {} : { at: base.at }),
    // As text, so that no number loses digits.
    ...(origin ? { origin: writeJson(origin) } : {}),
    ...(pending ? { pending: { ...pending } } : {}),
    ...(isNew ? { new: true } : {}),
  }
}

/** What another version kept in a form that is not known here, or nobody, is as good as nothing. */
export function recall(kept: Private): Remembered {
  const { fingerprint, at, origin, pending, base, ...entries } =
    'format' in kept ? entriesFromTexts(kept) : kept
  const both = digestsIn(entries.both)
  const before = typeof origin === 'string' ? readJsonIfAny(origin) : undefined
  const waiting = pendingIn(pending)
  return {
    fields: { ...both, ...digestsIn(entries.live) },
    ...(typeof fingerprint === 'string' ? { fingerprint: longFingerprint(fingerprint) } : {}),
    ...(isJsonObject(before) ? { origin: before } : {}),
    ...(waiting ? { pending: waiting } : {}),
    ...(isJsonObject(base)
      ? { base: { ...(typeof at === 'number' ? { at } : {}), fields: { ...both, ...digestsIn(base) } } }
      : {}),
    ...(entries.new === true ? { isNew: true } : {}),
  }
}

function pendingIn(kept: Json | undefined): PendingChange | undefined {
  if (!isJsonObject(kept)) return undefined
  const { changeRequest, askedFor } = kept
  return typeof changeRequest === 'string' && typeof askedFor === 'string'
    ? { changeRequest, askedFor }
    : undefined
}

function digestsWhere(
  digests: Readonly<Record<string, string>>,
  isAsked: (name: string) => boolean,
): Record<string, string> {
  const packed: Record<string, string> = {}
  for (const name in digests) if (isAsked(name)) packed[name] = packedDigest(digests[name] as string)
  return packed
}

function digestsIn(kept: Json | undefined): Record<string, string> {
  const digests: Record<string, string> = {}
  if (!isJsonObject(kept)) return digests
  for (const name in kept) {
    const packed = kept[name]
    if (typeof packed === 'string') digests[name] = longDigest(packed)
  }
  return digests
}
