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

/** Names in a row: `a`, `b` or `c`. */
export function listNames(names: readonly string[], conjunction = 'or'): string {
  if (names.length < 2) return names.join('')
  return `${names.slice(0, -1).join(', ')} ${conjunction} ${names.at(-1)}`
}

/** The same for names that may be many: the first of them, and how many there are besides. */
export function listSome(names: readonly string[], conjunction = 'or'): string {
  if (names.length <= mostNames) return listNames(names, conjunction)
  return `${names.slice(0, mostNames).join(', ')} and ${names.length - mostNames} more`
}

const mostNames = 20

/** `a flag`, `an event`. */
export function withArticle(noun: string): string {
  return `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`
}
