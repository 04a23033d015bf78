import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../model/json/json.ts'
import { pointerOf } from '../../model/json/pointer.ts'
import { textOfLiteral } from '../../model/text/literal-template.ts'
import { type Asymmetric, containerSample, isAsymmetric } from './asymmetric.ts'
import { InAnyOrder } from './in-any-order.ts'

/** The equality of the test framework, which knows `expect.any` and its like. */
export type Equals = (actual: unknown, expected: unknown) => boolean

export interface Difference {
  /** Where: `/release/0/rollout_percentage`. */
  readonly pointer: string
  readonly expected: unknown
  /** Undefined where there is nothing. */
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

/** What an asymmetric matcher is shown: text as it was meant, and what is in it where that is looked for. */
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

/** What JSON text means, where it is an object or a list. */
function meaningOf(text: string): JsonObject | readonly Json[] | undefined {
  try {
    // JSON text holds nothing but JSON.
    const value = JSON.parse(textOfLiteral(text)) as Json
    return isJsonObject(value) || isJsonArray(value) ? value : undefined
  } catch {
    return undefined
  }
}
