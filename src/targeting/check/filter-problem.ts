import { isEmptyJson, isJsonNumber, type Json } from '../../model/json/json.ts'
import { pointerInto as pointerTo } from '../../model/json/pointer.ts'
import { standIn } from '../../model/safety/redacted-part.ts'
import { redactFilters } from '../redact-filters.ts'

/** A problem in filters. The pointer leads to it inside them: `/groups/0/rollout_percentage`. */
export interface FilterProblem {
  readonly pointer: string
  /** A stable name, such as `percentage-range`. */
  readonly code: string
  readonly severity: 'error' | 'warning'
  /** One line, lower case, values quoted. */
  readonly message: string
  readonly hint?: string
  /** The message without what conditions compare with, where it has any of it outside of quotes of its own. */
  readonly hidden?: string
}

export function filterError(pointer: string, code: string, message: string, hint?: string): FilterProblem {
  return { pointer, code, severity: 'error', message, ...(hint !== undefined && { hint }) }
}

export function filterWarning(pointer: string, code: string, message: string, hint?: string): FilterProblem {
  return { pointer, code, severity: 'warning', message, ...(hint !== undefined && { hint }) }
}

/** The text of the scalar at a pointer into filters, as a person wrote it; undefined where nobody knows. */
export type Written = (pointer: string) => string | undefined

/** A property with something else in place of what it compares with. */
export function withoutValue(property: Json): Json {
  return redactFilters(property, () => standIn())
}

export { pointerTo }

/** The key of a property or variant, which `is` says; a number is told from one that is not there. */
export function keyProblems(
  key: Json | undefined,
  part: 'a property' | 'a variant',
  is: string,
  pointer: string,
  written: Written,
): FilterProblem[] {
  if (typeof key === 'string' && key !== '') return []
  const at = pointerTo(pointer, 'key')
  if (!isJsonNumber(key) && typeof key !== 'boolean')
    return [filterError(at, 'missing-key', `${part} needs a "key": ${is}`)]
  const text = JSON.stringify(written(at) ?? String(key))
  return [filterError(at, 'key-not-text', `the key of ${part} must be text`, `write it in quotes: ${text}`)]
}

/** The problem of something that is there but has another shape. */
export function shapeProblem(
  pointer: string,
  name: string,
  shape: 'a list' | 'an object' | 'text' | 'true or false',
): FilterProblem {
  return filterError(pointer, 'wrong-shape', `${name} must be ${shape}`)
}

/** Null, `{}` and `[]` stand for nothing, as in the canonical form. */
export function isGiven(value: Json | undefined): value is Json {
  return !isEmptyJson(value)
}
