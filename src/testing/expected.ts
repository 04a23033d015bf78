import { isDeepStrictEqual } from 'node:util'
import { textOfLiteral } from '../hcl/literal-template.ts'
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../model/text/json.ts'
import { pointerOf } from '../model/text/pointer.ts'
import { isOrderFree } from '../targeting/index.ts'

/** The equality of the test framework, which knows `expect.any` and its like. */
export type Equals = (actual: unknown, expected: unknown) => boolean

/** What a matcher is called on, in vitest as in jest. */
export interface MatcherContext {
  readonly equals: Equals
}

export interface Difference {
  /** The place: `/release/0/rollout_percentage`. */
  readonly pointer: string
  readonly expected: unknown
  /** Undefined if there is nothing. */
  readonly actual: unknown
}

/**
 * What of the expected is not in the actual value. Objects may hold more than is expected, lists and sets may not. Text
 * that is JSON is compared by what it means, with an object, a list, or other text.
 */
export function differencesIn(
  actual: Json | undefined,
  expected: unknown,
  equals: Equals,
): readonly Difference[] {
  return differencesAt('', actual, expected, equals)
}

function differencesAt(
  pointer: string,
  actual: Json | undefined,
  expected: unknown,
  equals: Equals,
): readonly Difference[] {
  const different = [{ pointer, expected, actual }]
  if (isAsymmetric(expected)) return equals(readable(actual, expected), expected) ? [] : different
  if (typeof expected === 'string') return isSameText(actual, expected, equals) ? [] : different
  if (typeof expected !== 'object' || expected === null) return equals(actual, expected) ? [] : different
  const value = typeof actual === 'string' ? meaningOf(actual) : actual
  if (expected instanceof InAnyOrder) {
    const isMet = (one: Json, each: unknown) => differencesAt('', one, each, equals).length === 0
    return expected.isMetBy(value, isMet) ? [] : different
  }
  if (Array.isArray(expected)) {
    if (value === undefined || !isJsonArray(value) || value.length !== expected.length) return different
    return expected.flatMap((each, at) => differencesAt(`${pointer}/${at}`, value[at], each, equals))
  }
  if (value === undefined || !isJsonObject(value)) return different
  return Object.entries(expected).flatMap(([name, each]) => {
    const wanted: unknown = each instanceof InAnyOrder ? each.within(value) : each
    return differencesAt(`${pointer}${pointerOf(name)}`, value[name], wanted, equals)
  })
}

/** The value for an asymmetric matcher: text as it is, or its parsed content if the matcher looks into it. */
function readable(actual: Json | undefined, matcher: Asymmetric): unknown {
  if (typeof actual !== 'string') return actual
  return (containerSample(matcher) && meaningOf(actual)) ?? textOfLiteral(actual)
}

function isSameText(actual: Json | undefined, expected: string, equals: Equals): boolean {
  if (typeof actual !== 'string') return false
  if (actual === expected || textOfLiteral(actual) === expected) return true
  const [left, right] = [meaningOf(actual), meaningOf(expected)]
  return left !== undefined && right !== undefined && equals(left, right)
}

/** The value of JSON text, if it is an object or a list. */
function meaningOf(text: string): JsonObject | readonly Json[] | undefined {
  try {
    // JSON text holds nothing but JSON.
    const value = JSON.parse(textOfLiteral(text)) as Json
    return isJsonObject(value) || isJsonArray(value) ? value : undefined
  } catch {
    return undefined
  }
}

/**
 * Elements of a set, which have no order and no duplicates: tags, for example. The same is true of the values
 * of a property with most operators; with `between` and similar ones they have an order.
 */
export class InAnyOrder {
  readonly elements: readonly unknown[]
  readonly of: 'set' | 'values'

  constructor(elements: readonly unknown[], of: 'set' | 'values') {
    this.elements = elements
    this.of = of
  }

  /** What is expected of an object that has the elements: they in any order, or in theirs. */
  within(owner: JsonObject): InAnyOrder | readonly unknown[] {
    return this.of === 'set' || isOrderFree(owner) ? this : this.elements
  }

  isMetBy(actual: Json | undefined, isMet: (actual: Json, expected: unknown) => boolean): boolean {
    if (actual === undefined || !isJsonArray(actual)) return false
    const left = [...new Set(actual)]
    const expected = [...new Set(this.elements)]
    // Plain values are matched first, so that no matcher uses up their elements.
    for (const each of expected.filter(isPlain)) {
      const at = left.findIndex(one => isMet(one, each))
      if (at < 0) return false
      left.splice(at, 1)
    }
    const others = expected.filter(each => !isPlain(each))
    if (left.length !== others.length) return false
    // A capture takes every value that it gets, so it gets only one.
    if (capturesIn(others).length > 0) return left.every((one, at) => isMet(one, others[at]))
    return isPairing(others.map(each => left.map(one => isMet(one, each))))
  }

  /** As messages show it. */
  toJSON(): readonly unknown[] {
    return this.elements
  }
}

function isPlain(expected: unknown): boolean {
  return typeof expected !== 'object' || expected === null
}

/** Whether each row can have a column of its own among those that suit it. */
function isPairing(suits: readonly (readonly boolean[])[]): boolean {
  const rowOf = new Map<number, number>()
  const place = (row: number, tried: Set<number>): boolean =>
    (suits[row] ?? []).some((isSuited, column) => {
      if (!isSuited || tried.has(column)) return false
      tried.add(column)
      const holder = rowOf.get(column)
      if (holder !== undefined && !place(holder, tried)) return false
      rowOf.set(column, row)
      return true
    })
  return suits.every((_, row) => place(row, new Set()))
}

/** May be anywhere among expected values, and takes the found value in its place. */
export interface Capture<T = unknown> extends Asymmetric {
  /** The taken value. Throws if there is none, or more than one. */
  readonly value: T
  /** All taken values, in the order of the stack, one for each object that is as expected. */
  readonly values: readonly T[]
}

/**
 * A capture, which expects any value. A matcher can restrict it: `capture(expect.stringMatching(/^a/))`.
 * The taken value is not checked against the type.
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
    // The caller of `capture` chooses the type.
    this.#taken = [...this.#taken, actual as T]
    return true
  }

  get values(): readonly T[] {
    return this.#taken
  }

  get value(): T {
    const [first, ...others] = this.#taken
    if (first === undefined) {
      throw new Error('nothing was captured: no expectation with this capture has passed yet')
    }
    const different = others.filter(other => !isDeepStrictEqual(other, first))
    if (different.length > 0) {
      throw new Error(
        `${this.#taken.length} values were captured; use "values", or make the expectation match only one`,
      )
    }
    return first
  }

  /** The capture drops the taken value again if the rest is not as expected. */
  during(isMet: () => boolean): boolean {
    const before = this.#taken
    const met = isMet()
    if (!met) this.#taken = before
    return met
  }

  toString(): string {
    return this.#pattern === undefined ? 'any value' : asymmetricText(this.#pattern)
  }

  toAsymmetricMatcher(): string {
    return this.toString()
  }
}

/** Whether an expectation is met; if not, captures in it take nothing. */
export function capturing(expected: unknown, isMet: () => boolean): boolean {
  return capturesIn(expected).reduce((inner, each) => () => each.during(inner), isMet)()
}

/** The captures in an expected value, also within matchers of the test framework. */
function capturesIn(expected: unknown, around: readonly object[] = []): readonly Taken<unknown>[] {
  if (expected instanceof Taken) return [expected]
  if (typeof expected !== 'object' || expected === null || around.includes(expected)) return []
  return Object.values(expected).flatMap(each => capturesIn(each, [...around, expected]))
}

/** What decides by itself whether a value is as expected: `expect.any(String)` of either test framework, and ours. */
export interface Asymmetric {
  asymmetricMatch(actual: unknown): boolean
}

export function isAsymmetric(expected: unknown): expected is Asymmetric {
  return typeof expected === 'object' && expected !== null && 'asymmetricMatch' in expected
}

/**
 * What a matcher expects inside of an object or a list, if it is `objectContaining`, `arrayContaining` or
 * `arrayOf` of `expect`, also behind `expect.not`. Both frameworks keep it as `sample`.
 */
export function containerSample(matcher: Asymmetric): unknown {
  return /^(Not)?(Object|Array)(Not)?(Containing|Of)$/.test(String(matcher))
    ? Reflect.get(matcher, 'sample')
    : undefined
}

/** The same matcher over something else. */
export function withSample(matcher: Asymmetric, sample: unknown): Asymmetric {
  return Object.assign(Object.create(Object.getPrototypeOf(matcher)), matcher, { sample })
}

/** The matcher in a message: with what it looks for, if it shows that. */
export function asymmetricText(matcher: Asymmetric): string {
  const own: unknown = Reflect.get(matcher, 'toAsymmetricMatcher')
  if (typeof own === 'function') return String(own.call(matcher))
  const sample: unknown = Reflect.get(matcher, 'sample')
  const text = sample instanceof RegExp ? String(sample) : JSON.stringify(sample)
  return text === undefined ? String(matcher) : `${matcher} ${text}`
}

class Absent implements Asymmetric {
  /** By this the test frameworks know how to print it. */
  readonly $$typeof = Symbol.for('jest.asymmetricMatcher')

  asymmetricMatch(actual: unknown): boolean {
    return actual === undefined || actual === null
  }

  toString(): string {
    return 'nothing'
  }

  toAsymmetricMatcher(): string {
    return 'nothing'
  }
}

/** Expects that an attribute is not set: `toHaveResource(Flag, { projectId: absent() })`. */
export function absent(): Asymmetric {
  return new Absent()
}

/**
 * Refuses what the test framework's own matchers would get wrong without a word: `expect.objectContaining` looks at no
 * member that is not there, and `expect.arrayContaining` tries elements that are not those it finds.
 */
export function requireUsable(expected: unknown): void {
  if (typeof expected !== 'object' || expected === null) return
  const sample = isAsymmetric(expected) ? containerSample(expected) : undefined
  if (isAsymmetric(expected) && sample === undefined) return
  const members: readonly unknown[] = Object.values(sample ?? expected)
  if (sample !== undefined && members.some(member => member instanceof Absent)) {
    throw new Error(
      `absent() does not work within ${expected}; expect a plain object, which may have other members`,
    )
  }
  if (sample !== undefined && String(expected) !== 'ObjectContaining' && capturesIn(sample).length > 0) {
    throw new Error(
      `a capture does not work within ${expected}, which tries several values; capture the whole value`,
    )
  }
  for (const member of members) requireUsable(member)
}
