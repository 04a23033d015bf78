import { isJsonArray, type Json } from '../../model/json/json.ts'
import { saysTruth } from '../operators.ts'

/**
 * Whether all engines tell a property that is like a value alike, as far as that shows without asking them. It does of
 * most properties, and to ask each engine about each likely value takes longer than everything else that is checked.
 *
 * | operators                                  | alike, where the value is         | because engines differ only in |
 * |--------------------------------------------|-----------------------------------|--------------------------------|
 * | `is_set`, `is_not_set`                     | anything                          | nothing                        |
 * | `exact`, `is_not`                          | ASCII, and no number, null, nor true, false or a list of them | `truth_values`, `null_properties`, `whole_numbers`, and the letter case in Go, which counts where Go is named |
 * | `icontains` and the other parts of texts   | a text in ASCII                   | `letter_case`, `values`        |
 * | the others                                 | unknown: ask                      |                                |
 */
export function areToldAlike(operator: string, value: Json): boolean {
  switch (operator) {
    case 'is_set':
    case 'is_not_set':
      return true
    case 'exact':
    case 'is_not':
      return !hasNull(value) && !saysTruth(value) && (isJsonArray(value) ? value : [value]).every(isPlainText)
    case 'icontains':
    case 'not_icontains':
    case 'icontains_multi':
    case 'not_icontains_multi':
    case 'starts_with':
    case 'not_starts_with':
    case 'ends_with':
    case 'not_ends_with':
      return typeof value === 'string' && isAscii(value)
    default:
      return false
  }
}

function hasNull(value: Json): boolean {
  return value === null || (isJsonArray(value) && value.includes(null))
}

function isPlainText(value: Json): boolean {
  return typeof value === 'string' && isAscii(value)
}

function isAscii(text: string): boolean {
  return /^[\x00-\x7f]*$/.test(text)
}
