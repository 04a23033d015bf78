import type { ArrayField, Field, StringField } from '../model/field.ts'
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../model/json/json.ts'
import type { DeclarableKind } from '../model/kind.ts'
import { isPlainlyFine } from '../targeting/check/check-filters.ts'
import { checkOpened, checkTogether } from './contradictions.ts'

/**
 * Whether one look at each field shows that an object breaks no rule on any service. Most objects pass, and
 * running every rule takes several times as long. `checkObject` checks all others; a property test compares
 * both.
 *
 * | the field  | is right if                                                                   |
 * |------------|-------------------------------------------------------------------------------|
 * | a text     | it has no choices and no format, is more than blanks, and not too long        |
 * | a boolean  | it is one                                                                     |
 * | a set      | its elements are such texts, and not too many                                 |
 * | targeting  | one look shows that it is                                                     |
 * | other JSON | it is an object                                                               |
 * | another    | unknown: ask                                                                  |
 */
export function isPlainlyRight(kind: DeclarableKind, object: JsonObject): boolean {
  for (const name in object) if (!isPlainValue(kind, name, object[name] ?? null)) return false
  return checkTogether(kind, object).length === 0 && checkOpened(kind, object).length === 0
}

/** The same for the value of one field. */
export function isPlainValue({ fields }: DeclarableKind, name: string, value: Json): boolean {
  const field = fields[name]
  switch (field?.type) {
    case 'string':
      return typeof value === 'string' && isPlainText(field, value)
    case 'boolean':
      return typeof value === 'boolean'
    case 'set':
      return isJsonArray(value) && isPlainSet(field, value)
    case 'json':
      return isJsonObject(value) && (field.targeting !== true || isPlainlyFine(value))
    default:
      return false
  }
}

function isPlainText(field: StringField, text: string): boolean {
  const { oneOf, format, characters } = field
  if (oneOf !== undefined || format !== undefined || !isWithinLength(field, text)) return false
  return text.trim() !== '' && (characters === undefined || characters.pattern.test(text.trim()))
}

function isPlainSet(field: ArrayField, elements: readonly Json[]): boolean {
  const { of = 'string', maxElements = Number.POSITIVE_INFINITY } = field
  if (of !== 'string' || elements.length > maxElements) return false
  return elements.every(text => typeof text === 'string' && isWithinLength(field, text) && text.trim() !== '')
}

function isWithinLength({ maxLength = Number.POSITIVE_INFINITY }: Field, text: string): boolean {
  return text.length <= maxLength
}
