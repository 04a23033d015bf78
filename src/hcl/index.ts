/** Terraform's language: parses files and expressions, and evaluates expressions. See README.md. */
export type { FunctionRow, FunctionRows } from './functions/function-row.ts'
export { conditionOf, evaluate, evaluateDeclared, into, notKnown, requireKnown } from './language/evaluate.ts'
export {
  constants,
  deepestExpression,
  type Engine,
  type Expression,
  type Files,
  fixedSteps,
  type KnownStep,
  namesOf,
  type Reference,
  referencesIn,
  requireDeclared,
  type Scope,
  type Step,
  ValueSizes,
  Work,
} from './language/expression.ts'

export { parseExpression, parseTemplate } from './language/parse-expression.ts'
export { type HclBlock, HclError, HclReader, parseHcl } from './language/parse-file.ts'

export { isName } from './language/template.ts'
export {
  anything,
  parseTypeConstraint,
  type TypeConstraint,
  unreadableType,
} from './language/type-constraint.ts'

export * from './values.ts'
