/** A word as it has to be typed into a POSIX shell: names of events, plugins and folders have spaces and more. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
