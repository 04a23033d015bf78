import { add, BigFloat, compare, divide, multiply, negate, remainder, subtract } from '../../cty/big-float.ts'
import { convert } from '../../cty/convert.ts'
import { invalid } from '../../cty/invalid-value.ts'
import { findUnknown } from '../../cty/marks.ts'
import type { PrimitiveType } from '../../cty/type.ts'
import { isSame, nothing, ofBool, ofNumber, type Typed, unknownOf } from '../../cty/typed.ts'
import { Unknown } from '../../cty/unknown.ts'
import type { BinaryOperator, UnaryOperator } from './syntax.ts'

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
