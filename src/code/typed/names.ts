import { createHash } from 'node:crypto'
import { compareTexts } from '../../model/text/compare-texts.ts'

/** The words of a key: `checkout-v2` and `checkoutV2` have two. */
function wordsOf(text: string): string[] {
  return text
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .split(/[^A-Za-z\d]+/)
    .filter(word => word !== '')
}

/** How a language writes a name; a name that would begin with a digit, or be empty, begins with `flag`. */
export const namings = {
  camel: (text: string) => {
    const [first = '', ...others] = beginning(wordsOf(text))
    return `${first.toLowerCase()}${others.map(capital).join('')}`
  },
  pascal: (text: string) => beginning(wordsOf(text)).map(capital).join(''),
  upper: (text: string) => beginning(wordsOf(text)).join('_').toUpperCase(),
} as const

export type Naming = keyof typeof namings

function beginning(words: readonly string[]): readonly string[] {
  return /^[A-Za-z]/.test(words[0] ?? '') ? words : ['flag', ...words]
}

function capital(word: string): string {
  return `${word[0]?.toUpperCase() ?? ''}${word.slice(1).toLowerCase()}`
}

/**
 * A name for each of some texts, no two of them the same. Those that would share one all get some digits of a digest
 * of their own text, so that the name of a text depends on no other text but those that it is confused with.
 */
export function distinctNames(
  texts: readonly string[],
  nameOf: (text: string) => string,
  taken: ReadonlySet<string> = new Set(),
): ReadonlyMap<string, string> {
  const sharing = new Map<string, string[]>()
  for (const text of [...new Set(texts)].sort(compareTexts))
    sharing.set(nameOf(text), [...(sharing.get(nameOf(text)) ?? []), text])
  const used = new Set([...taken, ...sharing.keys()])
  const names = new Map<string, string>()
  for (const [name, [only = '', ...others]] of sharing) {
    if (others.length === 0 && !taken.has(name)) {
      names.set(only, name)
      continue
    }
    for (const text of [only, ...others]) {
      const digest = createHash('sha256').update(text).digest('hex')
      let digits = 4
      while (used.has(`${name}_${digest.slice(0, digits)}`)) digits++
      const own = `${name}_${digest.slice(0, digits)}`
      used.add(own)
      names.set(text, own)
    }
  }
  return names
}

/** Says which names are not as their texts would have them. */
export function collisionNotes(
  names: ReadonlyMap<string, string>,
  nameOf: (text: string) => string,
): string[] {
  return [...names].flatMap(([text, name]) =>
    name === nameOf(text)
      ? []
      : [`"${text}" is ${name}, since ${nameOf(text)} would mean something else too`],
  )
}
