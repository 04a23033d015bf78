import { convert, convertAll } from '../convert.ts'
import { invalid } from '../refusal.ts'
import { isSequence, Unknown, type Value } from '../value.ts'
import { type FunctionRows, sequenceAt } from './function-row.ts'

export const choiceFunctions: FunctionRows = {
  coalesce: {
    least: 1,
    most: Number.POSITIVE_INFINITY,
    takesNull: true,
    movesUnknown: true,
    apply: coalesce,
  },
  coalescelist: {
    least: 1,
    most: Number.POSITIVE_INFINITY,
    apply: given => {
      const found = given.find(value => isSequence(value) && value.elements.length > 0)
      if (found === undefined) throw invalid('all of its lists are empty')
      return found
    },
  },
  alltrue: { least: 1, gives: 'bool', apply: given => words(given).every(word => word) },
  anytrue: { least: 1, gives: 'bool', apply: given => words(given).some(word => word) },
}

function coalesce(given: readonly Value[]): Value {
  const { values } = convertAll(given, 'its arguments')
  const found = values.find(value => value !== null && value !== '')
  if (found === undefined || found === null) throw invalid('all of its arguments are null or empty')
  if (found instanceof Unknown) return new Unknown(found.type, found.origin)
  return found
}

function words(given: readonly Value[]): boolean[] {
  const all = convert(sequenceAt(given, 0), { is: 'list', of: 'bool' })
  return isSequence(all) ? all.elements.map(word => word === true) : []
}
