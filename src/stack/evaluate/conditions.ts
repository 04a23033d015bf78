import {
  conditionOf,
  type ExactJson,
  type ExactObject,
  findSensitive,
  invalid,
  isExactObject,
  notKnown,
  requireDeclared,
  type Scope,
  Unknown,
} from '../../hcl/index.ts'

import { nounOf } from '../../model/json/json-shape.ts'
import type { Expressions } from '../read/expression-of.ts'
import { bodiesIn, notBodiesIn, requireMembers } from '../read/stack-file.ts'
import { attempt } from './attributes.ts'
import type { StackProblems, Subject } from './stack-problems.ts'

/** The code of problems of what a configuration says has to hold; of a `check` block they are warnings. */
export const conditionCode = 'stack-condition'

type Condition = 'precondition' | 'postcondition' | 'validation' | 'assert'

/**
 * Checks what a configuration says has to hold. Where that cannot be told, it is refused too, but for `check` blocks: they look
 * at what is there, and Terraform goes on with a warning whatever they find.
 */
export function checkConditions(
  place: Subject,
  body: ExactJson | ExactObject | undefined,
  options: { readonly scope: Scope; readonly expressions: Expressions; readonly problems: StackProblems },
  kinds: readonly Condition[],
): void {
  const members = isExactObject(body) ? body : {}
  for (const kind of kinds) {
    for (const { json } of notBodiesIn(members[kind], 0, []))
      options.problems.refuse(place, kind, invalid(`a condition is an object, and this is ${nounOf(json)}`))
    for (const [index, body] of bodiesIn(members[kind]).entries()) {
      const field = `${kind}[${index}]`
      const { condition = null, error_message: message = null } = body
      const { expressions, scope, problems } = options
      const isWritten = problems.attempt(place, field, () => {
        requireMembers(body, ['condition', 'error_message'])
        if (message === null) throw invalid('it has no error_message')
        requireDeclared(expressions.of(message), scope)
        return true
      })
      const holds = attempt(condition, `${field}.condition`, { place, ...options }, value => {
        const { holds } = conditionOf(value)
        if (!(holds instanceof Unknown)) return holds
        if (kind !== 'assert') throw notKnown(holds, 'the condition')
        const { message: words } = notKnown(holds, 'the condition')
        options.problems.add(place, {
          code: conditionCode,
          severity: 'warning',
          message: `${place.address}.${field}: ${words}, so it is not checked`,
        })
        return true
      })
      if (holds === undefined || holds === true || !isWritten) continue
      const words = attempt(message, `${field}.error_message`, { place, ...options }, ({ plain }) => plain)
      if (words === undefined) continue
      const shown = findSensitive(words) || typeof words !== 'string' ? 'it does not hold' : words
      options.problems.add(place, {
        code: conditionCode,
        severity: kind === 'assert' ? 'warning' : 'error',
        message: `${place.address}.${field}: ${shown}`,
      })
    }
  }
}
