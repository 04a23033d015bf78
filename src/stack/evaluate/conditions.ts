import { convert } from '../../cty/convert.ts'
import { type ExactJson, type ExactObject, isExactObject } from '../../cty/encoding/json-value.ts'
import { findSensitive } from '../../cty/marks.ts'
import { withoutMarks } from '../../cty/unmarked.ts'
import { requireKnown, type Scope } from '../language/evaluate-expression.ts'
import type { Expressions } from '../language/expression-of.ts'
import { bodiesIn } from '../read/stack-file.ts'
import { attempt } from './attributes.ts'
import type { StackProblems, Subject } from './stack-problems.ts'

type Condition = 'precondition' | 'postcondition' | 'validation'

/** Checks what a configuration says has to hold. Where that cannot be told, it is refused too. */
export function checkConditions(
  place: Subject,
  body: ExactJson | ExactObject | undefined,
  options: { readonly scope: Scope; readonly expressions: Expressions; readonly problems: StackProblems },
  kinds: readonly Condition[],
): void {
  const members = isExactObject(body) ? body : {}
  for (const kind of kinds) {
    for (const [index, { condition = null, error_message: message = null }] of bodiesIn(
      members[kind],
    ).entries()) {
      const field = `${kind}[${index}]`
      const holds = attempt(condition, `${field}.condition`, { place, ...options }, value => {
        const shown = withoutMarks(value)
        requireKnown(shown.plain, 'the condition')
        return convert(shown, 'bool').plain
      })
      if (holds === undefined || holds === true) continue
      const words = attempt(message, `${field}.error_message`, { place, ...options }, ({ plain }) => plain)
      if (words === undefined) continue
      const shown = findSensitive(words) || typeof words !== 'string' ? 'it does not hold' : words
      options.problems.add(place, { code: 'stack-condition', message: `${place.address}.${field}: ${shown}` })
    }
  }
}
