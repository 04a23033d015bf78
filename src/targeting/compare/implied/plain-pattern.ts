/** One text that a pattern looks for. */
export interface PlainText {
  readonly text: readonly Character[]
  readonly atStart: boolean
  readonly atEnd: boolean
}

/** One character; undefined for any but a line break, as `.` is. */
export type Character = string | undefined

/** So many texts are told apart. */
const mostTexts = 50
const longestPattern = 500

/**
 * The texts of which a pattern looks for any, wherever it is nothing but a way to write them; undefined of all others.
 *
 * | pattern                  | texts                                       |
 * |--------------------------|---------------------------------------------|
 * | `@corp\.com$`            | `@corp.com`, at the end                     |
 * | `^(DE|AT)$`, `^DE$|^AT$` | `DE` and `AT`, from the start to the end    |
 * | `.*corp.*`               | `corp`: what it says around that is nothing |
 * | `@corp.com`              | `@corp`, any character, `com`               |
 * | `^v[12]x?$`              | `v1`, `v2`, `v1x`, `v2x`                    |
 */
export function readPlainPattern(pattern: string): readonly PlainText[] | undefined {
  // In Rust these mean something between brackets, and such patterns are left to the service.
  if (pattern.length > longestPattern || /&&|--|~~/.test(pattern)) return undefined
  const reader = new Reader(pattern)
  const texts = reader.alternatives(true)
  return reader.isAtEnd && texts && texts.length <= mostTexts ? texts : undefined
}

const anywhere: PlainText = { text: [], atStart: false, atEnd: false }

class Reader {
  readonly #pattern: string
  #at = 0

  constructor(pattern: string) {
    this.#pattern = pattern
  }

  get isAtEnd(): boolean {
    return this.#at === this.#pattern.length
  }

  /** Undefined where something is more than a text. */
  alternatives(areOutermost: boolean): readonly PlainText[] | undefined {
    const all: PlainText[] = []
    do {
      const texts = this.#sequence(areOutermost)
      if (!texts || all.length > mostTexts) return undefined
      all.push(...texts)
    } while (this.#take(/\|/y) !== undefined)
    return all
  }

  #sequence(isOutermost: boolean): readonly PlainText[] | undefined {
    const start = this.#take(/\^/y) !== undefined
    // What may be nothing says nothing where a text may stand anywhere.
    if (!start && isOutermost) this.#take(/\.\*\??/y)
    let texts: readonly PlainText[] = [{ ...anywhere, atStart: start }]
    for (;;) {
      const next = this.#part()
      if (next === undefined) break
      const longer = joined(texts, next)
      if (!longer) return undefined
      texts = longer
    }
    const end = this.#take(/\$/y) !== undefined
    if (!end && isOutermost) this.#take(/\.\*\??(?=$|\|)/y)
    return end ? texts.map(text => ({ ...text, atEnd: true })) : texts
  }

  #part(): readonly PlainText[] | undefined {
    const texts = this.#characters() ?? this.#group()
    if (!texts) return undefined
    // Counts are left out but for the one that says: or nothing.
    const isOptional = this.#take(/\?\??/y) !== undefined
    if (this.#take(/(?=[*+?{])/y) !== undefined) return undefined
    return isOptional ? [...texts, anywhere] : texts
  }

  #characters(): readonly PlainText[] | undefined {
    const one = this.#take(/(?:[\w @#%&=:;,<>!"'`~/.-]|\\[.\\^$|()[\]{}*+?/-])(?![*+{])/y)
    if (one !== undefined) return [{ ...anywhere, text: [one === '.' ? undefined : one.replace(/^\\/, '')] }]
    const set = this.#take(/\[[\w @%=:;,<>!"'`/.]+\](?![*+{])/y)
    if (set === undefined) return undefined
    return [...set.slice(1, -1)].map(character => ({ ...anywhere, text: [character] }))
  }

  #group(): readonly PlainText[] | undefined {
    const start = this.#at
    if (this.#take(/\((?:\?:)?(?!\?)/y) === undefined) return undefined
    const texts = this.alternatives(false)
    if (this.#take(/\)(?![*+{])/y) !== undefined) return texts
    this.#at = start
    return undefined
  }

  #take(form: RegExp): string | undefined {
    form.lastIndex = this.#at
    const found = form.exec(this.#pattern)?.[0]
    if (found === undefined) return undefined
    this.#at += found.length
    return found
  }
}

/** Each text with each that follows it; undefined where an edge would stand in the middle, or there are too many. */
function joined(left: readonly PlainText[], right: readonly PlainText[]): readonly PlainText[] | undefined {
  if (left.length * right.length > mostTexts) return undefined
  const pairs = left.flatMap(one => right.map(other => ({ one, other })))
  const hasEdgeInside = pairs.some(
    ({ one, other }) => one.atEnd || (other.atStart && (one.text.length > 0 || one.atStart)),
  )
  if (hasEdgeInside) return undefined
  return pairs.map(({ one, other }) => ({
    text: [...one.text, ...other.text],
    atStart: one.atStart || other.atStart,
    atEnd: other.atEnd,
  }))
}
