import { isJsonArray, type Json } from '../../model/json/json.ts'
import { saysTruth, textOf } from '../evaluate/operators/texts.ts'

/**
 * Whether all engines tell a property that is like a value alike, as far as that shows without asking them. It does of
 * most properties, and to ask each engine about each likely value takes longer than everything else that is checked.
 *
 * | operators                                  | alike, where the value is         | because engines differ only in |
 * |--------------------------------------------|-----------------------------------|--------------------------------|
 * | `is_set`, `is_not_set`                     | anything                          | nothing                        |
 * | `exact`, `is_not`                          | no null, nor true, false or a list of them | `truth_values`, `null_properties` |
 * | `icontains` and the other parts of texts   | ASCII, and no null                | `letter_case`, `null_properties` |
 * | the others                                 | unknown: ask                      |                                |
 */
export function areToldAlike(operator: string, value: Json): boolean {
  switch (operator) {
    case 'is_set':
    case 'is_not_set':
      return true
    case 'exact':
    case 'is_not':
      return !hasNull(value) && !saysTruth(value)
    case 'icontains':
    case 'not_icontains':
    case 'icontains_multi':
    case 'not_icontains_multi':
    case 'starts_with':
    case 'not_starts_with':
    case 'ends_with':
    case 'not_ends_with':
      return !hasNull(value) && isAscii(textOf(value))
    default:
      return false
  }
}

function hasNull(value: Json): boolean {
  return value === null || (isJsonArray(value) && value.includes(null))
}

function isAscii(text: string): boolean {
  return /^[\x00-\x7f]*$/.test(text)
}
