import { ofText, type Typed } from '../values/typed.ts'

/** The kinds of expressions. */
export type Expression =
  | { readonly is: 'literal'; readonly value: Typed }
  /** Texts, with expressions filled in between them. */
  | { readonly is: 'template'; readonly parts: readonly (string | Expression)[] }
  | Reference
  /** A path into a value without a name: `merge(...)["x"]`. */
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
  /** The same part of every element: `list[*].name`. In `each`, `elementName` refers to the element. */
  | { readonly is: 'splat'; readonly of: Expression; readonly each: Expression }

/** A name and its path: `each.value["x"]`. */
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

/** The precedence of operators; equal ones are evaluated from left to right. */
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

/** The names of a reference, up to the first step that has to be evaluated. */
export function namesOf(root: string, steps: readonly Step[]): readonly string[] {
  const end = steps.findIndex(step => step.is !== 'name')
  const named = end < 0 ? steps : steps.slice(0, end)
  return [root, ...named.map(step => (step.is === 'name' ? step.name : ''))]
}

/** The steps of a reference that its text alone shows: names, and constants in brackets. */
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

/** Every reference of an expression to something outside of it. */
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

/** Names that an expression itself defines are no references to the outside. */
function isNotNamed(own: readonly string[]) {
  return ({ root }: Reference) => !own.includes(root)
}

function inSteps(steps: readonly Step[]): readonly Reference[] {
  return steps.flatMap(step => (step.is === 'index' ? referencesIn(step.index) : []))
}
