import type { ExactJson } from '../../hcl/index.ts'

import type { Expressions } from '../read/expression-of.ts'
import { modulesIn, prefixOf, type StackModule } from '../read/module-tree.ts'
import { explicitNeedsOf, needsOf, providerOf, referencesOf } from '../read/references-of.ts'
import { type Block, membersOf, providerAddress, type StackFile } from '../read/stack-file.ts'
import { isRepeated } from './instances.ts'

/** A block of a stack, or of a module below it. */
export interface GraphNode {
  readonly module: StackModule
  readonly block: Block
}

/** All blocks of a stack and its modules, by their whole addresses, and what each of them needs. */
export interface ModuleGraph {
  readonly nodes: ReadonlyMap<string, GraphNode>
  readonly needs: ReadonlyMap<string, ReadonlySet<string>>
}

/**
 * What has to be worked out before what. The blocks of a module wait for what they refer to, not for all that the
 * module is given, so two modules may take from each other what goes in no circle.
 *
 * | a block of a module      | needs                                                                   |
 * |--------------------------|-------------------------------------------------------------------------|
 * | each                     | how often the module is called, and what it refers to                   |
 * | a variable               | what the call gives it                                                  |
 * | a resource, a data source | its provider, and what the block and the calls around it depend on     |
 */
export function graphOf(root: StackModule, expressions: Expressions): ModuleGraph {
  const nodes = new Map<string, GraphNode>()
  const needs = new Map<string, ReadonlySet<string>>()
  for (const module of modulesIn(root)) {
    for (const block of module.file.blocks) {
      const id = `${prefixOf(module)}${block.address}`
      nodes.set(id, { module, block })
      needs.set(id, new Set(needsIn(module, block, expressions)))
    }
    needs.set(wholeOf(module), new Set(wholeNeeds(module)))
  }
  return { nodes, needs }
}

/** The configuration of the stack that a module means by a name of its own; undefined where it is given none. */
export function stackProvider({ caller, file }: StackModule, address: string): string | undefined {
  if (!caller) return address
  const { localName } = caller.module.file
  const outside = givenProviders(caller.block, file).get(address)
  // Without a word a module takes the one without an alias.
  if (outside === undefined && address !== providerAddress(file.localName)) return undefined
  const outer = outside === undefined ? providerAddress(localName) : providerOf(outside, localName)
  return outer === undefined ? undefined : stackProvider(caller.module, outer)
}

/** What a call gives a module in place of its own configurations of our provider, by the addresses that those have in it. */
export function givenProviders(
  { body }: Block,
  { localName }: Pick<StackFile, 'localName'>,
): ReadonlyMap<string, ExactJson> {
  return new Map(
    Object.entries(membersOf(body.providers)).flatMap(([inside, outside]) => {
      const address = providerOf(inside, localName)
      return address === undefined ? [] : [[address, outside]]
    }),
  )
}

/** What a call gives of our provider under a name that the module does not know it by: it would reach nothing. */
export function misnamedProviders(
  { body }: Block,
  { caller, called }: { readonly caller: StackFile; readonly called: StackFile },
): readonly string[] {
  return Object.entries(membersOf(body.providers)).flatMap(([inside, outside]) => {
    const isOurs = providerOf(outside, caller.localName) !== undefined
    return isOurs && providerOf(inside, called.localName) === undefined ? [inside] : []
  })
}

/** Stands for all that a module declares, as something that depends on the module sees it. */
function wholeOf({ address }: StackModule): string {
  return `${address} `
}

function wholeNeeds(module: StackModule): readonly string[] {
  const own = module.file.blocks.map(({ address }) => `${prefixOf(module)}${address}`)
  return [...own, ...[...module.calls.values()].map(wholeOf)]
}

function needsIn(module: StackModule, block: Block, expressions: Expressions): readonly string[] {
  const { caller } = module
  const isCalled = caller ? [module.address] : []
  const given =
    caller && block.is === 'variable'
      ? referencesOf(caller.block.body[block.name], expressions).flatMap(each =>
          referenced(caller.module, each),
        )
      : []
  const own = needsOf(block, expressions).flatMap(each => referenced(module, each))
  if (block.is !== 'resource' && block.is !== 'data') {
    const explicit = block.is === 'module' ? [] : explicitIn(module, block)
    return [...isCalled, ...given, ...own, ...explicit]
  }
  const provider = stackProvider(module, providerOf(block.body.provider, module.file.localName) ?? '')
  const explicit = explicitIn(module, block).filter(each => each !== `${prefixOf(module)}${block.address}`)
  return [...isCalled, ...own, ...explicit, ...explicitAround(module), provider ?? '']
}

/** What a reference in a module is about. */
function referenced(module: StackModule, address: string): readonly string[] {
  const prefix = prefixOf(module)
  const [root, name = '', output] = address.split('.')
  if (root !== 'module') return [`${prefix}${address}`]
  const call = `${prefix}module.${name}`
  const called = module.calls.get(name)
  const outputs = called?.file.blocks.filter(({ is }) => is === 'output') ?? []
  // The instances of a module are seen as a whole.
  const isWhole = !called?.caller || isRepeated(called.caller.block)
  const meant = isWhole ? [] : outputs.filter(each => each.name === output)
  return [call, ...(meant.length > 0 ? meant : outputs).map(each => `${call}.${each.address}`)]
}

function explicitIn(module: StackModule, block: Block): readonly string[] {
  return explicitNeedsOf(block).flatMap(address => {
    const [root, name = ''] = address.split('.')
    if (root !== 'module') return [`${prefixOf(module)}${address}`]
    const called = module.calls.get(name)
    return called ? [wholeOf(called)] : []
  })
}

/** What the calls depend on that lead to a module. */
function explicitAround({ caller }: StackModule): readonly string[] {
  return caller ? [...explicitIn(caller.module, caller.block), ...explicitAround(caller.module)] : []
}
