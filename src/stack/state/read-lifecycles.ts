import { join } from 'node:path'
import { type HclBlock, HclReader, Refusal } from '../../hcl/index.ts'
import { FileError, listFolder, readTextFile } from '../../model/files.ts'
import { deepestModule, largestFile } from '../../model/limits.ts'

/** What a configuration asks of the engine for a resource. No state has it. */
export interface Lifecycle {
  readonly isProtected: boolean
  /** The attributes under `ignore_changes`, or `all`. */
  readonly ignored: readonly string[]
  /** The names of what else it asks. */
  readonly others: readonly string[]
}

type Lifecycles = ReadonlyMap<string, Lifecycle>

/** The lifecycle of each resource in a folder and in its own modules, by the address without keys. A file that cannot be read has none. */
export async function readLifecycles(
  folder: string,
  prefix = '',
  levels = deepestModule,
): Promise<Lifecycles> {
  const found = new Map<string, Lifecycle>()
  const names = await listFolder(folder).catch(unlessFile<readonly string[]>([]))
  for (const name of names.filter(each => each.endsWith('.tf'))) {
    const text = await readTextFile(join(folder, name), largestFile).catch(unlessFile(''))
    for (const [block, readValue] of blocksIn(text)) {
      const { type, labels } = block
      const source = readValue(block, 'source')
      if (type === 'resource') found.set(`${prefix}${labels.join('.')}`, lifecycleOf(block, readValue))
      if (type !== 'module' || !/^\.\.?\//.test(source) || levels === 0) continue
      const below = await readLifecycles(join(folder, source), `${prefix}module.${labels[0]}.`, levels - 1)
      for (const [address, lifecycle] of below) found.set(address, lifecycle)
    }
  }
  return found
}

/** An attribute of a block as it is written, without quotes and brackets; empty where there is none. */
type ReadValue = (block: HclBlock, name: string) => string

function blocksIn(text: string): [HclBlock, ReadValue][] {
  const reader = new HclReader(text)
  const readValue: ReadValue = ({ body }, name) => {
    const found = body.attributes.find(attribute => attribute.name === name)
    return found ? reader.textOf(found.expression).replace(/["\s]|^\[|\]$/g, '') : ''
  }
  try {
    return reader.file().blocks.map(block => [block, readValue])
  } catch (error) {
    if (error instanceof Refusal) return []
    throw error
  }
}

function lifecycleOf({ body }: HclBlock, readValue: ReadValue): Lifecycle {
  const own = body.blocks.filter(({ type }) => type === 'lifecycle')
  const names = own.flatMap(({ body: { attributes, blocks } }) => [
    ...attributes.map(({ name }) => name),
    ...blocks.map(({ type }) => type),
  ])
  return {
    isProtected: own.some(block => readValue(block, 'prevent_destroy') === 'true'),
    ignored: own.flatMap(block => readValue(block, 'ignore_changes').split(',')).filter(name => name !== ''),
    others: names.filter(name => name !== 'prevent_destroy' && name !== 'ignore_changes'),
  }
}

function unlessFile<T>(instead: T): (error: unknown) => T {
  return error => {
    if (error instanceof FileError) return instead
    throw error
  }
}
