import type { Json } from '../../model/json/json.ts'
import { writeJson } from '../../model/json/json-text.ts'
import { escapeText } from '../../model/text/escape-text.ts'

const longest = 60

/** A value as messages show it: JSON on one line, cut where it is long, nothing that could move a cursor. */
export function quote(value: Json | undefined): string {
  return shortened(writeJson(value ?? null))
}

/** A text as messages show it, without quotes: cut where it is long, nothing that could move a cursor. */
export function shortened(text: string): string {
  const short = text.length > longest ? `${text.slice(0, longest).replace(/[\uD800-\uDBFF]$/, '')}...` : text
  return escapeText(short)
}

/** `a flag`, `an event`. */
export function withArticle(noun: string): string {
  return `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`
}
