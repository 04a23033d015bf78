import { convert, textOf } from '../values/convert.ts'
import {
  add,
  BigFloat,
  compare,
  divide,
  isNumber,
  multiply,
  negate,
  remainder,
  subtract,
  truncate,
} from '../values/number.ts'
import { invalid, type Refusal, unsupported } from '../values/refusal.ts'
import { attributeType, type PrimitiveType, type Type } from '../values/type.ts'
import {
  elementIn,
  isSame,
  memberIn,
  nothing,
  nounOf,
  ofBool,
  ofNumber,
  type Typed,
  unknownOf,
  unmarked,
} from '../values/typed.ts'
import {
  findSensitive,
  findUnknown,
  isListValue,
  isObjectValue,
  revealed,
  Sensitive,
  Unknown,
  type Value,
} from '../values/value.ts'
import type { BinaryOperator, KnownStep, UnaryOperator } from './expression.ts'

export function applyUnary(operator: UnaryOperator, operand: Typed): Typed {
  const type = operator === '!' ? 'bool' : 'number'
  const [value, unknown] = operands([operand], type, operator)
  if (unknown) return unknownOf(type, unknown.origin)
  return operator === '!' ? ofBool(value[0]?.plain !== true) : ofNumber(negate(numberOf(value[0])))
}

export function applyBinary(operator: BinaryOperator, left: Typed, right: Typed): Typed {
  if (operator === '==' || operator === '!=') return equality(operator, left, right)
  const { of, gives, apply } = binary[operator]
  const [values, unknown] = operands([left, right], of, operator)
  if (unknown) return unknownOf(gives, unknown.origin)
  const [one = nothing, other = nothing] = values
  return apply(one, other)
}

interface Row {
  readonly of: PrimitiveType
  readonly gives: PrimitiveType
  readonly apply: (left: Typed, right: Typed) => Typed
}

const arithmetic = (apply: (left: BigFloat, right: BigFloat) => BigFloat): Row => ({
  of: 'number',
  gives: 'number',
  apply: (left, right) => ofNumber(apply(numberOf(left), numberOf(right))),
})
const comparison = (holds: (difference: number) => boolean): Row => ({
  of: 'number',
  gives: 'bool',
  apply: (left, right) => ofBool(holds(compare(numberOf(left), numberOf(right)))),
})
const logic = (apply: (left: boolean, right: boolean) => boolean): Row => ({
  of: 'bool',
  gives: 'bool',
  apply: (left, right) => ofBool(apply(left.plain === true, right.plain === true)),
})

const binary: Readonly<Record<Exclude<BinaryOperator, '==' | '!='>, Row>> = {
  '||': logic((left, right) => left || right),
  '&&': logic((left, right) => left && right),
  '<': comparison(difference => difference < 0),
  '<=': comparison(difference => difference <= 0),
  '>': comparison(difference => difference > 0),
  '>=': comparison(difference => difference >= 0),
  '+': arithmetic(add),
  '-': arithmetic(subtract),
  '*': arithmetic(multiply),
  '/': arithmetic(divide),
  '%': arithmetic(remainder),
}

function equality(operator: '==' | '!=', left: Typed, right: Typed): Typed {
  const unknown = findUnknown(left.plain) ?? findUnknown(right.plain)
  if (unknown) return unknownOf('bool', unknown.origin)
  return ofBool(isSame(left, right) === (operator === '=='))
}

function operands(
  given: readonly Typed[],
  type: PrimitiveType,
  operator: string,
): readonly [readonly Typed[], Unknown | undefined] {
  if (given.some(({ plain }) => plain === null))
    throw invalid(`"${operator}" has nothing to work with: an operand is null`)
  const values = given.map(value => convert(value, type))
  return [values, values.map(({ plain }) => plain).find(plain => plain instanceof Unknown)]
}

function numberOf(value: Typed | undefined): BigFloat {
  if (value?.plain instanceof BigFloat) return value.plain
  throw invalid('a number is needed')
}

/** A part of a value, by its name or by the value in brackets. Throws a refusal if there is no such part. */
export function into(value: Typed, { index, isNamed }: KnownStep): Typed {
  const unknown = [value.plain, index.plain].find(plain => plain instanceof Unknown)
  if (unknown) return unknownOf(typeInside(value, { index, isNamed }), unknown.origin)
  if (isObjectValue(value.plain)) {
    const name = textOf(index.plain)
    const found = name === undefined ? undefined : memberIn(value, name)
    if (found === undefined)
      throw invalid(`there is no member ${JSON.stringify(name ?? null)} in ${nounOf(value)}`)
    return found
  }
  if (isListValue(value.plain) && value.type[0] !== 'set' && !isNamed) {
    const { plain: position } = convert(index, 'number')
    const found =
      isNumber(position) && position.isWhole ? elementIn(value, Number(truncate(position))) : undefined
    if (found === undefined)
      throw invalid(`there is no such element in ${nounOf(value)} of ${value.plain.length}`)
    return found
  }
  throw invalid(
    `${nounOf(value)} has no ${isNamed ? `member ${JSON.stringify(index.plain)}` : 'elements to choose from'}`,
  )
}

/** The type of a part of an unknown value; throws a refusal if it cannot have parts. */
function typeInside(value: Typed, { index, isNamed }: KnownStep): Type {
  const { type } = value
  const { plain } = index
  if (type === 'dynamic') return type
  if (typeof type === 'string') throw invalid(`${nounOf(value)} has nothing in it`)
  switch (type[0]) {
    case 'map':
      return type[1]
    case 'object':
      // For brackets, Terraform looks for a member only after the object is known.
      if (!isNamed || typeof plain !== 'string') return 'dynamic'
      if (Object.hasOwn(type[1], plain)) return attributeType(type, plain)
      throw invalid(`there is no member ${JSON.stringify(plain)} in ${nounOf(value)}`)
    case 'list':
    case 'tuple':
      if (isNamed) break
      convert(index, 'number')
      return type[0] === 'list' ? type[1] : 'dynamic'
  }
  throw invalid(`${nounOf(value)} has nothing like that in it`)
}

/** The result of a condition, and the mark of its sensitive parts. */
export interface Condition {
  readonly holds: boolean | Unknown
  readonly mark: Sensitive | undefined
}

/** A value as a condition; the error for a sensitive value does not show it. */
export function conditionOf(value: Typed): Condition {
  const { plain } = unmarked([value], ([shown = nothing]) => convert(shown, 'bool'))
  const holds = revealed(plain)
  if (holds === null) throw invalid('a condition is null')
  return {
    holds: holds instanceof Unknown ? holds : holds === true,
    mark: plain instanceof Sensitive ? plain : undefined,
  }
}

/** The refusal of a value that only the service knows. */
export function notKnown({ origin }: Unknown, where: string): Refusal {
  return unsupported(
    `${where} comes from ${origin}, which only the service knows`,
    'take a value that the stack sets itself, or run this stack with Terraform',
  )
}

/** A value that is wholly known and may be shown. */
export function requireKnown(value: Value, where: string): Exclude<Value, Sensitive> {
  const unknown = findUnknown(value)
  if (unknown) throw notKnown(unknown, where)
  const sensitive = findSensitive(value)
  if (!sensitive) return revealed(value)
  throw unsupported(
    `${where} comes from ${sensitive.origin}, which is sensitive, and a plan would show it`,
    'declare it without `sensitive`, or wrap it in nonsensitive(...)',
  )
}
