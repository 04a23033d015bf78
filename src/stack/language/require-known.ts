import { type Refusal, unsupported } from '../../cty/invalid-value.ts'
import { findSensitive, findUnknown, revealed } from '../../cty/marks.ts'
import type { Unknown } from '../../cty/unknown.ts'
import type { Sensitive, Value } from '../../cty/value.ts'

/** The refusal to use what only the service knows. */
export function notKnown({ origin }: Unknown, where: string): Refusal {
  return unsupported(
    `${where} comes from ${origin}, which only the service knows`,
    'take a value that the stack says itself, or run this stack with Terraform',
  )
}

/** A value that is known whole and may be shown. */
export function requireKnown(value: Value, where: string): Exclude<Value, Sensitive> {
  const unknown = findUnknown(value)
  if (unknown) throw notKnown(unknown, where)
  const sensitive = findSensitive(value)
  if (!sensitive) return revealed(value)
  throw unsupported(
    `${where} comes from ${sensitive.origin}, which is sensitive, and a plan would show it`,
    'declare it without `sensitive`, or wrap it in nonsensitive(...)',
  )
}
