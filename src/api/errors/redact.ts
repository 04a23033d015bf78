import { escapeText } from '../../model/text/escape-text.ts'

/** Takes everything secret out of a text. */
export type Redact = (text: string) => string

/** Takes out what looks like a secret wherever it comes from: personal keys, authorization values, passwords in URLs. */
export const redactTokens: Redact = text =>
  text
    .replace(/\bph[a-z]_[A-Za-z0-9_-]{8,}/g, redacted)
    .replace(/\b(Bearer)\s+[^\s"'`,;)]+/g, `$1 ${redacted}`)
    .replace(/\b(Basic)\s+[A-Za-z0-9+/_=-]{8,}/g, `$1 ${redacted}`)
    .replace(/(:\/\/)[^\s/@"']+@/g, `$1${redacted}@`)

/** Also takes out the given secrets, in every form in which services, proxies and our own texts show them. */
export function createRedactor(secrets: readonly string[]): Redact {
  const pattern = secretPattern(secrets)
  return pattern ? text => redactTokens(text.replace(pattern, redacted)) : redactTokens
}

export const redacted = '[redacted]'

/** A shorter text is no secret, and hiding it would only tear words apart. */
const shortestSecret = 4
const shortestEncoded = 8

/**
 * Finds secrets however they are written: as they are or in other letter case; with any of their characters
 * percent-encoded (also twice), escaped as in JSON, JavaScript and YAML (also a text inside of a text) or quoted for
 * a shell; and in base64, alone or as a part of something longer. Undefined where there is none to be found.
 */
export function secretPattern(secrets: readonly string[]): RegExp | undefined {
  const long = [...new Set(secrets)].filter(secret => secret.length >= shortestSecret)
  // The longest first, or a short form would leave the rest of a long one behind.
  const forms = long
    .flatMap(secret => [
      { length: secret.length, source: writtenForms(secret) },
      ...base64Forms(secret).map(form => ({ length: form.length, source: escapePattern(form) })),
    ])
    .sort((left, right) => right.length - left.length)
    .map(({ source }) => source)
  return forms.length === 0 ? undefined : new RegExp(forms.join('|'), 'gi')
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
  // Each text inside of a text doubles the backslashes; three deep is what anybody writes.
  if (character === '\\') return '\\\\{1,8}'
  return /["/]/.test(character) ? `\\\\{0,7}${escapePattern(character)}` : escapePattern(character)
}

/**
 * The parts of base64 text that a secret determines, for each of the three places at which it can begin: a header
 * value such as `user:key` is encoded as one text.
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
 * The beginning of a text from the service, fit for an error: nothing secret, on one line, nothing that moves a
 * cursor or turns the reading direction, and never long.
 */
export function excerpt(text: string, redact: Redact, longest = 500): string {
  // Redacted before it is cut, so that no half of a key is left at the end.
  const safe = escapeText(redact(text.slice(0, 64 * 1024)).trim())
  return safe.length <= longest ? safe : `${safe.slice(0, longest).replace(/[\ud800-\udbff]$/, '')}…`
}
