/** Terraform's language: parses files and expressions, and evaluates expressions. See README.md. */
export type { FunctionRow, FunctionRows } from './functions/function-row.ts'
export { evaluate, evaluateDeclared } from './language/evaluate.ts'
export {
  type Expression,
  fixedSteps,
  type KnownStep,
  namesOf,
  type Reference,
  referencesIn,
  type Step,
} from './language/expression.ts'
export { conditionOf, into, notKnown, requireKnown } from './language/operators.ts'
export { parseExpression, parseTemplate } from './language/parse-expression.ts'
export { type HclBlock, HclError, HclReader, parseHcl } from './language/parse-file.ts'
export { constants, type Engine, type Files, requireDeclared, type Scope } from './language/scope.ts'
export { isName } from './language/tokens.ts'
export {
  anything,
  parseTypeConstraint,
  type TypeConstraint,
  unreadableType,
} from './language/type-constraint.ts'
export { deepestExpression, ValueSizes, Work } from './limits.ts'
export * from './values.ts'
