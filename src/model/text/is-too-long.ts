import type { Field } from '../field.ts'

/**
 * Whether the service refuses a text of a field for its length, or a text of a set. Blanks around it do not count, and
 * a character is one whatever JavaScript takes for it. [service-behaviour 2.1, 2.6]
 */
export function isTooLong({ maxLength = Number.POSITIVE_INFINITY }: Field, text: string): boolean {
  const trimmed = text.trim()
  return trimmed.length > maxLength && [...trimmed].length > maxLength
}
