import { elsewhere, unsupported } from './values/refusal.ts'
import { isListValue, isObjectValue, Sensitive, type Value } from './values/value.ts'

/** Nesting of an expression in Terraform's language, whose parser makes several calls for each level. */
export const deepestExpression = 64

/** The most elements for all `for` expressions of one stack, and for one list that a function makes. */
export const mostRounds = 1_000_000
/** The most UTF-16 code units of a text from an expression. */
export const longestText = 16 * 1024 * 1024
/** The most values inside one value of a stack; a text counts as one for each hundred code units. */
export const mostParts = 2_000_000

/** Counts the repetitions in a stack's expressions, so that they end. */
export class Work {
  #rounds = 0

  round(): void {
    this.#rounds += 1
    if (this.#rounds > mostRounds)
      throw unsupported(`going through more than ${mostRounds} elements`, elsewhere)
  }
}

/** Joins texts; refuses an absurd length. */
export function joined(texts: readonly string[], separator = ''): string {
  const length = texts.reduce((sum, text) => sum + text.length + separator.length, 0)
  requireLength(length)
  return texts.join(separator)
}

export function requireLength(length: number): void {
  if (length > longestText) throw unsupported(`a text of more than ${longestText} characters`, elsewhere)
}

/** Refuses to make a list that is too long. */
export function requireCount(count: number): void {
  if (count > mostRounds) throw unsupported(`a list of more than ${mostRounds} elements`, elsewhere)
}

/**
 * Refuses absurdly large values: a list that holds another one twice, which holds another one twice, needs
 * little memory and takes for ever to walk through. Each part is measured once, however often it is held.
 */
export class ValueSizes {
  readonly #sizes = new WeakMap<object, number>()

  require(value: Value): void {
    if (this.#sizeOf(value) > mostParts)
      throw unsupported(`a value of more than ${mostParts} parts`, elsewhere)
  }

  #sizeOf(value: Value): number {
    if (value instanceof Sensitive) return this.#sizeOf(value.value)
    if (typeof value === 'string') return 1 + value.length / 100
    const inside = isListValue(value) ? value : isObjectValue(value) ? Object.values(value) : undefined
    if (inside === undefined || typeof value !== 'object' || value === null) return 1
    const before = this.#sizes.get(value)
    if (before !== undefined) return before
    const size = inside.reduce((sum: number, each) => sum + this.#sizeOf(each), 1)
    this.#sizes.set(value, size)
    return size
  }
}
