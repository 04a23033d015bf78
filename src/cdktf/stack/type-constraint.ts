import { convert } from './language/convert.ts'
import { evaluate } from './language/evaluate.ts'
import { parseExpression } from './language/parse.ts'
import { invalid } from './language/refusal.ts'
import type { Expression } from './language/syntax.ts'
import type { ObjectType, Type } from './language/type.ts'
import { isMembers, object, type Value } from './language/value.ts'

/** The type of a variable as it is declared, with what members are worth that may be left out. */
export interface TypeConstraint {
  readonly type: Type
  /** Puts the defaults of optional members into a value, before it is converted. */
  readonly complete: (value: Value) => Value
  /** Whether a value that comes as text is an expression rather than the text itself. */
  readonly isExpression: boolean
}

export const anything: TypeConstraint = { type: 'any', complete: value => value, isExpression: false }

/** Reads the type of a variable: `list(object({ a = string, b = optional(number, 3) }))`. */
export function parseTypeConstraint(text: string): TypeConstraint {
  const constraint = read(parseExpression(text))
  return { ...constraint, isExpression: typeof constraint.type !== 'string' || constraint.type === 'any' }
}

type Read = Omit<TypeConstraint, 'isExpression'>

const same = (value: Value) => value

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
            return { type: { is: 'tuple', elements }, complete: same }
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
  ['any', 'any'],
])

function collectionOf(is: 'list' | 'set' | 'map', { type, complete }: Read): Read {
  return {
    type: { is, of: type },
    complete: value => {
      if (value === null || typeof value !== 'object') return value
      if ('elements' in value) return { ...value, elements: value.elements.map(complete) }
      if (!isMembers(value)) return value
      return { ...value, members: new Map([...value.members].map(([name, each]) => [name, complete(each)])) }
    },
  }
}

function isEmptyObject(expression: Expression): boolean {
  return expression.is === 'literal' && expression.value !== null && isMembers(expression.value)
}

interface Member extends Read {
  readonly isOptional: boolean
  readonly fallback: Value
}

function readObject(expression: Expression): Read {
  const written = expression.is === 'object' ? expression.members : []
  const members = written.map(([name, type]) => {
    const key = name.is === 'literal' && typeof name.value === 'string' ? name.value : undefined
    if (key === undefined) throw invalid('its type has a member without a name')
    return [key, readMember(type)] as const
  })
  const type: ObjectType = {
    is: 'object',
    members: Object.fromEntries(members.map(([name, member]) => [name, member.type])),
    optional: new Set(members.flatMap(([name, { isOptional }]) => (isOptional ? [name] : []))),
  }
  return {
    type,
    complete: value => {
      if (value === null || !isMembers(value)) return value
      const completed = members.flatMap(([name, { complete, fallback, isOptional }]) => {
        const given = value.members.get(name)
        if (given === undefined && !isOptional) return []
        return [[name, given === undefined || given === null ? fallback : complete(given)] as const]
      })
      return object([...value.members, ...completed])
    },
  }
}

function readMember(expression: Expression): Member {
  if (expression.is !== 'call' || expression.name !== 'optional') {
    return { ...read(expression), isOptional: false, fallback: null }
  }
  const [inner, fallback] = expression.arguments
  if (inner === undefined) throw invalid('"optional" names no type')
  const { type, complete } = read(inner)
  const value = fallback === undefined ? null : evaluate(fallback, nothing)
  return {
    type,
    complete,
    isOptional: true,
    fallback: value === null ? null : convert(complete(value), type),
  }
}

const nothing = {
  find() {
    throw invalid('a type refers to something')
  },
}
