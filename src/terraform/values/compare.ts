import type { AttributePath } from './attribute-path.ts'
import { numberText } from './big-num.ts'
import { type Type, typeText } from './type.ts'
import { Unknown } from './unknown.ts'
import { Dynamic, isListValue, isNumberValue, isObjectValue, type Value } from './value.ts'
import { hasSameKeys, mapElements, memberOf } from './walk-type.ts'

/**
 * Whether Terraform would call two values of a type the same. Sets have no order; an unknown is like any other,
 * whatever is known of either.
 */
export function isSameValue(type: Type, left: Value, right: Value): boolean {
  return left === right || valueText(type, left) === valueText(type, right)
}

/**
 * Where two values of a type differ, each place as deep as a path can name it. It stops at a set, whose elements have
 * no place, and at a list or map that gained or lost some.
 */
export function compareValues(
  type: Type,
  before: Value,
  after: Value,
  path: AttributePath = [],
): readonly AttributePath[] {
  if (isSameValue(type, before, after)) return []
  if (typeof type === 'string') return [path]
  switch (type[0]) {
    case 'set':
      return [path]
    case 'object':
      if (!isObjectValue(before) || !isObjectValue(after)) return [path]
      return Object.entries(type[1]).flatMap(([name, of]) =>
        compareValues(of, memberOf(before, name), memberOf(after, name), [...path, name]),
      )
    case 'map':
      if (!isObjectValue(before) || !isObjectValue(after)) return [path]
      if (!hasSameKeys(before, after)) return [path]
      return Object.keys(before).flatMap(key =>
        compareValues(type[1], memberOf(before, key), memberOf(after, key), [...path, { key }]),
      )
    case 'list': {
      const [, of] = type
      return compareElements(() => of, before, after, path)
    }
    case 'tuple': {
      const [, of] = type
      return compareElements(index => of[index] ?? 'dynamic', before, after, path)
    }
    default:
      return type satisfies never
  }
}

/** A text that two values share exactly when they are the same. */
export function valueText(type: Type, value: Value): string {
  if (value instanceof Unknown) return 'unknown'
  if (value instanceof Dynamic) return `${typeText(value.type)}:${valueText(value.type, value.value)}`
  if (isNumberValue(value)) return numberText(value)
  if (value === null || typeof type === 'string') return JSON.stringify(value)
  const elements = mapElements(type, value, [], valueText)
  if (isTexts(elements))
    return `[${(type[0] === 'set' ? [...new Set(elements)].sort() : elements).join(',')}]`
  const members = Object.entries(elements).sort(([left], [right]) => (left < right ? -1 : 1))
  return `{${members.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}`
}

function compareElements(
  typeAt: (index: number) => Type,
  before: Value,
  after: Value,
  path: AttributePath,
): readonly AttributePath[] {
  if (!isListValue(before) || !isListValue(after) || before.length !== after.length) return [path]
  return before.flatMap((element, index) =>
    compareValues(typeAt(index), element, after[index] ?? null, [...path, index]),
  )
}

/** `Array.isArray` that keeps the readonly element type. */
function isTexts(elements: unknown): elements is readonly string[] {
  return Array.isArray(elements)
}
