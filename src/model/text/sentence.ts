/** A text that begins with a capital. */
export function capitalized(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}

/** A few words as a sentence: with a capital, and a full stop if there is no other end. */
export function sentence(words: string): string {
  return `${capitalized(words)}${/[.?!]$/.test(words) ? '' : '.'}`
}
