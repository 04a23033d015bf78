import { Work } from '../limits.ts'
import { textOf } from '../values/convert.ts'
import { countOf } from '../values/number.ts'
import { invalid, Refusal } from '../values/refusal.ts'
import { type Type, unify } from '../values/type.ts'
import {
  concealed,
  list,
  membersOf,
  nothing,
  nounOf,
  object,
  ofNumber,
  ofText,
  sequenceOf,
  type Typed,
  tuple,
  unknownOf,
  unmarked,
  withoutMarks,
} from '../values/typed.ts'
import { Sensitive, Unknown } from '../values/value.ts'
import { findSensitive } from '../values/walk.ts'
import { type Expression, elementName, type ForExpression } from './expression.ts'
import { conditionOf } from './operators.ts'
import { type Scope, withNames } from './scope.ts'

type Evaluate = (expression: Expression, scope: Scope) => Typed
type Splat = Expression & { readonly is: 'splat' }

/** The result of a `for`: a tuple, or an object if its results have names. */
export function evaluateFor(expression: ForExpression, scope: Scope, evaluate: Evaluate): Typed {
  const { of, key, value } = expression
  return withWhole(evaluate(of, scope), given => {
    if (given.plain instanceof Unknown) return unknownOf('dynamic', given.plain.origin)
    const work = scope.work ?? new Work()
    checkCondition(expression, scope, work, evaluate)
    const results = new Results(expression)
    for (const [name, element] of elementsOf(given)) {
      work.round()
      const names = new Map([[value, element] as const, ...(key === undefined ? [] : [[key, name] as const])])
      results.add(withNames(scope, names, work), evaluate)
    }
    return results.whole()
  })
}

/** An invalid condition is refused even if there are no elements. */
function checkCondition(
  { key, value, condition }: ForExpression,
  scope: Scope,
  work: Work,
  evaluate: Evaluate,
): void {
  if (!condition) return
  const any = unknownOf('dynamic', 'a for expression')
  const names = new Map([[value, any] as const, ...(key === undefined ? [] : [[key, any] as const])])
  try {
    conditionOf(evaluate(condition, withNames(scope, names, work)))
  } catch (error) {
    if (!(error instanceof Refusal) || error.is === 'invalid' || error.is === 'undeclared') throw error
  }
}

/** Runs work on a value that may be marked as a whole; the marks of its parts stay. */
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

/** Collects the results of a `for`. One unknown result makes all of it unknown, after all rounds. */
class Results {
  readonly #expression: ForExpression
  readonly #elements: Typed[] = []
  readonly #members = new Map<string, Typed[]>()
  #unknown: Unknown | undefined
  #mark: Sensitive | undefined

  constructor(expression: ForExpression) {
    this.#expression = expression
  }

  add(scope: Scope, evaluate: Evaluate): void {
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
    if (before && !this.#expression.isGrouped) throw this.#twice(name)
    if (before) before.push(value)
    else this.#members.set(name, [value])
  }

  whole(): Typed {
    const made = this.#unknown ? unknownOf('dynamic', this.#unknown.origin) : this.#made()
    return this.#mark ? concealed(made, this.#mark.origin) : made
  }

  #twice(name: string): Refusal {
    const shown = this.#mark ? '' : ` ${JSON.stringify(name)}`
    return invalid(`a for expression makes the member${shown} twice`, 'write ... after its value')
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
    const text = textOf(shown.plain)
    if (text === undefined) throw invalid(`${nounOf(shown)} cannot be the name of a member`)
    return text
  }
}

/** Evaluates a splat. A value that is no list counts as a list of one element, and null as an empty list. */
export function evaluateSplat({ of, each }: Splat, scope: Scope, evaluate: Evaluate): Typed {
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
