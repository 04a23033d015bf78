import { isJsonNumber, type Json } from '../../model/json/json.ts'
import { writeJson } from '../../model/json/json-text.ts'

export type Quotes = 'single' | 'double'

/** A text, number, truth value or null on one line; a text in quotes where it would be read as something else. */
export function scalarText(value: string | number | boolean | null | Json, quotes?: Quotes): string {
  if (typeof value !== 'string') return isJsonNumber(value) ? writeJson(value) : String(value)
  if (quotes === undefined && plain.test(value) && !words.test(value)) return value
  if (quotes === 'single' && !mustBeEscaped.test(value)) return `'${value.replaceAll("'", "''")}'`
  return JSON.stringify(value).replace(everyEscaped, escapeCharacter)
}

/** Texts that no place makes anything else of. */
const plain = /^[A-Za-z_][\w./@+-]*(?: [\w./@+-]+)*$/
/** What parsers of any version read as something else. */
const words = /^(?:true|false|null|yes|no|on|off|y|n)$/i

/** What quotes cannot hold as it stands, and what people would not see. */
const mustBeEscaped = /[\p{Cc}\u2028\u2029\ufeff\ufffe\uffff\p{Cs}]/u
const everyEscaped = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
