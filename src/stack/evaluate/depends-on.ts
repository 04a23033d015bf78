import {
  type ExactJson,
  fixedSteps,
  invalid,
  namesOf,
  type Reference,
  requireDeclared,
} from '../../hcl/index.ts'

import { referenceIn } from '../read/references-of.ts'
import type { Block } from '../read/stack-file.ts'
import type { StackProblems, Subject } from './stack-problems.ts'
import { addressIn, type Means } from './stack-scope.ts'

/** Refuses a dependency on something missing: the order would differ from the intended one. */
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
  const parsed = referenceIn(address)
  if (!parsed) throw invalid(`${JSON.stringify(address)} is no address`)
  return parsed
}

/** A dependency can name an instance or an output, but nothing inside it. */
function requireWhole({ root, steps }: Reference): void {
  const addressed = addressIn(namesOf(root, steps))
  if (!addressed) return
  const { address, taken } = addressed
  const inside = steps.slice(taken - 1)
  if (fixedSteps(inside).length < inside.length)
    throw invalid(`which of ${address} it names is worked out`, `write ${address}, or a constant`)
  const isValue = root === 'var' || root === 'local'
  const [key, output, ...more] = isValue ? [undefined, ...inside] : inside
  const isOutput = root === 'module' && key?.is === 'index' && output?.is === 'name'
  if (key?.is === 'name' || (output && !isOutput) || more.length > 0)
    throw invalid(`it names something in ${address}`, `write ${address}`)
}
