import { callFunction } from '../functions/call-function.ts'
import { joined } from '../limits.ts'
import { convert, textOf } from '../values/convert.ts'
import { invalid, Refusal, unsupported } from '../values/refusal.ts'
import { isSameType, type Type, typeText, unify } from '../values/type.ts'
import {
  concealed,
  isNull,
  nothing,
  nounOf,
  object,
  ofBool,
  ofText,
  sequenceOf,
  type Typed,
  tuple,
  unknownOf,
  unmarked,
  withoutMarks,
} from '../values/typed.ts'
import { Sensitive, Unknown, type Value } from '../values/value.ts'
import { findSensitive } from '../values/walk.ts'
import { type Expression, namesOf, type Step } from './expression.ts'
import { applyBinary, applyUnary, conditionOf, into, notKnown } from './operators.ts'
import { evaluateFor, evaluateSplat } from './repeat.ts'
import { requireDeclared, type Scope } from './scope.ts'

/** The value of an expression; throws a `Refusal` if it has none here. */
export function evaluate(expression: Expression, scope: Scope): Typed {
  switch (expression.is) {
    case 'literal':
      return expression.value
    case 'template':
      return joinParts(
        expression.parts.map(part => (typeof part === 'string' ? ofText(part) : evaluate(part, scope))),
      )
    case 'reference': {
      const { root, steps } = expression
      const { value, taken } = scope.find(namesOf(root, steps))
      return follow(value, steps.slice(taken - 1), scope)
    }
    case 'access':
      return follow(evaluate(expression.of, scope), expression.steps, scope)
    case 'call':
      return callFunction(expression, scope, evaluate)
    case 'unary':
      return unmarked([evaluate(expression.operand, scope)], ([operand = nothing]) =>
        applyUnary(expression.operator, operand),
      )
    case 'binary':
      return evaluateBinary(expression, scope)
    case 'conditional':
      return choose(expression, scope)
    case 'tuple':
      return tuple(expression.elements.map(element => evaluate(element, scope)))
    case 'object':
      return evaluateObject(expression.members, scope)
    case 'for':
      return evaluateFor(expression, scope, evaluate)
    case 'join':
      return unmarked([evaluateFor(expression.of, scope, evaluate)], ([texts = nothing]) => joinAll(texts))
    case 'splat':
      return evaluateSplat(expression, scope, evaluate)
  }
}

/** One side of `||` and `&&` may decide even if the other one has no value. */
function evaluateBinary({ operator, ...sides }: Expression & { is: 'binary' }, scope: Scope): Typed {
  const isOr = operator === '||'
  if (!isOr && operator !== '&&') return applied([evaluate(sides.left, scope), evaluate(sides.right, scope)])
  const made = [sides.left, sides.right].map(side => valueOrRefusal(side, scope))
  const values = made.flatMap(side => (side instanceof Refusal ? [] : [side]))
  const refusal = made.find(side => side instanceof Refusal)
  const hasNull = values.some(isNull)
  const decides = (value: Typed) => !isNull(value) && isBool(value, isOr)
  if ((refusal || hasNull) && (values.some(decides) || (hasNull && !isOr))) {
    // Terraform 1.11.4 refuses that; Terraform 1.13.3 and OpenTofu use the side that decides.
    if (scope.engine === 'OpenTofu') return unmarked(values, () => ofBool(isOr))
    throw unsupported(
      `"${operator}" with a side that has no value, which older engines refuse`,
      `write a condition: ${isOr ? 'left ? true : right' : 'left ? right : false'}`,
    )
  }
  if (refusal) throw refusal
  return applied(values)

  function applied(values: readonly Typed[]): Typed {
    return unmarked(values, ([left = nothing, right = nothing]) => applyBinary(operator, left, right))
  }
}

/** Whether a value is this bool, or its text. */
function isBool(value: Typed, wanted: boolean): boolean {
  const { plain } = withoutMarks(value)
  return plain === wanted || plain === String(wanted) || plain === (wanted ? '1' : '0')
}

/** The value of an expression, or its refusal. */
function valueOrRefusal(expression: Expression, scope: Scope): Typed | Refusal {
  try {
    return evaluate(expression, scope)
  } catch (error) {
    if (error instanceof Refusal && error.is === 'invalid') return error
    throw error
  }
}

/** The texts of a `for` in a template, one after the other. */
function joinAll(texts: Typed): Typed {
  if (texts.plain instanceof Unknown) return unknownOf('string', texts.plain.origin)
  return joinParts(sequenceOf(texts)?.elements ?? [])
}

function joinParts(parts: readonly Typed[]): Typed {
  return unmarked(parts, values => {
    const unknown = values.map(({ plain }) => plain).find(plain => plain instanceof Unknown)
    const texts = values.map(value => {
      if (value.plain instanceof Unknown) return ''
      const text = textOf(value.plain)
      if (text === undefined) throw invalid(`${nounOf(value)} cannot be filled into a text`)
      return text
    })
    if (unknown) return unknownOf('string', unknown.origin)
    // Joining can make one character of two.
    return ofText(joined(texts).normalize('NFC'))
  })
}

/** The branch that is not chosen is evaluated too, because the result has the common type of both. */
function choose(expression: Expression & { readonly is: 'conditional' }, scope: Scope): Typed {
  const { holds, mark } = conditionOf(evaluate(expression.condition, scope))
  if (holds instanceof Unknown) {
    const types = [expression.whenTrue, expression.whenFalse].map(each => evaluate(each, scope).type)
    return unknownOf(unify(types) ?? 'dynamic', holds.origin)
  }
  const [taken, left] = holds
    ? [expression.whenTrue, expression.whenFalse]
    : [expression.whenFalse, expression.whenTrue]
  const value = inCommon(evaluate(taken, scope), branchOf(left, scope))
  return mark ? concealed(value, mark.origin) : value
}

/** The known parts of a branch that is not chosen. Member names are part of a type and may be sensitive. */
interface Branch {
  readonly type: Type
  readonly values: readonly Value[]
}

/** A branch that is not chosen; one that fails in Terraform too may have any type. */
function branchOf(expression: Expression, scope: Scope): Branch {
  try {
    const { type, plain } = evaluate(expression, scope)
    return { type, values: [plain] }
  } catch (error) {
    if (!(error instanceof Refusal) || error.is !== 'invalid') throw error
    if (expression.is !== 'tuple') return { type: 'dynamic', values: [] }
    const elements = expression.elements.map(element => branchOf(element, scope))
    return {
      type: ['tuple', elements.map(({ type }) => type)],
      values: elements.flatMap(({ values }) => values),
    }
  }
}

function inCommon(chosen: Typed, other: Branch): Typed {
  const { type, plain } = chosen
  if (isSameType(type, other.type)) return chosen
  const common = unify([type, other.type])
  if (common !== undefined) return convert(chosen, common)
  const isSensitive = [plain, ...other.values].some(value => findSensitive(value) !== undefined)
  const between = isSensitive
    ? 'sensitive values of two types'
    : `${typeText(type)} and ${typeText(other.type)}`
  throw invalid(`a condition chooses between ${between}`)
}

function evaluateObject(members: readonly (readonly [Expression, Expression])[], scope: Scope): Typed {
  const named = members.map(([name, value]) => ({
    name: evaluate(name, scope),
    value: evaluate(value, scope),
  }))
  const made = object(named.map(({ name, value }) => [memberName(name), value]))
  // Names cannot be hidden one by one.
  const mark = named.map(({ name }) => findSensitive(name.plain)).find(each => each !== undefined)
  return mark ? concealed(made, mark.origin) : made
}

function memberName(name: Typed): string {
  const shown = withoutMarks(name)
  if (shown.plain instanceof Unknown) throw notKnown(shown.plain, 'the name of a member')
  const text = textOf(shown.plain)
  if (text === undefined) throw invalid(`${nounOf(shown)} cannot be the name of a member`)
  return text
}

function follow(start: Typed, steps: readonly Step[], scope: Scope): Typed {
  return steps.reduce<Typed>((value, step) => {
    const isNamed = step.is === 'name'
    const index = isNamed ? ofText(step.name) : evaluate(step.index, scope)
    // The parts of a value keep their own marks, so only a mark on the whole counts.
    const isMarked = value.plain instanceof Sensitive || index.plain instanceof Sensitive
    if (!isMarked) return into(value, { index, isNamed })
    return unmarked([value, index], ([of = nothing, at = nothing]) => into(of, { index: at, isNamed }))
  }, start)
}

/** Evaluates an expression of a configuration. All of its names must be declared, even unreached ones. */
export function evaluateDeclared(expression: Expression, scope: Scope): Typed {
  requireDeclared(expression, scope)
  return evaluate(expression, scope)
}
