import { meantHint } from '../model/text/did-you-mean.ts'
import { expectBlocks, type Verdict } from './block-expectation.ts'
import { namedAmong } from './expected/attribute-names.ts'
import type { Equals } from './expected/differences.ts'
import { type BlockOptions, blockOptions } from './expected/options.ts'
import { requireKnown } from './require-known.ts'
import { blocksOf } from './stack-blocks.ts'
import type { Subject } from './subject.ts'

/** What an output has, as a construct names it or as Terraform does. */
export type OutputAttributes = Readonly<Record<string, unknown>>

/** Whether a subject has an output of this name: its logical id, which is the one that it was made with at the top of a stack. */
export function haveOutput(
  subject: Subject,
  name: string,
  attributes: OutputAttributes,
  options: BlockOptions,
  equals: Equals,
): Verdict {
  requireKnown(name, 'name')
  requireKnown(attributes, 'attributes')
  const { times, stack } = blockOptions(options)
  const expected = namedAmong(members, attributes, 'an output')
  const outputs = blocksOf(subject, stack).filter(({ type }) => type === 'output')
  const blocks = outputs.filter(({ path }) => path === `output.${name}`)
  const sensitive = blocks.some(block => block.attributes.sensitive === true) ? ['value'] : []
  const names = outputs.map(({ path }) => path.slice('output.'.length)).sort()
  return expectBlocks(
    {
      blocks,
      called: `output "${name}"`,
      otherwise: () =>
        names.length === 0
          ? 'no outputs'
          : `none; ${meantHint(name, names, `there are ${names.join(', ')}`)}`,
      expected,
      times,
      sensitive: new Set(sensitive),
    },
    equals,
  )
}

const members = ['value', 'description', 'sensitive', 'depends_on', 'precondition', 'ephemeral']
