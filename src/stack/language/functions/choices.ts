import { convert } from '../../../cty/convert.ts'
import { invalid } from '../../../cty/invalid-value.ts'
import type { Type } from '../../../cty/type.ts'
import { nothing, ofBool, sequenceOf, type Typed, unknownOf } from '../../../cty/typed.ts'
import { unify } from '../../../cty/unify.ts'
import { Unknown } from '../../../cty/unknown.ts'
import { isListValue } from '../../../cty/value.ts'
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
    // A list that is null is passed over.
    takesNull: true,
    apply: given => {
      for (const [index, { plain }] of given.entries()) {
        if (plain === null) continue
        const { is } = sequenceAt(given, index)
        if (is === 'set') throw invalid(`argument ${index + 1} is a set and not a list`)
      }
      const found = given.find(({ plain }) => isListValue(plain) && plain.length > 0)
      if (found === undefined) throw invalid('all of its lists are empty')
      return found
    },
  },
  alltrue: { least: 1, gives: 'bool', apply: given => ofBool(words(given).every(word => word)) },
  anytrue: { least: 1, gives: 'bool', apply: given => ofBool(words(given).some(word => word)) },
}

function coalesce(given: readonly Typed[]): Typed {
  const of = coalescedType(given.map(({ type }) => type))
  if (of === undefined) throw invalid('its arguments are of types that do not go together')
  // What comes behind the one that is taken need not fit.
  for (const value of given) {
    const found = convert(value, of)
    if (found.plain === null || found.plain === '') continue
    return found.plain instanceof Unknown ? unknownOf(found.type, found.plain.origin) : found
  }
  throw invalid('all of its arguments are null or empty')
}

/**
 * The type of the result. Beside a null without a type, lists or objects of one sort stay as they are, and so does what has no type
 * in common; but no list ever goes with an object.
 */
function coalescedType(types: readonly Type[]): Type | undefined {
  const known = types.filter(type => type !== 'dynamic')
  if (known.length === types.length) return unify(types)
  const sorts = new Set(known.map(type => (typeof type === 'string' ? '' : type[0])))
  if (sorts.size === 1 && !sorts.has('')) return 'dynamic'
  if (sorts.has('object') && sorts.has('tuple')) return undefined
  return unify(known) ?? 'dynamic'
}

function words(given: readonly Typed[]): boolean[] {
  // What is no list is refused in the words that this has for it.
  sequenceAt(given, 0)
  const all = sequenceOf(convert(given[0] ?? nothing, ['list', 'bool']))
  return all?.elements.map(({ plain }) => plain === true) ?? []
}
