import { isJsonNumber, type Json } from '../../model/json/json.ts'

/** Who is meant: a text, or a number with all of its digits as one. Undefined for anything else. */
export function distinctIdIn(value: Json | undefined): string | undefined {
  return typeof value === 'string' || isJsonNumber(value) ? String(value) : undefined
}
