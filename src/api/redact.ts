import { checkedKey } from '../model/limits.ts'
import { escapeText } from '../model/text/printable.ts'

/** Removes all secrets from a text. */
export type Redact = (text: string) => string

/** Removes hidden values of objects from a text of the service. */
export type RedactAnswer = (text: string, is: 'reason' | 'body') => string

/** Removes texts that look like secrets: personal keys, authorization values, passwords in URLs. */
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

/** A shorter text is not a secret, and hiding it would break words. */
const shortestSecret = 4
const shortestEncoded = 8

/** Looks for secrets in texts. */
export interface SecretSearch {
  isIn(text: string): boolean
  replaceIn(text: string, replacement: (found: string) => string): string
}

/**
 * Finds secrets in all forms: in any letter case; with characters percent-encoded (also twice), escaped as in
 * JSON, JavaScript and YAML (also nested) or quoted for a shell; and in base64, alone or as part of a longer
 * text.
 *
 * Compiling this pattern takes 40 ms, longer than many commands. So texts are first searched for a short
 * hint, which few texts contain.
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
 * A fast pattern that matches a part of every form of the secrets: an escaped character, the secret itself,
 * or its base64. Undefined if a secret has characters with further forms.
 */
function hintOf(secrets: readonly string[]): RegExp | undefined {
  if (!secrets.every(secret => /^[\x20-\x7e]+$/.test(secret) && !/['"/\\]/.test(secret))) return undefined
  const asTheyAre = secrets.flatMap(secret => [secret, ...base64Forms(secret)]).map(escapePattern)
  return new RegExp([...asTheyAre, '%[0-9a-f]{2}', '\\\\(?:u00|x)'].join('|'), 'i')
}

function secretPattern(secrets: readonly string[]): RegExp {
  // The longest first, because a short form may be part of a longer one.
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
    // The codes first: a % at the end may be the beginning of its own code.
    return `(?:${codes}|${asItIs(character)})`
  }).join('')
}

function asItIs(character: string): string {
  if (character === "'") return `'\\\\''|''|'`
  // Each nesting level doubles the backslashes; up to three levels are found.
  if (character === '\\') return '\\\\{1,8}'
  return /["/]/.test(character) ? `\\\\{0,7}${escapePattern(character)}` : escapePattern(character)
}

/**
 * The base64 forms of a secret, for each of the three offsets at which it can begin within a longer text,
 * such as `user:key`.
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

/** The beginning of a text of the service: on one line, without secrets and control characters. */
export function excerpt(text: string, redact: Redact, longest = 500): string {
  // Redacted before it is cut, so that no part of a key remains at the end.
  const safe = escapeText(redact(text.slice(0, 64 * 1024)).trim())
  return safe.length <= longest ? safe : `${safe.slice(0, longest).replace(/[\ud800-\udbff]$/, '')}…`
}

/**
 * The secrets of one run, as they become known. All output of the program, to streams, files and Terraform,
 * is filtered by this.
 */
export class Secrets {
  readonly #known = new Set<string>()
  #search = searchFor([])

  /** Adds a key. Invalid keys are ignored: they are never sent, and may be ordinary words. */
  add(key: string | undefined): void {
    const checked = checkedKey(key ?? '')
    if (!('key' in checked) || this.#known.has(checked.key)) return
    this.#known.add(checked.key)
    this.#search = searchFor([...this.#known])
  }

  /** The text without secrets, and without the beginning of a secret that was cut off with an ellipsis. */
  readonly hide: Redact = text => this.#withoutBeginnings(this.#search.replaceIn(text, () => redacted))

  isIn(text: string): boolean {
    return this.#search.isIn(text)
  }

  /** The bytes with secrets overwritten. The length stays, since binary formats count it. */
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

/** Fewer characters reveal nothing: all keys of the service begin with the same ones. */
const shortestBeginning = 8
