/**
 * Makes text from the service or a file safe for a terminal and for a log line. Control characters (which
 * move the cursor, set titles or hide text), bidirectional overrides (which change what text seems to
 * contain) and invisible characters are shown as `\uXXXX`. Tabs and line ends are escaped too, so that a name
 * stays on its line.
 */
export function escapeText(text: string): string {
  return text.replace(unsafe, character => {
    const named = names.get(character)
    return named ?? `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`
  })
}

/** Escapes text with several lines. Line ends and tabs stay. */
export function escapeLines(text: string): string {
  return text.replace(unsafe, character =>
    character === '\n' || character === '\t' ? character : escapeText(character),
  )
}

/** Replaces each unsafe character with a space, so that the text keeps its columns. */
export function blankText(text: string): string {
  return text.replace(unsafe, ' ')
}

/** Replaces each unsafe character, for example with an escape of a programming language. */
export function replaceUnsafe(text: string, by: (character: string) => string): string {
  return text.replace(unsafe, by)
}

const names = new Map([
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
])

// C0, DEL and C1; soft hyphen; Arabic letter mark; zero width and directional marks; line separators and
// embeddings; word joiner to isolates; byte order mark; tags; lone surrogates.
const unsafe =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]|\p{Surrogate}/gu

/** For a POSIX shell. Names of events, plugins and folders may contain spaces and other signs. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}

const units = [
  { name: 'day', ms: 86_400_000 },
  { name: 'hour', ms: 3_600_000 },
  { name: 'minute', ms: 60_000 },
  { name: 'second', ms: 1000 },
] as const

/** An approximate duration: `40 seconds`, `60 minutes`, `3 hours`. A unit is used from two on. */
export function durationText(ms: number): string {
  const { name, ms: unit } = units.find(({ ms: one }) => ms >= 2 * one) ?? units[3]
  const count = Math.max(0, Math.round(ms / unit))
  return `${count} ${name}${count === 1 ? '' : 's'}`
}
