import { isDeepStrictEqual } from 'node:util'
import { type Asymmetric, asymmetricText } from './asymmetric.ts'

/** Stands anywhere among expected values, and takes what stands there in whatever is found. */
export interface Capture<T = unknown> extends Asymmetric {
  /** What was taken. Throws where that is nothing, or more than one value. */
  readonly value: T
  /** All that was taken, in the order of the stack, once for each thing that is as expected. */
  readonly values: readonly T[]
}

/**
 * A capture, which expects that there is something, of which a matcher can say more: `capture(expect.stringMatching(/^a/))`.
 * What it takes is not checked against its type.
 *
 * ```ts
 * const key = capture<string>()
 * expect(stack).toHaveResource(Flag, { active: true, key })
 * expect(key.value).toMatch(/^checkout/)
 * ```
 */
export function capture<T = unknown>(pattern?: Asymmetric): Capture<T> {
  return new Taken<T>(pattern)
}

class Taken<T> implements Capture<T> {
  /** By this the test frameworks know how to print it. */
  readonly $$typeof = Symbol.for('jest.asymmetricMatcher')
  readonly #pattern: Asymmetric | undefined
  #taken: readonly T[] = []

  constructor(pattern: Asymmetric | undefined) {
    this.#pattern = pattern
  }

  asymmetricMatch(actual: unknown): boolean {
    if (actual === undefined || actual === null) return false
    if (this.#pattern !== undefined && !this.#pattern.asymmetricMatch(actual)) return false
    // Whoever makes it says of which type it is.
    this.#taken = [...this.#taken, actual as T]
    return true
  }

  get values(): readonly T[] {
    return this.#taken
  }

  get value(): T {
    const [first, ...others] = this.#taken
    if (first === undefined) {
      throw new Error('nothing was captured: no expectation with this capture has been met yet')
    }
    const different = others.filter(other => !isDeepStrictEqual(other, first))
    if (different.length > 0) {
      throw new Error(
        `${this.#taken.length} values were captured; take "values", or expect more so that one thing is found`,
      )
    }
    return first
  }

  /** What it took is given back where the work says that all else is not as expected. */
  during(isMet: () => boolean): boolean {
    const before = this.#taken
    const met = isMet()
    if (!met) this.#taken = before
    return met
  }

  toString(): string {
    return this.#pattern === undefined ? 'something to capture' : asymmetricText(this.#pattern)
  }

  toAsymmetricMatcher(): string {
    return this.toString()
  }
}

/** Whether an expectation is met; where it is not, captures among what it expects take nothing. */
export function capturing(expected: unknown, isMet: () => boolean): boolean {
  return capturesIn(expected).reduce((inner, each) => () => each.during(inner), isMet)()
}

/** The captures in an expected value, also within matchers of the test framework. */
export function capturesIn(expected: unknown, around: readonly object[] = []): readonly Taken<unknown>[] {
  if (expected instanceof Taken) return [expected]
  if (typeof expected !== 'object' || expected === null || around.includes(expected)) return []
  return Object.values(expected).flatMap(each => capturesIn(each, [...around, expected]))
}
