import type { PendingChange } from '../../../core/plan/base.ts'
import { isJsonObject, type Json, type JsonObject } from '../../../model/json/json.ts'
import type { Private } from '../../provider.ts'

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

export function remember({ fingerprint, fields, origin, pending, base, isNew }: Remembered): Private {
  return {
    format: '1',
    fields: JSON.stringify(fields),
    ...(fingerprint === undefined ? {} : { fingerprint }),
    ...(origin ? { origin: JSON.stringify(origin) } : {}),
    ...(pending ? { pending: JSON.stringify(pending) } : {}),
    ...(base ? { base: baseText(base) } : {}),
    ...(isNew ? { new: '1' } : {}),
  }
}

/** What another version kept, or nobody, is as good as nothing. */
export function recall(kept: Private): Remembered {
  if (kept.format !== '1') return nothingRemembered
  const fields = parse(kept.fields)
  const origin = parse(kept.origin)
  const pending = pendingIn(parse(kept.pending))
  const base = baseIn(parse(kept.base))
  return {
    fields: isJsonObject(fields) ? textsOf(fields) : {},
    ...(kept.fingerprint === undefined ? {} : { fingerprint: kept.fingerprint }),
    ...(isJsonObject(origin) ? { origin } : {}),
    ...(pending ? { pending } : {}),
    ...(base ? { base } : {}),
    ...(kept.new ? { isNew: true } : {}),
  }
}

function pendingIn(kept: Json): PendingChange | undefined {
  if (!isJsonObject(kept)) return undefined
  const { changeRequest, askedFor } = kept
  return typeof changeRequest === 'string' && typeof askedFor === 'string'
    ? { changeRequest, askedFor }
    : undefined
}

function baseText({ at, fields }: StateBase): string {
  return JSON.stringify({ ...(at === undefined ? {} : { at }), fields })
}

function baseIn(kept: Json): StateBase | undefined {
  if (!isJsonObject(kept)) return undefined
  const { at, fields = null } = kept
  if (!isJsonObject(fields)) return undefined
  return { ...(typeof at === 'number' ? { at } : {}), fields: textsOf(fields) }
}

function textsOf(fields: JsonObject): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}

function parse(text: string | undefined): Json {
  if (text === undefined) return null
  try {
    // What is written by `remember` is JSON.
    return JSON.parse(text) as Json
  } catch {
    return null
  }
}
