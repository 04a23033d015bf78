import {
  convert,
  countOf,
  evaluateDeclared,
  findSensitive,
  invalid,
  isListValue,
  isNumber,
  isObjectValue,
  membersOf,
  nothing,
  nounOf,
  object,
  ofNumber,
  ofText,
  requireKnown,
  type Scope,
  Sensitive,
  type Typed,
  truncate,
  tuple,
  Unknown,
  unsupported,
} from '../../hcl/index.ts'

import type { Expressions } from '../read/expression-of.ts'
import type { Block } from '../read/stack-file.ts'
import type { LocalNames } from './stack-scope.ts'

/** One of the objects that a resource stands for. */
export interface Instance {
  /** What comes after the address: nothing, `[0]` or `["a"]`. */
  readonly suffix: string
  readonly key?: string | number
  readonly local: LocalNames
}

/** The objects that a resource stands for, by its `count` or `for_each`. */
export function instancesOf({ body }: Block, scope: Scope, expressions: Expressions): readonly Instance[] {
  const { count, for_each: forEach } = body
  if (count !== undefined) return countInstances(evaluateDeclared(expressions.of(count), scope))
  if (forEach === undefined) return [{ suffix: '', local: {} }]
  return eachInstances(evaluateDeclared(expressions.of(forEach), scope))
}

/** Whether a block stands for several objects, even if that is none or one of them. */
export function isRepeated({ body }: Block): boolean {
  return body.count !== undefined || body.for_each !== undefined
}

/** What others see of a resource or a module: the object, a list of them, or each under its key. */
export function together({ body }: Block, instances: readonly Instance[], objects: readonly Typed[]): Typed {
  if (body.count !== undefined) return tuple(objects)
  const [first] = instances
  if (body.for_each === undefined) return objects[0] ?? nothing
  return first === undefined
    ? object([])
    : object(instances.map(({ key }, index) => [String(key), objects[index] ?? nothing]))
}

/** More is never meant, and would take for ever. */
const mostInstances = 100_000

function countInstances(value: Typed): Instance[] {
  requireKnown(value.plain, 'the count')
  const { plain: number } = convert(value, 'number')
  if (!isNumber(number) || !number.isWhole || number.mantissa < 0n)
    throw invalid('the count is not a whole number from 0 on')
  const count = truncate(number)
  if (count > mostInstances) throw unsupported(`a count over ${mostInstances}`, 'declare fewer')
  return Array.from({ length: Number(count) }, (_, index) => ({
    suffix: `[${index}]`,
    key: index,
    local: { count: object([['index', ofNumber(countOf(index))]]) },
  }))
}

function eachInstances(value: Typed): Instance[] {
  const { type, plain } = value
  if (plain instanceof Sensitive || (findSensitive(plain) && !isObjectValue(plain)))
    throw invalid('its keys are sensitive', 'take a value that may be shown')
  if (plain instanceof Unknown) requireKnown(plain, 'what it goes through')
  const named = membersOf(value)
  if (named) return [...named.members].map(([key, member]) => eachInstance(key, member))
  if (!isListValue(plain) || type[0] !== 'set')
    throw invalid(`${nounOf(value)} is neither a map nor a set of texts`, 'write toset([...]) around a list')
  return plain.map(element => {
    const key = requireKnown(element, 'a key')
    if (typeof key !== 'string') throw invalid('it goes through a set of something else than texts')
    return eachInstance(key, ofText(key))
  })
}

function eachInstance(key: string, value: Typed): Instance {
  return {
    suffix: `[${JSON.stringify(key)}]`,
    key,
    local: {
      each: object([
        ['key', ofText(key)],
        ['value', value],
      ]),
    },
  }
}
