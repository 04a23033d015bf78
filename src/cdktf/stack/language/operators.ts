import type { BigFloat } from './big-float.ts'
import { add, compare, divide, isNumber, multiply, negate, remainder, subtract } from './big-float.ts'
import { convert } from './convert.ts'
import { findUnknown } from './marks.ts'
import { invalid } from './refusal.ts'
import type { BinaryOperator, UnaryOperator } from './syntax.ts'
import type { PrimitiveType } from './type.ts'
import { isSameValue, Unknown, type Value } from './value.ts'

export function applyUnary(operator: UnaryOperator, operand: Value): Value {
  const type = operator === '!' ? 'bool' : 'number'
  const [value, unknown] = operands([operand], type, operator)
  if (unknown) return new Unknown(type, unknown.origin)
  if (operator === '!') return value[0] !== true
  return negate(numberOf(value[0]))
}

export function applyBinary(operator: BinaryOperator, left: Value, right: Value): Value {
  if (operator === '==' || operator === '!=') return equality(operator, left, right)
  const { of, gives, apply } = binary[operator]
  const [values, unknown] = operands([left, right], of, operator)
  if (unknown) return new Unknown(gives, unknown.origin)
  const [one = null, other = null] = values
  return apply(one, other)
}

interface Row {
  readonly of: PrimitiveType
  readonly gives: PrimitiveType
  readonly apply: (left: Value, right: Value) => Value
}

const arithmetic = (apply: (left: BigFloat, right: BigFloat) => BigFloat): Row => ({
  of: 'number',
  gives: 'number',
  apply: (left, right) => apply(numberOf(left), numberOf(right)),
})
const comparison = (holds: (difference: number) => boolean): Row => ({
  of: 'number',
  gives: 'bool',
  apply: (left, right) => holds(compare(numberOf(left), numberOf(right))),
})
const logic = (apply: (left: boolean, right: boolean) => boolean): Row => ({
  of: 'bool',
  gives: 'bool',
  apply: (left, right) => apply(left === true, right === true),
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

function equality(operator: '==' | '!=', left: Value, right: Value): Value {
  const unknown = findUnknown(left) ?? findUnknown(right)
  if (unknown) return new Unknown('bool', unknown.origin)
  return isSameValue(left, right) === (operator === '==')
}

function operands(
  given: readonly Value[],
  type: PrimitiveType,
  operator: string,
): readonly [readonly Value[], Unknown | undefined] {
  if (given.includes(null)) throw invalid(`"${operator}" has nothing to work with: an operand is null`)
  const values = given.map(value => convert(value, type))
  const unknown = values.find(value => value instanceof Unknown)
  return [values, unknown instanceof Unknown ? unknown : undefined]
}

function numberOf(value: Value | undefined): BigFloat {
  if (value !== undefined && isNumber(value)) return value
  throw invalid('a number is needed')
}
