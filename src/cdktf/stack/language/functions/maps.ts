import { convert } from '../convert.ts'
import { invalid } from '../refusal.ts'
import { isSameType } from '../type.ts'
import { list, map, object, tuple, type Value } from '../value.ts'
import { type FunctionRows, membersAt, sequenceAt, textAt, textsAt } from './function-row.ts'

export const mapFunctions: FunctionRows = {
  keys: {
    least: 1,
    movesUnknown: true,
    apply: given => {
      const { is, members } = membersAt(given, 0)
      return is === 'map' ? list([...members.keys()], 'string') : tuple([...members.keys()])
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

function merge(given: readonly Value[]): Value {
  const all = given.filter(value => value !== null)
  const maps = all.map((_, index) => membersAt(all, index))
  const members = maps.flatMap(({ members: own }) => [...own])
  if (maps.length === 0 || maps.some(({ is }) => is === 'object')) return object(members)
  const [first] = maps
  const isOneType = first !== undefined && maps.every(({ of }) => isSameType(of, first.of))
  return isOneType ? map(members, first.of) : object(members)
}

function lookup(given: readonly Value[]): Value {
  const { is, members, of } = membersAt(given, 0)
  const name = textAt(given, 1)
  const found = members.get(name)
  if (found !== undefined) return found
  if (given.length < 3) throw invalid(`there is no member ${JSON.stringify(name)}`)
  const [, , fallback = null] = given
  return is === 'map' ? convert(fallback, of) : fallback
}

function zipmap(given: readonly Value[]): Value {
  const names = textsAt(given, 0)
  const { is, elements, of } = sequenceAt(given, 1)
  if (is === 'set') throw invalid('argument 2 is a set and not a list')
  if (names.length !== elements.length)
    throw invalid(`there are ${names.length} names for ${elements.length} values`)
  const members = names.map((name, index) => [name, elements[index] ?? null] as const)
  return is === 'tuple' ? object(members) : map(members, of)
}
