/** Takes everything secret out of a text. */
export type Redact = (text: string) => string

/** Takes out what looks like a secret wherever it comes from: personal keys, authorization values, passwords in URLs. */
export const redactTokens: Redact = text =>
  text
    .replace(/\bph[a-z]_[A-Za-z0-9_-]{8,}/g, mark)
    .replace(/\b(Bearer)\s+[^\s"'`,;)]+/g, `$1 ${mark}`)
    .replace(/\b(Basic)\s+[A-Za-z0-9+/_=-]{8,}/g, `$1 ${mark}`)
    .replace(/(:\/\/)[^\s/@"']+@/g, `$1${mark}@`)

/** Also takes out the given secrets, as they are and in the forms in which services and proxies echo them. */
export function createRedactor(secrets: readonly string[]): Redact {
  const forms = [...new Set(secrets.filter(secret => secret.length >= shortestSecret).flatMap(formsOf))]
  if (forms.length === 0) return redactTokens
  // The longest first, or a short form would leave the rest of a long one behind.
  const pattern = new RegExp(
    forms
      .sort((a, b) => b.length - a.length)
      .map(escapePattern)
      .join('|'),
    'gi',
  )
  return text => redactTokens(text.replace(pattern, mark))
}

const mark = '[redacted]'

/** A shorter text is no secret, and hiding it would only tear words apart. */
const shortestSecret = 4
const shortestEncoded = 8

function formsOf(secret: string): string[] {
  const json = JSON.stringify(secret).slice(1, -1)
  return [secret, encodeURIComponent(secret), json, encodeURIComponent(json), ...base64Forms(secret)]
}

/**
 * The parts of base64 text that a secret determines, for each of the three places at which it can begin: a header
 * value such as `user:key` is encoded as one text.
 */
function base64Forms(secret: string): string[] {
  return [0, 1, 2].flatMap(shift => {
    const bytes = Buffer.concat([Buffer.alloc(shift), Buffer.from(secret)])
    const from = Math.ceil((shift * 8) / 6)
    const to = Math.floor((bytes.length * 8) / 6)
    const forms = [bytes.toString('base64'), bytes.toString('base64url')]
    return forms.map(form => form.slice(from, to)).filter(form => form.length >= shortestEncoded)
  })
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&')
}
