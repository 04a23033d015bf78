import { convert } from '../../../cty/convert.ts'
import { invalid } from '../../../cty/invalid-value.ts'
import type { Type } from '../../../cty/type.ts'
import { nothing, nounOf, type Typed } from '../../../cty/typed.ts'
import { isListValue, isObjectValue } from '../../../cty/value.ts'
import type { FunctionRow, FunctionRows } from './function-row.ts'

export const conversionFunctions: FunctionRows = {
  tostring: to('string'),
  tonumber: to('number'),
  tobool: to('bool'),
  tolist: to(['list', 'dynamic']),
  toset: to(['set', 'dynamic']),
  tomap: to(['map', 'dynamic']),
}

function to(type: Type): FunctionRow {
  return {
    least: 1,
    gives: type,
    takesNull: true,
    // A set may turn out to hold fewer elements once they are known.
    ...(typeof type !== 'string' && type[0] !== 'set' ? { movesUnknown: true as const } : {}),
    apply: ([value = nothing]) => {
      if (type[0] === 'list') requireOrder(value)
      return convert(value, type)
    },
  }
}

/** The order of a set of anything but texts, numbers and bools is nobody's promise. */
function requireOrder(value: Typed): void {
  const { type, plain } = value
  if (!isListValue(plain) || type[0] !== 'set' || plain.length < 2) return
  if (plain.some(element => isListValue(element) || isObjectValue(element)))
    throw invalid(`${nounOf(value)} of such values has no order`)
}
