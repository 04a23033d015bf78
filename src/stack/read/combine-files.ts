import { type ExactJson, invalid, isExactObject, unsupported } from '../../hcl/index.ts'

import { type StackProblems, subjectOf } from '../evaluate/stack-problems.ts'
import type { ModuleFile } from './module-folder.ts'
import { parseStack } from './parse-stack.ts'
import { localNameIn } from './provider-names.ts'
import { type Block, bodiesIn, membersOf, providerAddress, type StackFile } from './stack-file.ts'

/**
 * The files of a module, or of a stack, as one. Engines merge files of overrides into what the others declare, in the order of
 * their names:
 *
 * | in an override                             | engines                                           |
 * |--------------------------------------------|---------------------------------------------------|
 * | an argument, a rule of `lifecycle`         | take it in place of the one that is declared      |
 * | an empty `ignore_changes`, or one of `all` | change nothing by it                              |
 * | `depends_on`, conditions, `check`          | refuse it                                         |
 * | `import`, `moved`, `removed`               | refuse it                                         |
 * | what no other file declares                | refuse it, but for the provider without an alias  |
 */
export function combineFiles(
  files: readonly ModuleFile[],
  prefix: string,
  problems: StackProblems,
): StackFile {
  const localName = localNameIn(files.map(({ json }) => json))
  const parsed = files.map(file => {
    const { json, sourceOf } = file
    return { ...file, ...parseStack(json, problems, { prefix, localName, ...(sourceOf && { sourceOf }) }) }
  })
  const read = parsed.filter(({ isOverride }) => !isOverride)
  const [, again] = read
    .flatMap(({ json }) => bodiesIn(membersOf(json).terraform))
    .flatMap(terraform => bodiesIn(terraform.required_providers))
  if (again)
    problems.refuse(
      { address: `${prefix}terraform.required_providers` },
      '',
      invalid('it is declared twice', 'keep one of them'),
    )
  const blocks = read.flatMap(file => file.blocks)
  for (const file of parsed.filter(({ isOverride }) => isOverride)) {
    for (const name of ['import', 'moved', 'removed'])
      for (const body of bodiesIn(membersOf(file.json)[name]))
        problems.refuse(
          { address: `${prefix}${name}`, source: file.sourceOf?.(body) },
          '',
          invalid('a file of overrides cannot have it', 'write it into another file'),
        )
    for (const block of file.blocks)
      problems.attempt(subjectOf(`${prefix}${block.address}`, block), '', () =>
        override(blocks, block, localName),
      )
  }
  const statePath = parsed.findLast(file => file.statePath !== undefined)?.statePath
  return {
    localName,
    ...(statePath === undefined ? {} : { statePath }),
    blocks,
    imports: read.flatMap(({ imports }) => imports),
    moved: read.flatMap(({ moved }) => moved),
    removed: read.flatMap(({ removed }) => removed),
  }
}

function override(blocks: Block[], block: Block, localName: string): void {
  const members = [...Object.keys(block.body), ...Object.keys(membersOf(block.body.lifecycle))]
  const fixed = block.is === 'check' ? 'a check' : members.find(name => cannotChange.has(name))
  if (fixed !== undefined) throw invalid(`${fixed} cannot be overridden`, 'write it into another file')
  const at = blocks.findIndex(({ address }) => address === block.address)
  const declared = blocks[at]
  if (declared !== undefined) blocks[at] = merged(declared, block)
  else if (block.address === providerAddress(localName)) blocks.push(block)
  else throw invalid('it overrides what no other file declares', 'is its name spelled as there?')
}

const cannotChange: ReadonlySet<string> = new Set([
  'depends_on',
  'precondition',
  'postcondition',
  'validation',
])

function merged(declared: Block, { body: { lifecycle, ...body } }: Block): Block {
  // Engines convert the default to the type that was declared first.
  if (declared.is === 'variable' && 'type' in body && !('default' in body) && 'default' in declared.body)
    throw unsupported('an override of the type alone', 'write the default there too')
  const rules = overriddenRules(declared.body.lifecycle, lifecycle)
  return {
    ...declared,
    body: { ...declared.body, ...body, ...(rules === undefined ? {} : { lifecycle: rules }) },
  }
}

function overriddenRules(
  declared: ExactJson | undefined,
  written: ExactJson | undefined,
): ExactJson | undefined {
  if (!isExactObject(written)) return written ?? declared
  const { ignore_changes: ignored = [] } = written
  const { ignore_changes: before = [] } = membersOf(declared)
  // Of texts, only `all` can be there.
  const isKept = (Array.isArray(ignored) && ignored.length === 0) || typeof before === 'string'
  return { ...membersOf(declared), ...written, ignore_changes: isKept ? before : ignored }
}
