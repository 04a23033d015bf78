import { convert } from '../../../../cty/convert.ts'
import { invalid } from '../../../../cty/invalid-value.ts'
import { elementType, isSameType } from '../../../../cty/type.ts'
import {
  list,
  map,
  memberIn,
  nothing,
  nounOf,
  object,
  ofText,
  type Typed,
  tuple,
} from '../../../../cty/typed.ts'
import { isObjectValue } from '../../../../cty/value.ts'
import { type FunctionRows, membersAt, sequenceAt, textAt, textsAt } from '../function-row.ts'

export const mapFunctions: FunctionRows = {
  keys: {
    least: 1,
    movesUnknown: true,
    apply: given => {
      const { is, members } = membersAt(given, 0)
      const names = [...members.keys()].map(ofText)
      return is === 'map' ? list(names, 'string') : tuple(names)
    },
  },
  values: {
    least: 1,
    movesUnknown: true,
    apply: given => {
      const { is, members, of } = membersAt(given, 0)
      return is === 'map' ? list([...members.values()], of) : tuple([...members.values()])
    },
  },
  merge: { least: 0, most: Number.POSITIVE_INFINITY, takesNull: true, movesUnknown: true, apply: merge },
  lookup: { least: 2, most: 3, movesUnknown: true, takesNull: true, apply: lookup },
  zipmap: { least: 2, movesUnknown: true, apply: zipmap },
}

function merge(given: readonly Typed[]): Typed {
  const all = given.filter(({ plain }) => plain !== null)
  const maps = all.map((_, index) => membersAt(all, index))
  const members = maps.flatMap(({ members: own }) => [...own])
  if (maps.length === 0 || maps.some(({ is }) => is === 'object')) return object(members)
  const [first] = maps
  // Nobody says what type a null is of, so what it is put together with is no map.
  const isOneType =
    first !== undefined && all.length === given.length && maps.every(({ of }) => isSameType(of, first.of))
  return isOneType ? map(members, first.of) : object(members)
}

function lookup(given: readonly Typed[]): Typed {
  const [whole = nothing, , fallback] = given
  // Of a large map that many look into only one member is made.
  if (!isObjectValue(whole.plain)) throw invalid(`argument 1 is ${nounOf(whole)} and not a map`)
  const name = textAt(given, 1)
  // What does not go with the other members is refused even where it is not needed.
  const other = fallback && whole.type[0] === 'map' ? convert(fallback, elementType(whole.type)) : fallback
  const found = memberIn(whole, name) ?? other
  if (!found) throw invalid(`there is no member ${JSON.stringify(name)}`)
  return found
}

function zipmap(given: readonly Typed[]): Typed {
  const names = textsAt(given, 0)
  const { is, elements, of } = sequenceAt(given, 1)
  if (is === 'set') throw invalid('argument 2 is a set and not a list')
  if (names.length !== elements.length)
    throw invalid(`there are ${names.length} names for ${elements.length} values`)
  const members = names.map((name, index) => [name, elements[index] ?? nothing] as const)
  return is === 'tuple' ? object(members) : map(members, of)
}
