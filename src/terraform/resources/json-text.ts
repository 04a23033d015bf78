import { canonicalText, type Json } from '../../model/json.ts'

/** JSON as a state shows it: members sorted, so that a difference is only what differs. */
export function writeJson(value: Json): string {
  return canonicalText(value)
}
