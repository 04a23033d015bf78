import type { ExactJson } from '../../cty/encoding/json-value.ts'
import { invalid } from '../../cty/invalid-value.ts'
import { parseTemplate } from '../language/parse-expression.ts'
import { requireDeclared } from '../language/scope.ts'
import { namesOf, type Reference } from '../language/syntax.ts'
import { withoutBraces } from '../read/references-of.ts'
import type { Block } from '../read/stack-file.ts'
import type { StackProblems, Subject } from './stack-problems.ts'
import { addressOf, type Means } from './stack-scope.ts'

/** Refuses to depend on what is not there: it would be done in another order than is meant. */
export function checkDependsOn(
  place: Subject,
  { body: { depends_on: explicit } }: Block,
  { scope, problems }: Means & { readonly problems: StackProblems },
): void {
  if (explicit === undefined) return
  problems.attempt(place, 'depends_on', () => {
    if (!Array.isArray(explicit)) throw invalid('it has to be a list of addresses')
    for (const address of explicit) {
      const reference = referenceOf(address)
      requireDeclared(reference, scope)
      requireWhole(reference)
    }
  })
}

function referenceOf(address: ExactJson): Reference {
  if (typeof address !== 'string') throw invalid('it has something that is no address')
  const parsed = parseTemplate(`\${${withoutBraces(address)}}`)
  if (parsed.is !== 'reference') throw invalid(`${JSON.stringify(address)} is no address`)
  return parsed
}

/** Of what is depended on, one instance can be named, and nothing in it. */
function requireWhole({ root, steps }: Reference): void {
  const address = addressOf(namesOf(root, steps))
  if (address === undefined) return
  const inside = steps.slice(address.split('.').length - 1)
  if (inside[0]?.is === 'index' ? inside.length > 1 : inside.length > 0)
    throw invalid(`it names something in ${address}`, `write ${address}`)
}
