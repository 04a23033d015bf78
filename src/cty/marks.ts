import { Unknown } from './unknown.ts'
import { isListValue, isObjectValue, Sensitive, type Value } from './value.ts'
import { mapMembers } from './walk-type.ts'

/** The first part of a value that is not known. */
export function findUnknown(value: Value): Unknown | undefined {
  return find(value, (each): each is Unknown => each instanceof Unknown)
}

/** The first part of a value that must not be shown. */
export function findSensitive(value: Value): Sensitive | undefined {
  return find(value, (each): each is Sensitive => each instanceof Sensitive)
}

/** Whether nothing in a value is still to be told by the apply. */
export function isWhollyKnown(value: Value): boolean {
  return findUnknown(value) === undefined
}

/** The value without the marks of what must not be shown. */
export function revealed(value: Value): Exclude<Value, Sensitive> {
  if (value instanceof Sensitive) return revealed(value.value)
  if (!findSensitive(value)) return value
  if (isListValue(value)) return value.map(revealed)
  return isObjectValue(value) ? mapMembers(value, revealed) : value
}

function find<Found extends Value>(
  value: Value,
  isWanted: (value: Value) => value is Found,
): Found | undefined {
  if (isWanted(value)) return value
  if (value instanceof Sensitive) return find(value.value, isWanted)
  const inside = isListValue(value) ? value : isObjectValue(value) ? Object.values(value) : []
  for (const each of inside) {
    const found = find(each, isWanted)
    if (found !== undefined) return found
  }
  return undefined
}
