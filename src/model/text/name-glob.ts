/**
 * Globs of names and addresses: `*` is any text, `?` one character, `{a,b}` one of several. Unlike in paths, no
 * character ends a name: names of events have "/" and "." in them.
 */
export function isNameGlob(text: string): boolean {
  return /[*?]|\{[^{}]*,[^{}]*\}/.test(text)
}

/** Whether a name fits a glob as a whole; letter case matters. */
export function nameGlob(glob: string): (name: string) => boolean {
  const parts = glob.match(/\*+|\?|\{[^{}]*,[^{}]*\}|[^*?{]+|\{/g) ?? []
  const pattern = new RegExp(`^${parts.map(patternOf).join('')}$`, 'su')
  return name => pattern.test(name)
}

/** Whether a name fits one of several globs as a whole. */
export function fitsAnyGlob(globs: readonly string[], name: string): boolean {
  return globs.some(glob => nameGlob(glob)(name))
}

function patternOf(part: string): string {
  if (part.startsWith('*')) return '.*'
  if (part === '?') return '.'
  if (!part.startsWith('{') || part === '{') return literal(part)
  return `(?:${part.slice(1, -1).split(',').map(alternative).join('|')})`
}

function alternative(text: string): string {
  return (text.match(/\*+|\?|[^*?]+/g) ?? []).map(patternOf).join('')
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}
