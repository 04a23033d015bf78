/** A word as typed in a POSIX shell: names of events, plugins and folders may have spaces and other signs. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
