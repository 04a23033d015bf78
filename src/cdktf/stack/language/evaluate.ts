import { isNumber, truncate } from './big-float.ts'
import { convert, textOf } from './convert.ts'
import { callFunction } from './functions/index.ts'
import { concealed, findSensitive, findUnknown, revealed, unmarked } from './marks.ts'
import { applyBinary, applyUnary } from './operators.ts'
import { invalid, Refusal, unsupported } from './refusal.ts'
import type { Expression, Step } from './syntax.ts'
import { namesOf } from './syntax.ts'
import { isSameType, type Type, typeText, unify } from './type.ts'
import {
  isMembers,
  isSequence,
  nounOf,
  object,
  Sensitive,
  tuple,
  typeOf,
  Unknown,
  type Value,
} from './value.ts'

/** What the names of an expression stand for. */
export interface Scope {
  /** The value of the longest way that has one, and how many of its names that took. Refuses what has none. */
  find(names: readonly string[]): { readonly value: Value; readonly taken: number }
}

/** The value of an expression; a `Refusal` where it has none here. */
export function evaluate(expression: Expression, scope: Scope): Value {
  switch (expression.is) {
    case 'literal':
      return expression.value
    case 'template':
      return joinParts(
        expression.parts.map(part => (typeof part === 'string' ? part : evaluate(part, scope))),
      )
    case 'reference': {
      const { root, steps } = expression
      const { value, taken } = scope.find(namesOf(root, steps))
      return follow(value, steps.slice(taken - 1), scope)
    }
    case 'access':
      return follow(evaluate(expression.of, scope), expression.steps, scope)
    case 'call':
      return callFunction(expression, argument => evaluate(argument, scope))
    case 'unary':
      return unmarked([evaluate(expression.operand, scope)], ([operand = null]) =>
        applyUnary(expression.operator, operand),
      )
    case 'binary':
      return unmarked(
        [evaluate(expression.left, scope), evaluate(expression.right, scope)],
        ([left = null, right = null]) => applyBinary(expression.operator, left, right),
      )
    case 'conditional':
      return choose(expression, scope)
    case 'tuple':
      return tuple(expression.elements.map(element => evaluate(element, scope)))
    case 'object':
      return evaluateObject(expression.members, scope)
  }
}

function joinParts(parts: readonly Value[]): Value {
  return unmarked(parts, values => {
    const unknown = values.find(value => value instanceof Unknown)
    const texts = values.map(value => {
      if (value instanceof Unknown) return ''
      const text = textOf(value)
      if (text === undefined) throw invalid(`${nounOf(value)} cannot be filled into a text`)
      return text
    })
    return unknown instanceof Unknown
      ? new Unknown('string', unknown.origin)
      : // Joining can make one character of two.
        texts.join('').normalize('NFC')
  })
}

/** What is not chosen is worked out as well, because what both have in common is the type of either. */
function choose(expression: Expression & { readonly is: 'conditional' }, scope: Scope): Value {
  const condition = evaluate(expression.condition, scope)
  const plain = convert(revealed(condition), 'bool')
  if (plain === null) throw invalid('a condition is null')
  if (plain instanceof Unknown) {
    const [whenTrue, whenFalse] = [expression.whenTrue, expression.whenFalse].map(each =>
      evaluate(each, scope),
    )
    const types = [whenTrue, whenFalse].map(value => typeOf(value ?? null))
    return new Unknown(unify(types) ?? 'any', plain.origin)
  }
  const [taken, left] =
    plain === true ? [expression.whenTrue, expression.whenFalse] : [expression.whenFalse, expression.whenTrue]
  const value = inCommon(evaluate(taken, scope), typeOfBranch(left, scope))
  const mark = findSensitive(condition)
  return mark ? concealed(value, mark.origin) : value
}

/** The type of what is not chosen; what fails in Terraform too may be anything there. */
function typeOfBranch(expression: Expression, scope: Scope): Type {
  try {
    return typeOf(evaluate(expression, scope))
  } catch (error) {
    if (!(error instanceof Refusal) || error.is !== 'invalid') throw error
    if (expression.is !== 'tuple') return 'any'
    return { is: 'tuple', elements: expression.elements.map(element => typeOfBranch(element, scope)) }
  }
}

function inCommon(chosen: Value, other: Type): Value {
  const type = typeOf(chosen)
  if (chosen === null || isSameType(type, other)) return chosen
  const common = unify([type, other])
  if (common === undefined)
    throw invalid(`a condition chooses between ${typeText(type)} and ${typeText(other)}`)
  return convert(chosen, common)
}

function evaluateObject(members: readonly (readonly [Expression, Expression])[], scope: Scope): Value {
  const named = members.map(([name, value]) => ({
    name: evaluate(name, scope),
    value: evaluate(value, scope),
  }))
  const made = object(named.map(({ name, value }) => [memberName(name), value]))
  // Names cannot be hidden one by one.
  const mark = named.map(({ name }) => findSensitive(name)).find(each => each !== undefined)
  return mark ? concealed(made, mark.origin) : made
}

function memberName(name: Value): string {
  const plain = revealed(name)
  if (plain instanceof Unknown) throw notKnown(plain, 'the name of a member')
  const text = textOf(plain)
  if (text === undefined) throw invalid(`${nounOf(plain)} cannot be the name of a member`)
  return text
}

function follow(start: Value, steps: readonly Step[], scope: Scope): Value {
  return steps.reduce<Value>((value, step) => {
    const isNamed = step.is === 'name'
    const index = isNamed ? step.name : evaluate(step.index, scope)
    // What is inside keeps its own marks, so only a mark on the whole counts.
    if (!(value instanceof Sensitive) && !(index instanceof Sensitive)) return into(value, index, isNamed)
    return unmarked([value, index], ([of = null, at = null]) => into(of, at, isNamed))
  }, start)
}

function into(value: Value, index: Value, isNamed: boolean): Value {
  const unknown = value instanceof Unknown ? value : index instanceof Unknown ? index : undefined
  if (unknown) return new Unknown('any', unknown.origin)
  if (isMembers(value)) {
    const name = index === null ? undefined : textOf(index)
    const found = name === undefined ? undefined : value.members.get(name)
    if (found === undefined)
      throw invalid(`there is no member ${JSON.stringify(name ?? null)} in ${nounOf(value)}`)
    return found
  }
  if (isSequence(value) && value.is !== 'set' && !isNamed) {
    const position = convert(index, 'number')
    const found =
      isNumber(position) && position.isWhole ? value.elements[Number(truncate(position))] : undefined
    if (found === undefined)
      throw invalid(`there is no such element in ${nounOf(value)} of ${value.elements.length}`)
    return found
  }
  throw invalid(
    `${nounOf(value)} has no ${isNamed ? `member ${JSON.stringify(index)}` : 'elements to choose from'}`,
  )
}

/** The refusal to use what only the service knows. */
export function notKnown({ origin }: Unknown, where: string): Refusal {
  return unsupported(
    `${where} comes from ${origin}, which only the service knows`,
    'take a value that the stack says itself, or run this stack with Terraform',
  )
}

/** A value that is known whole and may be shown. */
export function requireKnown(value: Value, where: string): Exclude<Value, Sensitive> {
  const unknown = findUnknown(value)
  if (unknown) throw notKnown(unknown, where)
  const sensitive = findSensitive(value)
  if (!sensitive) return revealed(value)
  throw unsupported(
    `${where} comes from ${sensitive.origin}, which is sensitive, and a plan would show it`,
    'declare it without `sensitive`, or wrap it in nonsensitive(...)',
  )
}
