/**
 * Text inside of Markdown, so that it reads as it is. Names, descriptions and commands may hold anything, and code hosts
 * give a meaning to much: mentions, numbers of issues, commits, addresses of pages and of mail, `:words:` for pictures,
 * HTML. In code none of that means anything, on GitHub and on GitLab alike, and commands can be copied; so whatever is not
 * plainly words stands in code.
 */

const longest = 300

/** Words as they are, anything else as code. */
export function inline(text: string): string {
  return isPlainWords(text) ? text : code(text)
}

/** A sentence with commands between backticks: those, and what is not plainly words, as code; the rest as words. Without any it may be a command itself. */
export function sentence(text: string): string {
  if (!text.includes('`')) return inline(text)
  const words = clip(text).split(/ (?=(?:[^`]*`[^`]*`)*[^`]*$)/)
  if (!words.every(isWordOrCommand)) return inline(text)
  const written: string[] = []
  const other: string[] = []
  for (const word of [...words, undefined]) {
    const [, before = '', command = '', after = ''] = aCommand.exec(word ?? '') ?? []
    const isOther = word !== undefined && command === '' && !isPlainWord(word)
    if (!isOther && other.length > 0) written.push(code(other.splice(0).join(' ')))
    if (isOther) other.push(word)
    else if (word !== undefined) written.push(command === '' ? word : `${before}${code(command)}${after}`)
  }
  return written.join(' ')
}

const aCommand = /^(\(?)`([^`]+)`(\)?[,;:.]?)$/

function isWordOrCommand(word: string): boolean {
  return word !== '' && (!word.includes('`') || aCommand.test(word))
}

/** Text as code. */
export function code(text: string): string {
  if (text === '') return ''
  const shown = clip(text)
  const fence = '`'.repeat(longestRun(shown) + 1)
  // A space at both ends belongs to the fence, unless there is nothing else.
  const pad = /^`|`$|^ .*[^ ].* $/.test(shown) ? ' ' : ''
  return `${fence}${pad}${shown}${pad}${fence}`
}

/** The same in a cell of a table, where a bar would end the cell, also in code. */
export function inlineCell(text: string): string {
  return isPlainWords(text) ? text : codeCell(text)
}

export function codeCell(text: string): string {
  // A table has no way to write a backslash before a bar, so the two are in codes of their own.
  return clip(text)
    .split(/(?<=\\)(?=\|)/)
    .map(part => code(part).replaceAll('|', '\\|'))
    .join('<!-- -->')
}

/**
 * Whether a text is words that no code host takes for anything else: letters first, single spaces, and signs only where
 * they end a word or stand alone. No word looks like a commit, and none like the number of an issue (`GH-12`).
 */
function isPlainWords(text: string): boolean {
  if (text.length > longest || !/^[A-Za-z]/.test(text)) return false
  return text.split(' ').every(word => word === '->' || isPlainWord(word))
}

function isPlainWord(word: string): boolean {
  if (/^\(?(?=[^a-z]*\d)[0-9a-f]{6,}\W*$/.test(word)) return false
  return /^\(?[A-Za-z0-9]+(?:-[A-Za-z]+)*%?\)?[,;:.]?$/.test(word)
}

/** A block of code; its fence is longer than any inside. */
export function fenced(text: string, language: string): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1))
  return `${fence}${language}\n${text}\n${fence}`
}

export function clip(text: string): string {
  if (text.length <= longest) return text
  // Not between the two halves of a character.
  return `${text.slice(0, longest - 1).replace(/[\ud800-\udbff]$/, '')}…`
}

function longestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
}
