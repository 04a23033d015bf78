import { basicExpressions } from './basic-expressions.ts'
import { edgeExpressions } from './edge-expressions.ts'
import { encodingExpressions } from './encoding-expressions.ts'
import { numberExpressions } from './number-expressions.ts'
import { otherExpressions } from './other-expressions.ts'
import { repeatingExpressions } from './repeating-expressions.ts'
import { textExpressions } from './text-expressions.ts'
import { yamlExpressions } from './yaml-expressions.ts'
import { zeroExpressions } from './zero-expressions.ts'

/** Expressions whose answers are compared with Terraform's own. */
export const expressions: readonly string[] = [
  ...new Set([
    ...basicExpressions,
    ...repeatingExpressions,
    ...zeroExpressions,
    ...textExpressions,
    ...encodingExpressions,
    ...otherExpressions,
    ...yamlExpressions,
    ...edgeExpressions,
    ...numberExpressions,
  ]),
]
