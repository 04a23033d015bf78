import { checkedKey } from '../model/limits.ts'
import { escapeText } from '../model/text/printable.ts'

/** Removes all secrets from a text. */
export type Redact = (text: string) => string

/** Removes hidden values of objects from a text that the service answered. */
export type RedactAnswer = (text: string, is: 'reason' | 'body') => string

/** Removes everything that looks like a secret: personal keys, authorization values, passwords in URLs. */
export const redactTokens: Redact = text =>
  text
    .replace(/\bph[a-z]_[A-Za-z0-9_-]{8,}/g, redacted)
    .replace(/\b(Bearer)\s+[^\s"'`,;)]+/g, `$1 ${redacted}`)
    .replace(/\b(Basic)\s+[A-Za-z0-9+/_=-]{8,}/g, `$1 ${redacted}`)
    .replace(/(:\/\/)[^\s/@"']+@/g, `$1${redacted}@`)

/** Also removes the given secrets, in every form in which services, proxies and our own texts show them. */
export function createRedactor(secrets: readonly string[]): Redact {
  const search = searchFor(secrets)
  return text => redactTokens(search.replaceIn(text, () => redacted))
}

const redacted = '[redacted]'

/** A shorter text is no secret, and hiding it would only break words. */
const shortestSecret = 4
const shortestEncoded = 8

/** Looks for secrets in texts. */
export interface SecretSearch {
  isIn(text: string): boolean
  /** The text with each of them replaced. */
  replaceIn(text: string, replacement: (found: string) => string): string
}

/**
 * Finds secrets in every spelling: as they are or in other letter case; with any of their characters
 * percent-encoded (also twice), escaped as in JSON, JavaScript and YAML (also a text inside of a text) or
 * quoted for a shell; and in base64, alone or as a part of something longer.
 *
 * The engine takes 40 ms to compile such a pattern, more than many commands take otherwise. So texts are
 * first searched for a part that all these forms need, and hardly any text has that.
 */
function searchFor(secrets: readonly string[]): SecretSearch {
  const long = [...new Set(secrets)].filter(secret => secret.length >= shortestSecret)
  if (long.length === 0) return { isIn: () => false, replaceIn: text => text }
  const pattern = secretPattern(long)
  const hint = hintOf(long)
  const mayHold = (text: string) => hint === undefined || hint.test(text)
  return {
    isIn: text => mayHold(text) && text.search(pattern) >= 0,
    replaceIn: (text, replacement) => (mayHold(text) ? text.replace(pattern, replacement) : text),
  }
}

/**
 * A pattern that any form of the secrets contains: a character in a code, the secret itself, or its base64.
 * Undefined if there are secrets whose characters are written in yet other forms.
 */
function hintOf(secrets: readonly string[]): RegExp | undefined {
  if (!secrets.every(secret => /^[\x20-\x7e]+$/.test(secret) && !/['"/\\]/.test(secret))) return undefined
  const asTheyAre = secrets.flatMap(secret => [secret, ...base64Forms(secret)]).map(escapePattern)
  return new RegExp([...asTheyAre, '%[0-9a-f]{2}', '\\\\(?:u00|x)'].join('|'), 'i')
}

function secretPattern(secrets: readonly string[]): RegExp {
  // The longest first, or a short form would leave the rest of a long one behind.
  const forms = secrets
    .flatMap(secret => [
      { length: secret.length, source: writtenForms(secret) },
      ...base64Forms(secret).map(form => ({ length: form.length, source: escapePattern(form) })),
    ])
    .sort((left, right) => right.length - left.length)
    .map(({ source }) => source)
  return new RegExp(forms.join('|'), 'gi')
}

function writtenForms(secret: string): string {
  return Array.from(secret, character => {
    const hex = (character.codePointAt(0) ?? 0).toString(16).padStart(2, '0')
    const codes = `%(?:25){0,3}${hex}|\\\\{1,8}(?:u00|x)${hex}`
    return `(?:${asItIs(character)}|${codes})`
  }).join('')
}

function asItIs(character: string): string {
  if (character === "'") return `'\\\\''|''|'`
  // Each text inside a text doubles the backslashes; nobody writes more than three levels.
  if (character === '\\') return '\\\\{1,8}'
  return /["/]/.test(character) ? `\\\\{0,7}${escapePattern(character)}` : escapePattern(character)
}

/**
 * The parts of base64 text that a secret determines, for each of the three places at which it can begin: a
 * header value such as `user:key` is encoded as one text.
 */
function base64Forms(secret: string): string[] {
  const all = [0, 1, 2].flatMap(shift => {
    const bytes = Buffer.concat([Buffer.alloc(shift), Buffer.from(secret)])
    const from = Math.ceil((shift * 8) / 6)
    const to = Math.floor((bytes.length * 8) / 6)
    const forms = [bytes.toString('base64'), bytes.toString('base64url')]
    return forms.map(form => form.slice(from, to)).filter(form => form.length >= shortestEncoded)
  })
  return [...new Set(all)]
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&')
}

/**
 * The beginning of a text from the service, fit for an error: nothing secret, on one line, nothing that moves
 * a cursor or turns the reading direction, and never long.
 */
export function excerpt(text: string, redact: Redact, longest = 500): string {
  // Redacted before it is cut, so that no half of a key is left at the end.
  const safe = escapeText(redact(text.slice(0, 64 * 1024)).trim())
  return safe.length <= longest ? safe : `${safe.slice(0, longest).replace(/[\ud800-\udbff]$/, '')}…`
}

/**
 * The secrets of one run, as they become known. Whatever leaves the program, to a stream, to a file or to
 * Terraform, goes by here at its edge, so that no command has to remember it.
 */
export class Secrets {
  readonly #known = new Set<string>()
  #search = searchFor([])

  /** Takes note of a key. A text that the checks refuse is no key, is never sent, and may be an ordinary word. */
  add(key: string | undefined): void {
    const checked = checkedKey(key ?? '')
    if (!('key' in checked) || this.#known.has(checked.key)) return
    this.#known.add(checked.key)
    this.#search = searchFor([...this.#known])
  }

  /** The text without any of them, and without the beginning of one that was cut off with an ellipsis. */
  readonly hide: Redact = text => this.#withoutBeginnings(this.#search.replaceIn(text, () => redacted))

  /** Whether one of them is anywhere in a text. */
  isIn(text: string): boolean {
    return this.#search.isIn(text)
  }

  /** The same bytes with each of them overwritten: lengths, which binary formats count, stay. */
  overwrite(bytes: Uint8Array): Uint8Array {
    const text = Buffer.from(bytes).toString('latin1')
    const without = this.#search.replaceIn(text, found => '*'.repeat(found.length))
    return Buffer.from(without, 'latin1')
  }

  #withoutBeginnings(text: string): string {
    if (!text.includes('…')) return text
    const [last = '', ...cut] = text.split('…').reverse()
    return [...cut.reverse().map(part => this.#withoutBeginning(part)), last].join('…')
  }

  #withoutBeginning(text: string): string {
    for (const key of this.#known) {
      for (let length = Math.min(key.length, text.length); length >= shortestBeginning; length--) {
        if (text.endsWith(key.slice(0, length))) return `${text.slice(0, -length)}${redacted}`
      }
    }
    return text
  }
}

/** Fewer characters reveal nothing: the service's own keys all begin with the same ones. */
const shortestBeginning = 8
