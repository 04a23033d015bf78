import type { FunctionRows } from '../functions/function-row.ts'
import { elsewhere, invalid, unsupported } from '../values/type.ts'
import { ofText, type Typed } from '../values/typed.ts'
import { isListValue, isObjectValue, Sensitive, type Value } from '../values/value.ts'

export type Expression =
  | { readonly is: 'literal'; readonly value: Typed }
  /** Texts, with expressions filled in between them. */
  | { readonly is: 'template'; readonly parts: readonly (string | Expression)[] }
  | Reference
  /** Steps into a value without a name: `merge(...)["x"]`. */
  | { readonly is: 'access'; readonly of: Expression; readonly steps: readonly Step[] }
  | {
      readonly is: 'call'
      readonly name: string
      readonly arguments: readonly Expression[]
      /** Whether the last argument is a list of arguments. */
      readonly isExpanded: boolean
    }
  | { readonly is: 'unary'; readonly operator: UnaryOperator; readonly operand: Expression }
  | {
      readonly is: 'binary'
      readonly operator: BinaryOperator
      readonly left: Expression
      readonly right: Expression
    }
  | {
      readonly is: 'conditional'
      readonly condition: Expression
      readonly whenTrue: Expression
      readonly whenFalse: Expression
    }
  | { readonly is: 'tuple'; readonly elements: readonly Expression[] }
  | { readonly is: 'object'; readonly members: readonly (readonly [Expression, Expression])[] }
  | ForExpression
  /** The joined texts of a `for` in a template: `%{ for ... }`. */
  | { readonly is: 'join'; readonly of: ForExpression }
  /** The same part of every element: `list[*].name`. In `each`, `elementName` is the element. */
  | { readonly is: 'splat'; readonly of: Expression; readonly each: Expression }

/** A name and its steps: `each.value["x"]`. */
export interface Reference {
  readonly is: 'reference'
  readonly root: string
  readonly steps: readonly Step[]
}

/** `[for key, value in of : result if condition]`; with `{`, each result has a name. */
export interface ForExpression {
  readonly is: 'for'
  readonly key: string | undefined
  readonly value: string
  readonly of: Expression
  /** The name of each result; undefined for a tuple. */
  readonly resultName: Expression | undefined
  readonly result: Expression
  readonly condition: Expression | undefined
  /** Whether results with one name are grouped: `...`. */
  readonly isGrouped: boolean
}

/** The name of the current element in a splat. No text can contain this name. */
export const elementName = '*'

/** A member by its name, or an element by the value in brackets. */
export type Step =
  | { readonly is: 'name'; readonly name: string }
  | { readonly is: 'index'; readonly index: Expression }

export type UnaryOperator = '!' | '-'
export type BinaryOperator = keyof typeof binding

/** The precedence of operators. Equal ones are evaluated from left to right. */
export const binding = {
  '||': 1,
  '&&': 2,
  '==': 3,
  '!=': 3,
  '<': 4,
  '<=': 4,
  '>': 4,
  '>=': 4,
  '+': 5,
  '-': 5,
  '*': 6,
  '/': 6,
  '%': 6,
} as const

/** The names of a reference, up to the first step that must be evaluated. */
export function namesOf(root: string, steps: readonly Step[]): readonly string[] {
  const end = steps.findIndex(step => step.is !== 'name')
  const named = end < 0 ? steps : steps.slice(0, end)
  return [root, ...named.map(step => (step.is === 'name' ? step.name : ''))]
}

/** The steps of a reference that are known from its text: names, and constants in brackets. */
export function fixedSteps(steps: readonly Step[]): readonly KnownStep[] {
  const fixed: KnownStep[] = []
  for (const step of steps) {
    if (step.is === 'name') fixed.push({ index: ofText(step.name), isNamed: true })
    else if (step.index.is === 'literal') fixed.push({ index: step.index.value, isNamed: false })
    else break
  }
  return fixed
}

/** An evaluated step. */
export interface KnownStep {
  readonly index: Typed
  /** Whether it follows a dot. */
  readonly isNamed: boolean
}

/** All references of an expression to the outside. */
export function referencesIn(expression: Expression): readonly Reference[] {
  switch (expression.is) {
    case 'literal':
      return []
    case 'template':
      return expression.parts.flatMap(part => (typeof part === 'string' ? [] : referencesIn(part)))
    case 'reference':
      return [expression, ...inSteps(expression.steps)]
    case 'access':
      return [...referencesIn(expression.of), ...inSteps(expression.steps)]
    case 'call':
      return expression.arguments.flatMap(referencesIn)
    case 'unary':
      return referencesIn(expression.operand)
    case 'binary':
      return [expression.left, expression.right].flatMap(referencesIn)
    case 'conditional':
      return [expression.condition, expression.whenTrue, expression.whenFalse].flatMap(referencesIn)
    case 'tuple':
      return expression.elements.flatMap(referencesIn)
    case 'object':
      return expression.members.flat().flatMap(referencesIn)
    case 'for':
      return inFor(expression)
    case 'join':
      return inFor(expression.of)
    case 'splat':
      return [
        ...referencesIn(expression.of),
        ...referencesIn(expression.each).filter(isNotNamed([elementName])),
      ]
  }
}

function inFor({ key, value, of, resultName, result, condition }: ForExpression) {
  const inside = [resultName, result, condition].flatMap(each => (each ? referencesIn(each) : []))
  return [...referencesIn(of), ...inside.filter(isNotNamed(key === undefined ? [value] : [key, value]))]
}

/** Names that an expression itself defines are not references to the outside. */
function isNotNamed(own: readonly string[]) {
  return ({ root }: Reference) => !own.includes(root)
}

function inSteps(steps: readonly Step[]): readonly Reference[] {
  return steps.flatMap(step => (step.is === 'index' ? referencesIn(step.index) : []))
}

/** The engine that runs a configuration. */
export type Engine = 'Terraform' | 'OpenTofu'

/** The meaning of names in an expression. */
export interface Scope {
  /** The value of the longest path that has one, and the number of names used. Otherwise refuses. */
  find(names: readonly string[]): { readonly value: Typed; readonly taken: number }
  /** Refuses an undeclared reference by its text alone. If this is missing, `find` refuses it. */
  readonly requireDeclared?: (reference: Reference) => void
  /** Expressions whose references are all declared. */
  readonly declared?: WeakSet<Expression>
  /** The remaining repetitions. If this is missing, each expression starts with a new limit. */
  readonly work?: Work
  /** The engine that would evaluate the expression instead of this code, if known. */
  readonly engine?: Engine | undefined
  /** The files for file functions. Without it these functions are refused. */
  readonly files?: Files
  /** Additional functions, by the names in expressions: `provider::vexil::rollout`. */
  readonly functions?: FunctionRows
  /** The most similar function name, if a function is unknown. */
  readonly suggest?: (name: string, known: readonly string[]) => string | undefined
  /** Whether the expression is in a template that a function fills in. */
  readonly isInTemplate?: true
  /** Whether the expression must be a constant, which may not call functions. */
  readonly isConstant?: true
}

/** The files that expressions may read: those in the stack's folder. Paths may be relative to that folder. */
export interface Files {
  /** The bytes of a file. Refuses paths outside the folder, non-files, and files that are too large. */
  read(path: string): Uint8Array
  /** Whether a file exists. Refuses paths outside the folder, and folders. */
  exists(path: string): boolean
  /** The files below a folder that match a pattern, relative to that folder. */
  find(folder: string, pattern: string): readonly string[]
}

/** A scope without names. */
export const constants: Scope = {
  isConstant: true,
  find([name = '']) {
    throw invalid(`it refers to ${name}, and has to be a constant`)
  },
}

/** Refuses undeclared names even in parts that are never evaluated, such as a `for` without rounds. */
export function requireDeclared(expression: Expression, scope: Scope): void {
  const { declared } = scope
  if (declared?.has(expression)) return
  for (const reference of referencesIn(expression)) {
    if (scope.requireDeclared) scope.requireDeclared(reference)
    else scope.find(namesOf(reference.root, reference.steps))
  }
  declared?.add(expression)
}

/** A scope with additional names, which hide outer names. */
export function withNames(scope: Scope, names: ReadonlyMap<string, Typed>, work: Work): Scope {
  return {
    ...scope,
    work,
    find(way) {
      const own = names.get(way[0] ?? '')
      return own === undefined ? scope.find(way) : { value: own, taken: 1 }
    },
  }
}

/** The nesting limit for expressions. The parser makes several calls for each level. */
export const deepestExpression = 64

/** The most elements for all `for` expressions of one stack, and for one list from a function. */
export const mostRounds = 1_000_000
/** The most UTF-16 code units of a text from an expression. */
export const longestText = 16 * 1024 * 1024
/** The most values inside one value of a stack. Each hundred code units of a text count as one value. */
export const mostParts = 2_000_000

/** Counts the repetitions in a stack's expressions, so that they end. */
export class Work {
  #rounds = 0

  round(): void {
    this.#rounds += 1
    if (this.#rounds > mostRounds)
      throw unsupported(`going through more than ${mostRounds} elements`, elsewhere)
  }
}

/** Joins texts. Refuses an extremely long result. */
export function joined(texts: readonly string[], separator = ''): string {
  const length = texts.reduce((sum, text) => sum + text.length + separator.length, 0)
  requireLength(length)
  return texts.join(separator)
}

export function requireLength(length: number): void {
  if (length > longestText) throw unsupported(`a text of more than ${longestText} characters`, elsewhere)
}

/** Refuses a list that is too long. */
export function requireCount(count: number): void {
  if (count > mostRounds) throw unsupported(`a list of more than ${mostRounds} elements`, elsewhere)
}

/**
 * Refuses extremely large values. A list that contains another list twice, which contains another list twice,
 * needs little memory, but visiting all its values takes forever. Each shared part is measured only once.
 */
export class ValueSizes {
  readonly #sizes = new WeakMap<object, number>()

  require(value: Value): void {
    if (this.#sizeOf(value) > mostParts)
      throw unsupported(`a value of more than ${mostParts} parts`, elsewhere)
  }

  #sizeOf(value: Value): number {
    if (value instanceof Sensitive) return this.#sizeOf(value.value)
    if (typeof value === 'string') return 1 + value.length / 100
    const inside = isListValue(value) ? value : isObjectValue(value) ? Object.values(value) : undefined
    if (inside === undefined || typeof value !== 'object' || value === null) return 1
    const before = this.#sizes.get(value)
    if (before !== undefined) return before
    const size = inside.reduce((sum: number, each) => sum + this.#sizeOf(each), 1)
    this.#sizes.set(value, size)
    return size
  }
}
