import { convert } from '../values/convert.ts'
import { BigFloat, isNumber, truncate } from '../values/number.ts'
import { invalid, type Type } from '../values/type.ts'
import {
  list,
  type Members,
  membersOf,
  nounOf,
  ofBool,
  ofNumber,
  ofText,
  type Sequence,
  sequenceOf,
  type Typed,
} from '../values/typed.ts'

/** One function: the number of its arguments, and its result. */
export interface FunctionRow {
  readonly least: number
  readonly most: number
  /** The type of its result if an argument is unknown. */
  readonly gives: Type
  /** Whether arguments may be null. */
  readonly takesNull?: boolean
  /** Whether the function only moves values, so that some of them may be unknown. */
  readonly movesUnknown?: boolean
  readonly apply: (given: readonly Typed[]) => Typed
}

export type FunctionRows = Readonly<Record<string, FunctionRow>>

/** The kinds of parameters. Each is checked and converted in the same manner. */
interface Arguments {
  any: Typed
  text: string
  /** The elements of a collection as texts. */
  texts: string[]
  number: BigFloat
  whole: number
  /** A whole number of any size. */
  huge: bigint
  /** A list, a set or a tuple. */
  sequence: Sequence
  /** A list or a tuple. */
  ordered: Sequence
  /** A list, set or tuple, converted to a list. */
  list: Sequence
  /** A map or an object. */
  members: Members
}
type Kind = keyof Arguments

/** A parameter: of a kind, optional, or for all further arguments. */
type Parameter = Kind | `${Kind}?` | `...${Kind}`

type Given<Parameters extends readonly Parameter[]> = Parameters extends readonly [
  infer First,
  ...infer Others extends readonly Parameter[],
]
  ? First extends `...${infer Rest extends Kind}`
    ? readonly Arguments[Rest][]
    : First extends `${infer Optional extends Kind}?`
      ? readonly [Arguments[Optional] | undefined, ...Given<Others>]
      : First extends Kind
        ? readonly [Arguments[First], ...Given<Others>]
        : never
  : readonly []

/** Defines a function: its parameters, its result type, and the work with the converted arguments. */
export function row<const Parameters extends readonly Parameter[]>(
  parameters: Parameters,
  gives: Type,
  work: (...given: Given<Parameters>) => string | boolean | BigFloat | Typed,
  more: Pick<FunctionRow, 'takesNull' | 'movesUnknown'> = {},
): FunctionRow {
  const kinds = parameters.map(parameter => parameter.replace(/\W/g, '') as Kind)
  const isEndless = parameters.at(-1)?.startsWith('...') === true
  return {
    least: parameters.filter(parameter => /^\w+$/.test(parameter)).length,
    most: isEndless ? Number.POSITIVE_INFINITY : parameters.length,
    gives,
    ...more,
    apply(given) {
      const converted = given.map((value, index) =>
        argument(kinds[index] ?? kinds.at(-1) ?? 'any', value, index),
      )
      // Each argument was converted as its parameter requires.
      const made = work(...(converted as unknown as Given<Parameters>))
      if (typeof made === 'string') return ofText(made.normalize('NFC'))
      if (typeof made === 'boolean') return ofBool(made)
      return made instanceof BigFloat ? ofNumber(made) : made
    },
  }
}

export function textList(texts: readonly string[]): Typed {
  return list(
    texts.map(text => ofText(text.normalize('NFC'))),
    'string',
  )
}

function argument(kind: Kind, value: Typed, index: number): Arguments[Kind] {
  const isNot = (what: string) => invalid(`argument ${index + 1} is ${what}`)
  const sequence = () => {
    const found = sequenceOf(value)
    if (found) return found
    throw isNot(`${nounOf(value)} and not a list`)
  }
  const number = () => {
    const { plain: found } = convert(value, 'number')
    if (isNumber(found)) return found
    throw isNot('not a number')
  }
  const whole = () => {
    const found = number()
    if (found.isWhole) return truncate(found)
    throw isNot('not a whole number')
  }
  switch (kind) {
    case 'any':
      return value
    case 'text': {
      const { plain: text } = convert(value, 'string')
      if (typeof text !== 'string') throw isNot('not a text')
      return text
    }
    case 'texts':
      return textsOf(value, index)
    case 'number':
      return number()
    case 'huge':
      return whole()
    case 'whole': {
      const found = whole()
      if (BigInt.asIntN(64, found) !== found) throw isNot('too large')
      return Number(found)
    }
    case 'sequence':
      return sequence()
    case 'ordered': {
      const found = sequence()
      if (found.is === 'set') throw isNot('a set and not a list')
      return found
    }
    case 'list': {
      sequence()
      return sequenceOf(convert(value, ['list', 'dynamic'])) ?? sequence()
    }
    case 'members': {
      const found = membersOf(value)
      if (found) return found
      throw isNot(`${nounOf(value)} and not a map`)
    }
  }
}

export function textsOf(value: Typed, index: number): string[] {
  const found = sequenceOf(convert(value, ['list', 'string']))
  if (!found) throw invalid(`argument ${index + 1} is not a list of texts`)
  return found.elements.map(({ plain }) => {
    if (typeof plain !== 'string') throw invalid(`argument ${index + 1} has an element that is null`)
    return plain
  })
}
