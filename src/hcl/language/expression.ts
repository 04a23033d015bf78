import { ofText, type Typed } from '../values/typed.ts'

/** What an expression consists of. */
export type Expression =
  | { readonly is: 'literal'; readonly value: Typed }
  /** Texts and what is filled in between them. */
  | { readonly is: 'template'; readonly parts: readonly (string | Expression)[] }
  | Reference
  /** A way into something that is no name: `merge(...)["x"]`. */
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
  /** The texts that a `for` makes, one after the other: `%{ for ... }`. */
  | { readonly is: 'join'; readonly of: ForExpression }
  /** The same of every element: `list[*].name`. In `each`, `elementName` stands for the element. */
  | { readonly is: 'splat'; readonly of: Expression; readonly each: Expression }

/** A name and the way from there: `each.value["x"]`. */
export interface Reference {
  readonly is: 'reference'
  readonly root: string
  readonly steps: readonly Step[]
}

/** `[for key, value in of : result if condition]`, or with `{`, where each result has a name. */
export interface ForExpression {
  readonly is: 'for'
  readonly key: string | undefined
  readonly value: string
  readonly of: Expression
  /** The name of each result; undefined where they make a tuple. */
  readonly resultName: Expression | undefined
  readonly result: Expression
  readonly condition: Expression | undefined
  /** Whether results of one name are put together: `...`. */
  readonly isGrouped: boolean
}

/** What a splat calls the element that it is at. No text can name it so. */
export const elementName = '*'

/** A member by its name, or an element by what stands in the brackets. */
export type Step =
  | { readonly is: 'name'; readonly name: string }
  | { readonly is: 'index'; readonly index: Expression }

export type UnaryOperator = '!' | '-'
export type BinaryOperator = keyof typeof binding

/** How tightly operators hold their operands together; those of one tightness go from left to right. */
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

/** A reference as it stands in the text: its names up to the first one that has to be worked out. */
export function namesOf(root: string, steps: readonly Step[]): readonly string[] {
  const end = steps.findIndex(step => step.is !== 'name')
  const named = end < 0 ? steps : steps.slice(0, end)
  return [root, ...named.map(step => (step.is === 'name' ? step.name : ''))]
}

/** The steps of a reference as far as the text alone tells them: names, and constants in brackets. */
export function fixedSteps(steps: readonly Step[]): readonly KnownStep[] {
  const fixed: KnownStep[] = []
  for (const step of steps) {
    if (step.is === 'name') fixed.push({ index: ofText(step.name), isNamed: true })
    else if (step.index.is === 'literal') fixed.push({ index: step.index.value, isNamed: false })
    else break
  }
  return fixed
}

/** A step, worked out. */
export interface KnownStep {
  readonly index: Typed
  /** Whether it stands behind a dot. */
  readonly isNamed: boolean
}

/** Everything that an expression refers to outside of itself. */
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

/** What the names inside of an expression stand for is no reference out of it. */
function isNotNamed(own: readonly string[]) {
  return ({ root }: Reference) => !own.includes(root)
}

function inSteps(steps: readonly Step[]): readonly Reference[] {
  return steps.flatMap(step => (step.is === 'index' ? referencesIn(step.index) : []))
}
