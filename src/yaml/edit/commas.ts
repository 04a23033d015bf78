/** Where the comma behind an entry of a flow stands; undefined where the bracket comes first. */
export function commaBehind(text: string, offset: number): number | undefined {
  for (let at = offset; at < text.length; at += 1) {
    const character = text[at]
    if (character === ',') return at
    if (character === '#') at = text.indexOf('\n', at) === -1 ? text.length : text.indexOf('\n', at)
    else if (character !== undefined && !/\s/.test(character)) return undefined
  }
  return undefined
}
