/**
 * The candidate that is most similar to `word`, if it is similar enough: shorter words may have fewer errors.
 * Among equals the first one wins, so the order of candidates matters.
 */
export function didYouMean(word: string, candidates: readonly string[]): string | undefined {
  const renamed = formerNames.get(word)
  if (renamed !== undefined && candidates.includes(renamed)) return renamed
  const typed = word.slice(0, longestWord).toLowerCase()
  let best: { readonly candidate: string; readonly slips: number } | undefined
  for (const candidate of candidates) {
    if (candidate === word) continue
    const meant = candidate.toLowerCase()
    const forgiven = forgivenSlips(Math.max(typed.length, candidate.length))
    // Each additional letter is one error.
    if (Math.abs(typed.length - meant.length) > forgiven) continue
    const slips = countSlips(typed, meant)
    if (slips <= forgiven && (best === undefined || slips < best.slips)) best = { candidate, slips }
  }
  return best?.candidate
}

/** The current name for a name from an earlier build or service. */
const formerNames: ReadonlyMap<string, string> = new Map([
  ['acknowledge', 'allow'],
  ['evaluation_tags', 'evaluation_contexts'],
])

/** The hint for an unknown word: the most similar candidate, or `otherwise`. */
export function meantHint<Otherwise extends string | undefined>(
  word: string,
  candidates: readonly string[],
  otherwise: Otherwise,
): string | Otherwise {
  const meant = didYouMean(word, candidates)
  return meant === undefined ? otherwise : `did you mean "${meant}"?`
}

/**
 * Suggestions for many words from one list. Files and lists can be very long, so the total number of
 * comparisons is limited. A person's typing mistakes come first; after thousands of wrong words nobody needs
 * hints.
 */
export class Suggestions {
  readonly #candidates: readonly string[]
  #compared = 0

  constructor(candidates: readonly string[]) {
    this.#candidates = candidates
  }

  /** The hint of `meantHint`, until the limit is reached. */
  hint<Otherwise extends string | undefined>(word: string, otherwise: Otherwise): string | Otherwise {
    if (this.#compared >= mostCompared) return otherwise
    this.#compared += this.#candidates.length
    return meantHint(word, this.#candidates, otherwise)
  }
}

/** Enough for a hundred wrong words and two hundred right ones. It takes some hundredths of a second. */
const mostCompared = 20_000

/** Names in Vexil are shorter. A longer word is not a typing mistake, and comparing it takes time. */
const longestWord = 100

function forgivenSlips(length: number): number {
  if (length <= 2) return 0
  return length <= 4 ? 1 : length <= 8 ? 2 : Math.floor(length / 3)
}

/** Damerau-Levenshtein, restricted: letters inserted, deleted, replaced, or two neighbours swapped. */
function countSlips(from: string, to: string): number {
  let beforePrevious: number[] = []
  let previous = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (let row = 1; row <= from.length; row++) {
    const current = [row]
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1]
      const isSwap =
        row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      current.push(
        Math.min(
          at(previous, column) + 1,
          at(current, column - 1) + 1,
          at(previous, column - 1) + (isSame ? 0 : 1),
          isSwap ? at(beforePrevious, column - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      )
    }
    beforePrevious = previous
    previous = current
  }
  return at(previous, to.length)
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY
}

/** Names in a sentence: `a`, `b` or `c`. */
export function listNames(names: readonly string[], conjunction = 'or'): string {
  if (names.length < 2) return names.join('')
  return `${names.slice(0, -1).join(', ')} ${conjunction} ${names.at(-1)}`
}

/** The first names in a sentence, and the number of others. */
export function listSome(names: readonly string[], conjunction = 'or'): string {
  if (names.length <= mostNames) return listNames(names, conjunction)
  return `${names.slice(0, mostNames).join(', ')} and ${names.length - mostNames} more`
}

const mostNames = 20

/**
 * Globs for names and addresses: `*` is any text, `?` one character, `{a,b}` one of several. Unlike in paths,
 * `*` matches every character, because names of events contain "/" and ".".
 */
export function isNameGlob(text: string): boolean {
  return /[*?]|\{[^{}]*,[^{}]*\}/.test(text)
}

/** Whether a glob matches a whole name. Letter case matters. */
export function nameGlob(glob: string): (name: string) => boolean {
  const parts = glob.match(/\*+|\?|\{[^{}]*,[^{}]*\}|[^*?{]+|\{/g) ?? []
  const pattern = new RegExp(`^${parts.map(patternOf).join('')}$`, 'su')
  return name => pattern.test(name)
}

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

/** The order of names in all output, files and digests: by code units, so that no locale changes it. */
export function compareTexts(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0
}
