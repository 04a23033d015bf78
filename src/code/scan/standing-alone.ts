const quotes = new Set([0x22, 0x27, 0x60])
const backslash = 0x5c

/**
 * Whether a word is a text of its own: in quotes, also escaped ones as in JSON within a text; in configuration, which
 * needs no quotes, as a value or an element of a list.
 */
export function isText(bytes: Buffer, start: number, end: number, name: string): boolean {
  const before = bytes[start - 1] ?? 0
  if (quotes.has(before)) {
    const behind = bytes[end] ?? 0
    return behind === before || (behind === backslash && bytes[end + 1] === before)
  }
  if (!isConfiguration(name)) return false
  const left = bytes.toString('latin1', Math.max(0, start - 40), start)
  const right = bytes.toString('latin1', end, end + 40)
  return /[:=,[]\s*$|^\s*-\s+$|\n\s*-\s+$|>$/.test(left) && /^\s*(?:[,\]#\r\n<]|$)/.test(right)
}

function isConfiguration(name: string): boolean {
  return /(?:\.(?:ya?ml|properties|ini|conf|cfg|toml|xml|plist|env)|^\.env(?:\..+)?)$/i.test(name)
}
