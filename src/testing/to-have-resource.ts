import { didYouMean } from '../model/text/did-you-mean.ts'
import { expectBlocks, type Verdict } from './block-expectation.ts'
import { asSynthesized, sensitiveIn } from './expected/attribute-names.ts'
import type { Equals } from './expected/differences.ts'
import { type BlockOptions, blockOptions } from './expected/options.ts'
import { requireKnown } from './require-known.ts'
import { blocksOf, type ResourceType, typeName } from './stack-blocks.ts'
import type { Subject } from './subject.ts'

/** Attributes under their names in constructs or in Terraform. */
export type Attributes = Readonly<Record<string, unknown>>

/** Whether a subject has resources of a type, or data sources of one, with these attributes. */
export function haveResource(
  subject: Subject,
  type: ResourceType,
  attributes: Attributes,
  options: BlockOptions,
  equals: Equals,
): Verdict {
  requireKnown(type, 'type')
  return haveBlocks(subject, typeName(type), attributes, options, equals)
}

/** The same of data sources alone, whose type may be given as Terraform has it, without `data.`. */
export function haveDataSource(
  subject: Subject,
  type: ResourceType,
  attributes: Attributes,
  options: BlockOptions,
  equals: Equals,
): Verdict {
  requireKnown(type, 'type')
  const name = typeName(type)
  if (typeof type !== 'string' && !name.startsWith('data.'))
    throw new Error(`${name} is a resource, which toHaveResource looks for`)
  const data = name.startsWith('data.') ? name : `data.${name}`
  return haveBlocks(subject, data, attributes, options, equals)
}

/** The same of configurations of a provider: `VexilProvider`, or its name. */
export function haveProvider(
  subject: Subject,
  provider: ResourceType,
  attributes: Attributes,
  options: BlockOptions,
  equals: Equals,
): Verdict {
  requireKnown(provider, 'provider')
  return haveBlocks(subject, `provider.${typeName(provider)}`, attributes, options, equals)
}

function haveBlocks(
  subject: Subject,
  type: string,
  attributes: Attributes,
  options: BlockOptions,
  equals: Equals,
): Verdict {
  const { times, stack } = blockOptions(options)
  requireKnown(attributes, 'attributes')
  const expected = asSynthesized(type, attributes)
  const all = blocksOf(subject, stack)
  return expectBlocks(
    {
      blocks: all.filter(block => block.type === type),
      called: type,
      otherwise: () => typesIn([...new Set(all.map(block => block.type))].filter(isLike(type)), type),
      expected,
      times,
      sensitive: sensitiveIn(type),
    },
    equals,
  )
}

/** Resources and data sources are told apart from providers and outputs. */
function isLike(type: string): (other: string) => boolean {
  const isProvider = type.startsWith('provider.')
  return other => other !== 'output' && other.startsWith('provider.') === isProvider
}

function typesIn(types: readonly string[], wanted: string): string {
  if (types.length === 0) return wanted.startsWith('provider.') ? 'no provider at all' : 'no resources at all'
  const near = didYouMean(wanted, types)
  return near === undefined ? `only ${[...types].sort().join(', ')}` : `none; did you mean "${near}"?`
}
