import type { Field } from './field.ts'

/** Whether the service refuses a text of a field for its length, or a text of a set. Blanks around it do not count. */
export function isTooLong({ maxLength = Number.POSITIVE_INFINITY }: Field, text: string): boolean {
  return text.trim().length > maxLength
}
