import { convert } from '../convert.ts'
import { invalid } from '../refusal.ts'
import type { Type } from '../type.ts'
import { isMembers, isSequence, nounOf, type Value } from '../value.ts'
import type { FunctionRow, FunctionRows } from './function-row.ts'

export const conversionFunctions: FunctionRows = {
  tostring: to('string'),
  tonumber: to('number'),
  tobool: to('bool'),
  tolist: to({ is: 'list', of: 'any' }),
  toset: to({ is: 'set', of: 'any' }),
  tomap: to({ is: 'map', of: 'any' }),
}

function to(type: Type): FunctionRow {
  return {
    least: 1,
    gives: type,
    takesNull: true,
    // A set may turn out to hold fewer elements once they are known.
    ...(typeof type === 'object' && type.is !== 'set' ? { movesUnknown: true as const } : {}),
    apply: ([value = null]) => {
      if (typeof type === 'object' && type.is === 'list') requireOrder(value)
      return convert(value, type)
    },
  }
}

/** The order of a set of anything but texts, numbers and bools is nobody's promise. */
function requireOrder(value: Value): void {
  if (!isSequence(value) || value.is !== 'set' || value.elements.length < 2) return
  if (value.elements.some(element => isSequence(element) || isMembers(element)))
    throw invalid(`${nounOf(value)} of such values has no order`)
}
