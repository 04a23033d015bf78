import { callFunction } from '../functions/call-function.ts'
import { convert, textOf } from '../values/convert.ts'
import {
  add,
  BigFloat,
  compare,
  countOf,
  divide,
  isNumber,
  multiply,
  negate,
  remainder,
  subtract,
  truncate,
} from '../values/number.ts'
import {
  attributeType,
  invalid,
  isSameType,
  type PrimitiveType,
  Refusal,
  type Type,
  typeText,
  unify,
  unsupported,
} from '../values/type.ts'
import {
  concealed,
  elementIn,
  isNull,
  isSame,
  list,
  memberIn,
  membersOf,
  nothing,
  nounOf,
  object,
  ofBool,
  ofNumber,
  ofText,
  sequenceOf,
  type Typed,
  tuple,
  unknownOf,
  unmarked,
  withoutMarks,
} from '../values/typed.ts'
import {
  findSensitive,
  findUnknown,
  isListValue,
  isObjectValue,
  revealed,
  Sensitive,
  Unknown,
  type Value,
} from '../values/value.ts'
import {
  type BinaryOperator,
  type Expression,
  elementName,
  type ForExpression,
  joined,
  type KnownStep,
  namesOf,
  requireDeclared,
  type Scope,
  type Step,
  type UnaryOperator,
  Work,
  withNames,
} from './expression.ts'

/** Evaluates an expression. Throws a `Refusal` if it has no value here. */
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
      return evaluateFor(expression, scope)
    case 'join':
      return unmarked([evaluateFor(expression.of, scope)], ([texts = nothing]) => joinAll(texts))
    case 'splat':
      return evaluateSplat(expression, scope)
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
    // Terraform 1.11.4 refuses this. Terraform 1.13.3 and OpenTofu use the side that decides.
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

/** Whether a value is this bool, or the text of this bool. */
function isBool(value: Typed, wanted: boolean): boolean {
  const { plain } = withoutMarks(value)
  return plain === wanted || plain === String(wanted) || plain === (wanted ? '1' : '0')
}

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
    // Joining can combine two characters into one.
    return ofText(joined(texts).normalize('NFC'))
  })
}

/** The other branch is evaluated too, because the result has the common type of both. */
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

/** The known parts of the branch that is not chosen. Member names are part of a type and may be sensitive. */
interface Branch {
  readonly type: Type
  readonly values: readonly Value[]
}

/** Evaluates the branch that is not chosen. If it fails in Terraform too, it may have any type. */
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
  // Single names cannot be hidden.
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
    // The parts of a value have their own marks, so only a mark on the whole counts.
    const isMarked = value.plain instanceof Sensitive || index.plain instanceof Sensitive
    if (!isMarked) return into(value, { index, isNamed })
    return unmarked([value, index], ([of = nothing, at = nothing]) => into(of, { index: at, isNamed }))
  }, start)
}

/** All names in the expression must be declared, even in parts that are not evaluated. */
export function evaluateDeclared(expression: Expression, scope: Scope): Typed {
  requireDeclared(expression, scope)
  return evaluate(expression, scope)
}

type Splat = Expression & { readonly is: 'splat' }

/** The result of a `for`: a tuple, or an object if its results have names. */
function evaluateFor(expression: ForExpression, scope: Scope): Typed {
  const { of, key, value } = expression
  return withWhole(evaluate(of, scope), given => {
    if (given.plain instanceof Unknown) return unknownOf('dynamic', given.plain.origin)
    const work = scope.work ?? new Work()
    checkCondition(expression, scope, work)
    const results = new Results(expression)
    for (const [name, element] of elementsOf(given)) {
      work.round()
      const names = new Map([[value, element] as const, ...(key === undefined ? [] : [[key, name] as const])])
      results.add(withNames(scope, names, work))
    }
    return results.whole()
  })
}

/** An invalid condition is refused even if there are no elements. */
function checkCondition({ key, value, condition }: ForExpression, scope: Scope, work: Work): void {
  if (!condition) return
  const any = unknownOf('dynamic', 'a for expression')
  const names = new Map([[value, any] as const, ...(key === undefined ? [] : [[key, any] as const])])
  try {
    conditionOf(evaluate(condition, withNames(scope, names, work)))
  } catch (error) {
    if (!(error instanceof Refusal) || error.is === 'invalid' || error.is === 'undeclared') throw error
  }
}

/** Runs work on a value that may be marked as a whole. The marks of its parts stay. */
function withWhole(given: Typed, work: (shown: Typed) => Typed): Typed {
  if (!(given.plain instanceof Sensitive)) return work(given)
  return unmarked([given], ([shown = nothing]) => work(shown))
}

/** Each element with its key: its index, its name or, in a set, the element itself. */
function elementsOf(value: Typed): readonly (readonly [Typed, Typed])[] {
  const sequence = sequenceOf(value)
  if (sequence)
    return sequence.elements.map(
      (element, index) => [sequence.is === 'set' ? element : ofNumber(countOf(index)), element] as const,
    )
  const named = membersOf(value)
  if (named) return [...named.members].map(([name, member]) => [ofText(name), member] as const)
  throw invalid(`a for expression has nothing to go through: ${nounOf(value)} has no elements`)
}

/** Collects the results of a `for`. One unknown result makes the whole result unknown, after all rounds. */
class Results {
  readonly #expression: ForExpression
  readonly #elements: Typed[] = []
  readonly #members = new Map<string, Typed[]>()
  #unknown: Unknown | undefined
  #mark: Sensitive | undefined

  constructor(expression: ForExpression) {
    this.#expression = expression
  }

  add(scope: Scope): void {
    const { condition, resultName, result } = this.#expression
    if (condition && !this.#holds(evaluate(condition, scope))) return
    if (!resultName) {
      this.#elements.push(evaluate(result, scope))
      return
    }
    const name = this.#nameOf(evaluate(resultName, scope))
    const value = evaluate(result, scope)
    if (name === undefined) return
    const before = this.#members.get(name)
    if (before && !this.#expression.isGrouped) {
      const shown = this.#mark ? '' : ` ${JSON.stringify(name)}`
      throw invalid(`a for expression makes the member${shown} twice`, 'write ... after its value')
    }
    if (before) before.push(value)
    else this.#members.set(name, [value])
  }

  whole(): Typed {
    const made = this.#unknown ? unknownOf('dynamic', this.#unknown.origin) : this.#made()
    return this.#mark ? concealed(made, this.#mark.origin) : made
  }

  #made(): Typed {
    const { resultName, isGrouped } = this.#expression
    if (!resultName) return tuple(this.#elements)
    return object(
      [...this.#members].map(([name, values]) => [name, isGrouped ? tuple(values) : (values[0] ?? nothing)]),
    )
  }

  #holds(value: Typed): boolean {
    const { holds, mark } = conditionOf(value)
    this.#mark ??= mark
    if (holds instanceof Unknown) this.#unknown ??= holds
    return holds === true
  }

  #nameOf(value: Typed): string | undefined {
    this.#mark ??= findSensitive(value.plain)
    const shown = withoutMarks(value)
    if (shown.plain instanceof Unknown) {
      this.#unknown ??= shown.plain
      return undefined
    }
    return memberName(shown)
  }
}

/** A value that is not a list counts as a list with one element, and null as an empty list. */
function evaluateSplat({ of, each }: Splat, scope: Scope): Typed {
  return withWhole(evaluate(of, scope), given => {
    if (given.plain instanceof Unknown) return unknownOf('dynamic', given.plain.origin)
    const work = scope.work ?? new Work()
    const ofEach = (element: Typed) => {
      work.round()
      return evaluate(each, withNames(scope, new Map([[elementName, element]]), work))
    }
    const sequence = sequenceOf(given)
    const elements = sequence?.elements ?? (given.plain === null ? [] : [given])
    const results = elements.map(ofEach)
    if (sequence === undefined || sequence.is === 'tuple') return tuple(results)
    return list(results, typeOfAll(results) ?? ofEach(unknownOf(sequence.of, 'an empty list')).type)
  })
}

function typeOfAll(results: readonly Typed[]): Type | undefined {
  return results.length === 0 ? undefined : (unify(results.map(({ type }) => type)) ?? 'dynamic')
}

function applyUnary(operator: UnaryOperator, operand: Typed): Typed {
  const type = operator === '!' ? 'bool' : 'number'
  const [value, unknown] = operands([operand], type, operator)
  if (unknown) return unknownOf(type, unknown.origin)
  return operator === '!' ? ofBool(value[0]?.plain !== true) : ofNumber(negate(numberOf(value[0])))
}

function applyBinary(operator: BinaryOperator, left: Typed, right: Typed): Typed {
  if (operator === '==' || operator === '!=') return equality(operator, left, right)
  const { of, gives, apply } = binary[operator]
  const [values, unknown] = operands([left, right], of, operator)
  if (unknown) return unknownOf(gives, unknown.origin)
  const [one = nothing, other = nothing] = values
  return apply(one, other)
}

interface Row {
  readonly of: PrimitiveType
  readonly gives: PrimitiveType
  readonly apply: (left: Typed, right: Typed) => Typed
}

const arithmetic = (apply: (left: BigFloat, right: BigFloat) => BigFloat): Row => ({
  of: 'number',
  gives: 'number',
  apply: (left, right) => ofNumber(apply(numberOf(left), numberOf(right))),
})
const comparison = (holds: (difference: number) => boolean): Row => ({
  of: 'number',
  gives: 'bool',
  apply: (left, right) => ofBool(holds(compare(numberOf(left), numberOf(right)))),
})
const logic = (apply: (left: boolean, right: boolean) => boolean): Row => ({
  of: 'bool',
  gives: 'bool',
  apply: (left, right) => ofBool(apply(left.plain === true, right.plain === true)),
})

const binary: Readonly<Record<Exclude<BinaryOperator, '==' | '!='>, Row>> = {
  '||': logic((left, right) => left || right),
  '&&': logic((left, right) => left && right),
  '<': comparison(difference => difference < 0),
  '<=': comparison(difference => difference <= 0),
  '>': comparison(difference => difference > 0),
  '>=': comparison(difference => difference >= 0),
  '+': arithmetic(add),
  '-': arithmetic(subtract),
  '*': arithmetic(multiply),
  '/': arithmetic(divide),
  '%': arithmetic(remainder),
}

function equality(operator: '==' | '!=', left: Typed, right: Typed): Typed {
  const unknown = findUnknown(left.plain) ?? findUnknown(right.plain)
  if (unknown) return unknownOf('bool', unknown.origin)
  return ofBool(isSame(left, right) === (operator === '=='))
}

function operands(
  given: readonly Typed[],
  type: PrimitiveType,
  operator: string,
): readonly [readonly Typed[], Unknown | undefined] {
  if (given.some(({ plain }) => plain === null))
    throw invalid(`"${operator}" has nothing to work with: an operand is null`)
  const values = given.map(value => convert(value, type))
  return [values, values.map(({ plain }) => plain).find(plain => plain instanceof Unknown)]
}

function numberOf(value: Typed | undefined): BigFloat {
  if (value?.plain instanceof BigFloat) return value.plain
  throw invalid('a number is needed')
}

/** A part of a value, by name or by index. Throws a refusal if there is no such part. */
export function into(value: Typed, { index, isNamed }: KnownStep): Typed {
  const unknown = [value.plain, index.plain].find(plain => plain instanceof Unknown)
  if (unknown) return unknownOf(typeInside(value, { index, isNamed }), unknown.origin)
  if (isObjectValue(value.plain)) {
    const name = textOf(index.plain)
    const found = name === undefined ? undefined : memberIn(value, name)
    if (found === undefined) throw noMember(name ?? null, value)
    return found
  }
  if (isListValue(value.plain) && value.type[0] !== 'set' && !isNamed) {
    const { plain: position } = convert(index, 'number')
    const found =
      isNumber(position) && position.isWhole ? elementIn(value, Number(truncate(position))) : undefined
    if (found === undefined)
      throw invalid(`there is no such element in ${nounOf(value)} of ${value.plain.length}`)
    return found
  }
  throw invalid(
    `${nounOf(value)} has no ${isNamed ? `member ${JSON.stringify(index.plain)}` : 'elements to choose from'}`,
  )
}

/** The remedy names what CDKTF and CDK Terrain lose: findings/constructs-default-keys.sh, constructs-lookup-default.sh. */
function noMember(name: string | null, value: Typed): Refusal {
  const names = value.plain instanceof Unknown ? [] : Object.keys(Object(value.plain))
  const near = names.find(each => each === snakeCase(name ?? ''))
  const remedy =
    near === undefined
      ? 'add it, or write try(..., DEFAULT); Fn.lookup leaves out a default of 0, false or ""'
      : `constructs write ${JSON.stringify(near)} in a variable's default; use variable.addOverride('default', {...})`
  return invalid(
    `there is no member ${JSON.stringify(name)} in ${nounOf(value)}`,
    near !== undefined || value.type[0] === 'map' ? remedy : undefined,
  )
}

function snakeCase(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .toLowerCase()
}

/** The type of a part of an unknown value. Throws a refusal if the value cannot have parts. */
function typeInside(value: Typed, { index, isNamed }: KnownStep): Type {
  const { type } = value
  const { plain } = index
  if (type === 'dynamic') return type
  if (typeof type === 'string') throw invalid(`${nounOf(value)} has nothing in it`)
  switch (type[0]) {
    case 'map':
      return type[1]
    case 'object':
      // With brackets, Terraform looks for a member only when the object is known.
      if (!isNamed || typeof plain !== 'string') return 'dynamic'
      if (Object.hasOwn(type[1], plain)) return attributeType(type, plain)
      throw noMember(plain, value)
    case 'list':
    case 'tuple':
      if (isNamed) break
      convert(index, 'number')
      return type[0] === 'list' ? type[1] : 'dynamic'
  }
  throw invalid(`${nounOf(value)} has nothing like that in it`)
}

/** The result of a condition, and the mark of its sensitive parts. */
export interface Condition {
  readonly holds: boolean | Unknown
  readonly mark: Sensitive | undefined
}

/** A value as a condition. The error for a sensitive value does not show the value. */
export function conditionOf(value: Typed): Condition {
  const { plain } = unmarked([value], ([shown = nothing]) => convert(shown, 'bool'))
  const holds = revealed(plain)
  if (holds === null) throw invalid('a condition is null')
  return {
    holds: holds instanceof Unknown ? holds : holds === true,
    mark: plain instanceof Sensitive ? plain : undefined,
  }
}

/** The refusal for a value that only the service knows. */
export function notKnown({ origin }: Unknown, where: string): Refusal {
  return unsupported(
    `${where} comes from ${origin}, which only the service knows`,
    'take a value that the stack sets itself, or run this stack with Terraform',
  )
}

/** Returns a value that is completely known and may be shown, or throws a refusal. */
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
