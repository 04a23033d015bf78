import type { Json } from '../../model/json.ts'
import { isNumber } from './language/big-float.ts'
import { invalid } from './language/refusal.ts'
import { isMembers, isSequence, type Value } from './language/value.ts'

/** A known value as JSON; numbers as near as JavaScript has them, which is what the provider sends as well. */
export function plainJson(value: Value): Json {
  if (isNumber(value)) return value.toNumber()
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (isSequence(value)) return value.elements.map(plainJson)
  if (isMembers(value))
    return Object.fromEntries([...value.members].map(([name, member]) => [name, plainJson(member)]))
  throw invalid('it is not known')
}
