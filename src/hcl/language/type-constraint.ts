import { convert } from '../values/convert.ts'
import { invalid, type ObjectType, Refusal, type Type, unify } from '../values/type.ts'
import {
  isNull,
  list,
  type Members,
  map,
  membersOf,
  nothing,
  object,
  type Sequence,
  sequenceOf,
  set,
  type Typed,
  tuple,
  unmarked,
} from '../values/typed.ts'
import { isObjectValue, Sensitive } from '../values/value.ts'
import { evaluate } from './evaluate.ts'
import { constants, type Expression } from './expression.ts'
import { parseExpression } from './parse-expression.ts'
import { isName } from './template.ts'

/** The declared type of a variable, with the defaults of optional members. */
export interface TypeConstraint {
  readonly type: Type
  /** Adds the defaults of optional members to a value, before the conversion. */
  readonly complete: (value: Typed) => Typed
  /** Whether a value that is given as text is an expression, not the text itself. */
  readonly isExpression: boolean
}

export const anything: TypeConstraint = { type: 'dynamic', complete: value => value, isExpression: false }

/** Reads the type of a variable: `list(object({ a = string, b = optional(number, 3) }))`. */
export function parseTypeConstraint(text: string): TypeConstraint {
  const constraint = read(parseExpression(text))
  return { ...constraint, isExpression: typeof constraint.type !== 'string' || constraint.type === 'dynamic' }
}

type Read = Omit<TypeConstraint, 'isExpression'>

const same = (value: Typed) => value

function read(expression: Expression): Read {
  if (expression.is === 'reference' && expression.steps.length === 0) {
    const type = words.get(expression.root)
    if (type !== undefined) return { type, complete: same }
  }
  if (expression.is === 'call') {
    const [inner] = expression.arguments
    if (inner !== undefined && expression.arguments.length === 1) {
      switch (expression.name) {
        case 'list':
        case 'set':
        case 'map':
          return collectionOf(expression.name, read(inner))
        case 'tuple':
          if (inner.is === 'tuple') return tupleOf(inner.elements.map(read))
          break
        case 'object':
          if (inner.is === 'object' || isEmptyObject(inner)) return readObject(inner)
      }
    }
  }
  throw unreadableType()
}

export function unreadableType(): Refusal {
  return invalid('its type cannot be read', 'write one such as "list(string)" or "object({ a = string })"')
}

const words = new Map<string, Type>([
  ['string', 'string'],
  ['number', 'number'],
  ['bool', 'bool'],
  ['any', 'dynamic'],
  // Old spellings of these two types.
  ['list', ['list', 'dynamic']],
  ['map', ['map', 'dynamic']],
])

function collectionOf(is: 'list' | 'set' | 'map', { type, complete }: Read): Read {
  if (complete === same) return { type: [is, type], complete }
  return {
    type: [is, type],
    complete: marked(value => {
      const [sequence, named] = [sequenceOf(value), membersOf(value)]
      if (sequence) return sequenceLike(sequence, sequence.elements.map(complete))
      return named
        ? namedLike(
            named,
            [...named.members].map(([name, each]) => [name, complete(each)]),
          )
        : value
    }),
  }
}

function tupleOf(elements: readonly Read[]): Read {
  return {
    type: ['tuple', elements.map(({ type }) => type)],
    complete: marked(value => {
      const sequence = sequenceOf(value)
      if (!sequence) return value
      return sequenceLike(
        sequence,
        sequence.elements.map((each, index) => elements[index]?.complete(each) ?? each),
      )
    }),
  }
}

/** Applies the defaults to a value that may be marked as a whole. The result is then marked too. */
function marked(complete: Read['complete']): Read['complete'] {
  return value =>
    value.plain instanceof Sensitive
      ? unmarked([value], ([shown = nothing]) => complete(shown))
      : complete(value)
}

/** A sequence of the same kind with other elements, if they have a common type. It is converted later. */
function sequenceLike({ is }: Sequence, elements: readonly Typed[]): Typed {
  const common = is === 'tuple' ? undefined : brought(elements)
  if (!common) return tuple(elements)
  return is === 'list' ? list(common.elements, common.of) : set(common.elements, common.of)
}

/** The same for members. */
function namedLike({ is }: Members, members: readonly (readonly [string, Typed])[]): Typed {
  const common = is === 'map' ? brought(members.map(([, each]) => each)) : undefined
  if (!common) return object(members)
  return map(
    members.map(([name, each], index) => [name, common.elements[index] ?? each]),
    common.of,
  )
}

/** Values converted to their common type; undefined if they have none. */
function brought(
  elements: readonly Typed[],
): { readonly elements: readonly Typed[]; readonly of: Type } | undefined {
  const of = unify(elements.map(({ type }) => type))
  if (of === undefined) return undefined
  try {
    return { elements: elements.map(element => convert(element, of)), of }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return undefined
  }
}

function isEmptyObject(expression: Expression): boolean {
  return expression.is === 'literal' && isObjectValue(expression.value.plain)
}

interface Member extends Read {
  readonly isOptional: boolean
  readonly fallback: Typed | undefined
}

function readObject(expression: Expression): Read {
  const written = expression.is === 'object' ? expression.members : []
  const members = written.map(([name, type]) => {
    const key = name.is === 'literal' ? name.value.plain : undefined
    if (typeof key !== 'string') throw invalid('its type has a member without a name')
    if (!isName(key)) throw invalid(`its type has a member ${JSON.stringify(key)}, which is no name`)
    return [key, readMember(type)] as const
  })
  const twice = members.find(([name], index) => members.findIndex(([each]) => each === name) < index)
  if (twice) throw invalid(`its type has the member ${JSON.stringify(twice[0])} twice`)
  const type: ObjectType = [
    'object',
    Object.fromEntries(members.map(([name, member]) => [name, member.type])),
    members.flatMap(([name, { isOptional }]) => (isOptional ? [name] : [])),
  ]
  return {
    type,
    complete: marked(value => {
      const named = membersOf(value)
      if (!named) return value
      const completed = members.flatMap(([name, { complete, fallback }]) => {
        const given = named.members.get(name)
        const isGiven = given !== undefined && !isNull(given)
        const member = isGiven ? complete(given) : fallback
        return member === undefined ? [] : [[name, member] as const]
      })
      return namedLike(named, [...new Map([...named.members, ...completed])])
    }),
  }
}

function readMember(expression: Expression): Member {
  if (expression.is !== 'call' || expression.name !== 'optional') {
    return { ...read(expression), isOptional: false, fallback: undefined }
  }
  const [inner, fallback, ...more] = expression.arguments
  if (inner === undefined) throw invalid('"optional" names no type')
  if (more.length > 0) throw invalid('"optional" takes a type and a default')
  const { type, complete } = read(inner)
  return {
    type,
    complete,
    isOptional: true,
    fallback: fallback && convert(complete(evaluate(fallback, constants)), type),
  }
}
