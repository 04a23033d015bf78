/** Names in a row: `a`, `b` or `c`. */
export function listNames(names: readonly string[], conjunction = 'or'): string {
  if (names.length < 2) return names.join('')
  return `${names.slice(0, -1).join(', ')} ${conjunction} ${names.at(-1)}`
}

/** The same for names that may be many: the first of them, and the number of others. */
export function listSome(names: readonly string[], conjunction = 'or'): string {
  if (names.length <= mostNames) return listNames(names, conjunction)
  return `${names.slice(0, mostNames).join(', ')} and ${names.length - mostNames} more`
}

const mostNames = 20
