import { convert } from '../../../cty/convert.ts'
import type { Type } from '../../../cty/type.ts'
import { nothing } from '../../../cty/typed.ts'
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
    apply: ([value = nothing]) => convert(value, type),
  }
}
