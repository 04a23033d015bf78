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
  /** The state comes from an import, or another provider's, and was not read yet. */
  readonly isNew?: true
}

export const nothingRemembered: Remembered = { fields: {} }

export function remember({ fingerprint, fields, origin, pending, isNew }: Remembered): Private {
  return {
    format: '1',
    fields: JSON.stringify(fields),
    ...(fingerprint === undefined ? {} : { fingerprint }),
    ...(origin ? { origin: JSON.stringify(origin) } : {}),
    ...(pending ? { pending: JSON.stringify(pending) } : {}),
    ...(isNew ? { new: '1' } : {}),
  }
}

/** What another version kept, or nobody, is as good as nothing. */
export function recall(kept: Private): Remembered {
  if (kept.format !== '1') return nothingRemembered
  const fields = parse(kept.fields)
  const origin = parse(kept.origin)
  const pending = pendingIn(parse(kept.pending))
  return {
    fields: isJsonObject(fields) ? textsOf(fields) : {},
    ...(kept.fingerprint === undefined ? {} : { fingerprint: kept.fingerprint }),
    ...(isJsonObject(origin) ? { origin } : {}),
    ...(pending ? { pending } : {}),
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
