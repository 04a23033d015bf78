import type { Json } from '../model/json.ts'

const longest = 60

/** A value as messages show it: JSON on one line, cut where it is long, nothing that could move a cursor. */
export function quote(value: Json | undefined): string {
  const text = JSON.stringify(value ?? null)
  const short = text.length > longest ? `${text.slice(0, longest).replace(/[\uD800-\uDBFF]$/, '')}...` : text
  return short.replace(invisible, escapeCharacter)
}

/** Names in a row: `a`, `b` or `c`. */
export function listNames(names: readonly string[], conjunction = 'or'): string {
  if (names.length < 2) return names.join('')
  return `${names.slice(0, -1).join(', ')} ${conjunction} ${names.at(-1)}`
}

/** Control characters that JSON leaves as they are, bidirectional overrides and other marks without a width. */
const invisible = /[\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
