import { escapeText } from '../../model/text/escape-text.ts'
import type { Redact } from './redact.ts'

/**
 * The beginning of a text from the service, fit for an error: nothing secret, on one line, nothing that moves a
 * cursor or turns the reading direction, and never long.
 */
export function excerpt(text: string, redact: Redact, longest = 500): string {
  // Redacted before it is cut, so that no half of a key is left at the end.
  const safe = escapeText(redact(text.slice(0, 64 * 1024)).trim())
  return safe.length <= longest ? safe : `${safe.slice(0, longest).replace(/[\ud800-\udbff]$/, '')}…`
}
