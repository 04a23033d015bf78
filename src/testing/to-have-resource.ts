import type { Json } from '../model/json/json.ts'
import { didYouMean } from '../model/text/did-you-mean.ts'
import { asymmetricText, isAsymmetric } from './expected/asymmetric.ts'
import { asSynthesized } from './expected/attribute-names.ts'
import { type Difference, differencesIn, type Equals, plainText } from './expected/differences.ts'
import { requireKnown } from './require-known.ts'
import { type ResourceType, resourcesOf, type StackResource, typeName } from './stack-resources.ts'
import type { Subject } from './subject.ts'

/** What a matcher answers the test framework with. */
export interface Verdict {
  readonly pass: boolean
  readonly message: () => string
}

/**
 * Whether a stack has a resource of a type with these attributes, under their names in Terraform or in constructs. The
 * message of a failure names the resource that comes nearest and what it lacks.
 */
export function haveResource(
  subject: Subject,
  type: ResourceType,
  attributes: Readonly<Record<string, unknown>>,
  equals: Equals,
): Verdict {
  requireKnown(type, 'type')
  requireKnown(attributes, 'attributes')
  const name = typeName(type)
  const expected = asSynthesized(name, attributes)
  const all = resourcesOf(subject)
  const candidates = (all.get(name) ?? []).map(resource => ({
    resource,
    differences: differencesIn(resource.attributes, expected, equals),
  }))
  const found = candidates.find(({ differences }) => differences.length === 0)
  if (found) {
    return {
      pass: true,
      message: () => `expected no ${name} like ${found.resource.address}, and there it is`,
    }
  }
  const [nearest] = candidates.sort((left, right) => left.differences.length - right.differences.length)
  return {
    pass: false,
    message: () =>
      nearest === undefined
        ? `expected a ${name}, but the stack has ${typesIn([...all.keys()], name)}`
        : [
            `expected a ${name} with these attributes; of ${candidates.length}, ${nearest.resource.address} comes nearest:`,
            ...nearest.differences.map(difference => differenceLine(difference, nearest.resource)),
          ].join('\n'),
  }
}

function typesIn(types: readonly string[], wanted: string): string {
  if (types.length === 0) return 'no resources at all'
  const near = didYouMean(wanted, types)
  return near === undefined ? `only ${[...types].sort().join(', ')}` : `none; did you mean "${near}"?`
}

function differenceLine({ pointer, expected, actual }: Difference, { attributes }: StackResource): string {
  const wanted = `  ${pointer}: expected ${shown(expected)}, got ${shown(actual)}`
  const [, first = ''] = pointer.split('/')
  const snake = first.replaceAll(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
  const isSpelledOtherwise = actual === undefined && snake !== first && snake in attributes
  return isSpelledOtherwise ? `${wanted}; a synthesized stack spells it "${snake}"` : wanted
}

function shown(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (typeof value === 'string') return JSON.stringify(plainText(value))
  if (isAsymmetric(value)) return asymmetricText(value)
  // What cannot be JSON is shown as it calls itself.
  return JSON.stringify(value as Json) ?? String(value)
}
