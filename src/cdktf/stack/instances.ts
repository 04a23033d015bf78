import type { Expressions } from './expression-of.ts'
import { countOf, isNumber, truncate } from './language/big-float.ts'
import { convert } from './language/convert.ts'
import { evaluate, requireKnown } from './language/evaluate.ts'
import { findSensitive } from './language/marks.ts'
import { invalid, unsupported } from './language/refusal.ts'
import {
  isMembers,
  isSequence,
  nounOf,
  object,
  Sensitive,
  tuple,
  Unknown,
  type Value,
} from './language/value.ts'
import type { Block } from './stack-file.ts'
import { type LocalNames, stackScope, type WorkedOut } from './stack-scope.ts'

/** One of the objects that a resource stands for. */
export interface Instance {
  /** What comes after the address: nothing, `[0]` or `["a"]`. */
  readonly suffix: string
  readonly key?: string | number
  readonly local: LocalNames
}

/** The objects that a resource stands for, by its `count` or `for_each`. */
export function instancesOf(
  { body }: Block,
  workedOut: WorkedOut,
  expressions: Expressions,
): readonly Instance[] {
  const { count, for_each: forEach } = body
  const scope = stackScope(workedOut)
  if (count !== undefined && count !== null) {
    return countInstances(evaluate(expressions.of(count), scope))
  }
  if (forEach === undefined || forEach === null) return [{ suffix: '', local: {} }]
  return eachInstances(evaluate(expressions.of(forEach), scope))
}

/** What others see of a resource: the object, a list of them, or each under its key. */
export function together({ body }: Block, instances: readonly Instance[], objects: readonly Value[]): Value {
  const isCounted = body.count !== undefined && body.count !== null
  if (isCounted) return tuple(objects)
  const [first] = instances
  if (body.for_each === undefined || body.for_each === null) return objects[0] ?? null
  return first === undefined
    ? object([])
    : object(instances.map(({ key }, index) => [String(key), objects[index] ?? null]))
}

/** More would be a mistake, and take for ever. */
const mostInstances = 100_000

function countInstances(value: Value): Instance[] {
  const number = convert(requireKnown(value, 'the count'), 'number')
  if (!isNumber(number) || !number.isWhole || number.mantissa < 0n)
    throw invalid('the count is not a whole number from 0 on')
  const count = truncate(number)
  if (count > mostInstances) throw unsupported(`a count over ${mostInstances}`, 'declare fewer')
  return Array.from({ length: Number(count) }, (_, index) => ({
    suffix: `[${index}]`,
    key: index,
    local: { count: object([['index', countOf(index)]]) },
  }))
}

function eachInstances(value: Value): Instance[] {
  if (value instanceof Sensitive || (findSensitive(value) && !isMembers(value)))
    throw invalid('its keys are sensitive', 'take a value that may be shown')
  if (value instanceof Unknown) requireKnown(value, 'what it goes through')
  if (isMembers(value)) return [...value.members].map(([key, member]) => eachInstance(key, member))
  if (value === null || !isSequence(value) || value.is !== 'set')
    throw invalid(`${nounOf(value)} is neither a map nor a set of texts`, 'write toset([...]) around a list')
  return value.elements.map(element => {
    const key = requireKnown(element, 'a key')
    if (typeof key !== 'string') throw invalid('it goes through a set of something else than texts')
    return eachInstance(key, key)
  })
}

function eachInstance(key: string, value: Value): Instance {
  return {
    suffix: `[${JSON.stringify(key)}]`,
    key,
    local: {
      each: object([
        ['key', key],
        ['value', value],
      ]),
    },
  }
}
