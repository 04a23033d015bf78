import { convert } from '../../cty/convert.ts'
import { invalid } from '../../cty/invalid-value.ts'
import type { ObjectType, Type } from '../../cty/type.ts'
import {
  list,
  map,
  membersOf,
  nothing,
  object,
  type Sequence,
  sequenceOf,
  set,
  type Typed,
  tuple,
} from '../../cty/typed.ts'
import { unify } from '../../cty/unify.ts'
import { isObjectValue } from '../../cty/value.ts'
import { evaluate } from './evaluate-expression.ts'
import { parseExpression } from './parse-expression.ts'
import type { Expression } from './syntax.ts'

/** The type of a variable as it is declared, with what members are worth that may be left out. */
export interface TypeConstraint {
  readonly type: Type
  /** Puts the defaults of optional members into a value, before it is converted. */
  readonly complete: (value: Typed) => Typed
  /** Whether a value that comes as text is an expression rather than the text itself. */
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
    const type = primitives.get(expression.root)
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
          if (inner.is === 'tuple') {
            const elements = inner.elements.map(each => read(each).type)
            return { type: ['tuple', elements], complete: same }
          }
          break
        case 'object':
          if (inner.is === 'object' || isEmptyObject(inner)) return readObject(inner)
      }
    }
  }
  throw invalid('its type cannot be read', 'write one such as "list(string)" or "object({ a = string })"')
}

const primitives = new Map<string, Type>([
  ['string', 'string'],
  ['number', 'number'],
  ['bool', 'bool'],
  ['any', 'dynamic'],
])

function collectionOf(is: 'list' | 'set' | 'map', { type, complete }: Read): Read {
  if (complete === same) return { type: [is, type], complete }
  return {
    type: [is, type],
    complete: value => {
      const [sequence, named] = [sequenceOf(value), membersOf(value)]
      if (sequence) return sequenceLike(sequence, sequence.elements.map(complete))
      if (!named) return value
      const members = [...named.members].map(([name, each]) => [name, complete(each)] as const)
      const of = named.is === 'map' ? unify(members.map(([, { type: each }]) => each)) : undefined
      return of === undefined ? object(members) : map(members, of)
    },
  }
}

/** Other elements in what held the ones of a sequence, where they go together; what follows converts it anyway. */
function sequenceLike({ is }: Sequence, elements: readonly Typed[]): Typed {
  const of = is === 'tuple' ? undefined : unify(elements.map(({ type }) => type))
  if (of === undefined) return tuple(elements)
  return is === 'list' ? list(elements, of) : set(elements, of)
}

function isEmptyObject(expression: Expression): boolean {
  return expression.is === 'literal' && isObjectValue(expression.value.plain)
}

interface Member extends Read {
  readonly isOptional: boolean
  readonly fallback: Typed
}

function readObject(expression: Expression): Read {
  const written = expression.is === 'object' ? expression.members : []
  const members = written.map(([name, type]) => {
    const key = name.is === 'literal' ? name.value.plain : undefined
    if (typeof key !== 'string') throw invalid('its type has a member without a name')
    return [key, readMember(type)] as const
  })
  const type: ObjectType = [
    'object',
    Object.fromEntries(members.map(([name, member]) => [name, member.type])),
    members.flatMap(([name, { isOptional }]) => (isOptional ? [name] : [])),
  ]
  return {
    type,
    complete: value => {
      const named = membersOf(value)
      if (!named) return value
      const completed = members.flatMap(([name, { complete, fallback, isOptional }]) => {
        const given = named.members.get(name)
        if (given === undefined && !isOptional) return []
        return [[name, given === undefined || given.plain === null ? fallback : complete(given)] as const]
      })
      return object([...named.members, ...completed])
    },
  }
}

function readMember(expression: Expression): Member {
  if (expression.is !== 'call' || expression.name !== 'optional') {
    return { ...read(expression), isOptional: false, fallback: nothing }
  }
  const [inner, fallback] = expression.arguments
  if (inner === undefined) throw invalid('"optional" names no type')
  const { type, complete } = read(inner)
  const value = fallback === undefined ? nothing : evaluate(fallback, noNames)
  return {
    type,
    complete,
    isOptional: true,
    fallback: convert(complete(value), type),
  }
}

const noNames = {
  find() {
    throw invalid('a type refers to something')
  },
}
