/** What stands in `${...}` where that is the whole text; the text itself otherwise. */
export function withoutBraces(text: string): string {
  return text.replace(/^\$\{(.*)\}$/, '$1')
}
