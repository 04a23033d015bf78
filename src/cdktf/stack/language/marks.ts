import { Refusal } from './refusal.ts'
import { isMembers, isSequence, Sensitive, Unknown, type Value } from './value.ts'

/** The first value inside of one that only the service knows. */
export function findUnknown(value: Value): Unknown | undefined {
  return find(value, each => each instanceof Unknown) as Unknown | undefined
}

/** The first value inside of one that must not be shown. */
export function findSensitive(value: Value): Sensitive | undefined {
  return find(value, each => each instanceof Sensitive) as Sensitive | undefined
}

/** The value without the marks of what must not be shown. */
export function revealed(value: Value): Exclude<Value, Sensitive> {
  if (value instanceof Sensitive) return revealed(value.value)
  if (!findSensitive(value)) return value
  if (isSequence(value)) return { ...value, elements: value.elements.map(revealed) }
  if (isMembers(value))
    return {
      ...value,
      members: new Map([...value.members].map(([name, member]) => [name, revealed(member)])),
    }
  return value
}

/** Works with values that may be marked: what comes of marked ones is marked, and no failure tells what they are. */
export function unmarked(values: readonly Value[], work: (values: readonly Value[]) => Value): Value {
  const marked = values.map(findSensitive).find(value => value !== undefined)
  if (!marked) return work(values)
  try {
    return concealed(work(values.map(revealed)), marked.origin)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    throw new Refusal(error.is, `what ${marked.origin} holds, which is sensitive, does not fit here`)
  }
}

export function concealed(value: Value, origin: string): Sensitive {
  return new Sensitive(revealed(value), origin)
}

function find(value: Value, accepts: (value: Value) => boolean): Value | undefined {
  if (accepts(value)) return value
  if (value instanceof Sensitive) return find(value.value, accepts)
  const inside = isSequence(value) ? value.elements : isMembers(value) ? value.members.values() : []
  for (const each of inside) {
    const found = find(each, accepts)
    if (found !== undefined) return found
  }
  return undefined
}
