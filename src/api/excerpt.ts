import type { Redact } from './redact.ts'

/**
 * The beginning of a text from the service, fit for an error: nothing secret, on one line, nothing that moves a
 * cursor or turns the reading direction, and never long.
 */
export function excerpt(text: string, redact: Redact, longest = 500): string {
  // Redacted before it is cut, so that no half of a key is left at the end.
  const safe = escapeControls(redact(text.slice(0, 64 * 1024)).trim())
  return safe.length <= longest ? safe : `${safe.slice(0, longest).replace(/[\ud800-\udbff]$/, '')}…`
}

function escapeControls(text: string): string {
  return text.replace(unsafe, character => {
    const code = (character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')
    return character === '\n' ? '\\n' : `\\u${code}`
  })
}

// C0, DEL and C1; invisible and directional marks; line separators, embeddings, isolates; lone surrogates.
const unsafe =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]|\p{Surrogate}/gu
