import type { Typed } from '../../cty/typed.ts'
import { evaluate } from './evaluate-expression.ts'
import { requireDeclared, type Scope } from './scope.ts'
import type { Expression } from './syntax.ts'

/** The value of an expression of a configuration, all names of which are declared, also where nobody comes to them. */
export function evaluateDeclared(expression: Expression, scope: Scope): Typed {
  requireDeclared(expression, scope)
  return evaluate(expression, scope)
}
