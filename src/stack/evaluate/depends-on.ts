import { invalid } from '../../cty/invalid-value.ts'
import { parseTemplate } from '../language/parse-expression.ts'
import { requireDeclared } from '../language/scope.ts'
import { withoutBraces } from '../read/references-of.ts'
import type { Block } from '../read/stack-file.ts'
import type { StackProblems, Subject } from './stack-problems.ts'
import type { Means } from './stack-scope.ts'

/** Refuses to depend on what is not there: it would be done in another order than is meant. */
export function checkDependsOn(
  place: Subject,
  { body: { depends_on: explicit } }: Block,
  { scope, problems }: Means & { readonly problems: StackProblems },
): void {
  if (explicit === undefined || explicit === null) return
  problems.attempt(place, 'depends_on', () => {
    if (!Array.isArray(explicit)) throw invalid('it has to be a list of addresses')
    for (const address of explicit) {
      if (typeof address !== 'string') throw invalid('it has something that is no address')
      requireDeclared(parseTemplate(`\${${withoutBraces(address)}}`), scope)
    }
  })
}
