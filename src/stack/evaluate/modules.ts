import {
  consequence,
  convert,
  countOf,
  type ExactJson,
  type Expression,
  evaluateDeclared,
  findSensitive,
  into,
  invalid,
  isListValue,
  isNumber,
  isObjectValue,
  type KnownStep,
  membersOf,
  nothing,
  nounOf,
  object,
  ofNumber,
  ofText,
  Refusal,
  requireKnown,
  type Scope,
  Sensitive,
  type Typed,
  textOf,
  truncate,
  tuple,
  Unknown,
  undeclared,
  unknownOf,
  unsupported,
} from '../../hcl/index.ts'
import { meantHint } from '../../model/text/names.ts'
import { type Expressions, explicitNeedsOf, needsOf, providerOf, referencesOf } from '../expressions.ts'
import { modulesIn, prefixOf, type StackModule } from '../module-tree.ts'
import { type Block, blockMembers, once, providerAddress, type StackFile } from '../stack-file.ts'
import { dataSourceSchemas, resourceSchemas, type Schema } from './attributes.ts'

/** The names that exist only inside one instance: `each`, `count`, `self`. */
export type LocalNames = Readonly<Record<string, Typed>>

export interface Caller {
  readonly module: ModuleInstance
  readonly block: Block
  readonly instance: Instance
}

/** One instance of a module, or the stack itself, with its evaluated values. */
export class ModuleInstance {
  readonly module: StackModule
  readonly caller: Caller | undefined
  /** The prefix of its addresses: `module.shop["de"].`; empty for the stack. */
  readonly prefix: string
  /** All values, by their address in the module; undefined for refused ones and those that come later. */
  readonly workedOut = new Map<string, (() => Typed | undefined) | undefined>()
  readonly #resources: ReadonlyMap<string, Block>
  readonly #calls = new Map<string, Called>()
  readonly #declared = new Map<string, WeakSet<Expression>>()

  constructor(module: StackModule, caller?: Caller) {
    this.module = module
    this.caller = caller
    this.prefix = caller ? `${caller.module.prefix}${caller.block.address}${caller.instance.suffix}.` : ''
    for (const { address } of module.file.blocks) this.workedOut.set(address, undefined)
    const resources = module.file.blocks.filter(({ is }) => is === 'resource' || is === 'data')
    this.#resources = new Map(resources.map(block => [block.address, block]))
  }

  get path(): string {
    return this.module.path
  }

  /** The names that exist only in the calling instance, where the arguments are evaluated. */
  get callerNames(): LocalNames {
    return this.caller?.instance.local ?? {}
  }

  addressOf({ address }: Pick<Block, 'address'>): string {
    return `${this.prefix}${address}`
  }

  /** Throws a refusal if the resource or data source does not have the path. */
  requireInside(address: string, steps: readonly KnownStep[]): void {
    const block = this.#resources.get(address)
    const [first, second] = steps
    const isOfModule = address.startsWith('module.') && address.split('.').length === 2
    if (isOfModule && first?.isNamed === false && second?.isNamed === false)
      throw undeclared(`an instance of ${address} has outputs, not elements`, `write ${address}[...].name`)
    if (!block || !first) return
    const schemas = block.is === 'resource' ? resourceSchemas : dataSourceSchemas
    const attributes = schemas.get(block.type)?.attributes
    if (isRepeated(block)) requireKey(block, first, attributes)
    else if (!first.isNamed)
      throw undeclared(`there is only one ${address}, without count or for_each`, 'remove the brackets')
    const [attribute, ...rest] = isRepeated(block) ? steps.slice(1) : steps
    if (attributes && attribute) requireAttribute(address, attributes, [attribute, ...rest])
  }

  /** Remembers expressions in which everything is declared, while those names exist. */
  knownDeclared(local: LocalNames): WeakSet<Expression> | undefined {
    // `self` differs from block to block.
    if (Object.hasOwn(local, 'self')) return undefined
    return once(this.#declared, Object.keys(local).join(' '), () => new WeakSet())
  }

  /** Records that a block calls a module for some of its instances. */
  call(block: Block, module: StackModule, instances: readonly Instance[]): readonly ModuleInstance[] {
    const modules = instances.map(instance => new ModuleInstance(module, { module: this, block, instance }))
    const outputs = module.file.blocks.flatMap(({ is, name }) => (is === 'output' ? [name] : []))
    this.#calls.set(block.name, { block, outputs, instances, modules })
    return modules
  }

  /** The value of `module.name.output`, or of the whole module. Throws a refusal if it does not exist. */
  outputOf(name: string, output: string | undefined): { readonly value: Typed; readonly taken: number } {
    const called = this.#calls.get(name)
    if (!called) throw consequence()
    const { block, outputs, modules } = called
    const [only] = modules
    if (isRepeated(block) || output === undefined || !only) return { value: wholeOutput(called), taken: 2 }
    if (outputs.includes(output)) return { value: outputIn(only, output), taken: 3 }
    const listed = outputs.length === 0 ? 'there are none' : `there are ${outputs.join(', ')}`
    throw invalid(
      `${prefixOf({ address: block.address })}${output} is not an output of the module`,
      meantHint(output, outputs, listed),
    )
  }
}

/** Refuses an attribute of all instances together. */
function requireKey({ address, body }: Block, { index, isNamed }: KnownStep, attributes: Schema | undefined) {
  if (!isNamed) return
  const one = `${address}[${body.count === undefined ? 'each.key' : 'count.index'}]`
  const name = String(index.plain)
  throw undeclared(
    `there may be several instances of ${address}`,
    `write which instance is used: ${!attributes || attributes.has(name) ? `${one}.${name}` : one}`,
  )
}

/** Refuses a path that the schema does not have, as Terraform does before it evaluates anything. */
export function requireAttribute(
  address: string,
  attributes: Schema,
  [first, ...rest]: readonly [KnownStep, ...KnownStep[]],
): void {
  const name = textOf(first.index.plain) ?? ''
  if (!first.isNamed)
    throw undeclared(`an instance of ${address} has attributes, not elements`, `write [...].${name}`)
  const attribute = attributes.get(name)
  if (!attribute) {
    const known = [...attributes.keys()]
    throw undeclared(
      `${address} has no attribute ${JSON.stringify(name)}`,
      meantHint(name, known, `there are ${known.join(', ')}`),
    )
  }
  try {
    rest.reduce(into, unknownOf(attribute.type, `${address}.${name}`))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    throw undeclared(`${address}.${name}: ${error.message}`, error.remedy)
  }
}

/** A called module: its instances, and all outputs together if a reference uses the whole module. */
interface Called {
  readonly block: Block
  readonly outputs: readonly string[]
  readonly instances: readonly Instance[]
  readonly modules: readonly ModuleInstance[]
  whole?: Typed
}

function wholeOutput(called: Called): Typed {
  const { block, outputs, instances, modules } = called
  called.whole ??= together(
    block,
    instances,
    modules.map(module => object(outputs.map(name => [name, outputIn(module, name)]))),
  )
  return called.whole
}

function outputIn(module: ModuleInstance, output: string): Typed {
  const value = module.workedOut.get(`output.${output}`)?.()
  if (value === undefined) throw consequence()
  return value
}

/** A block of a stack, or of a module in it. */
export interface GraphNode {
  readonly module: StackModule
  readonly block: Block
}

/** All blocks of a stack and its modules, by full address, with their dependencies. */
export interface ModuleGraph {
  readonly nodes: ReadonlyMap<string, GraphNode>
  readonly needs: ReadonlyMap<string, ReadonlySet<string>>
}

/**
 * The order of evaluation. The blocks of a module wait only for what they refer to, not for all arguments of
 * the module. So two modules may use each other, if no block needs itself in the end.
 *
 * | a block of a module      | needs                                                                   |
 * |--------------------------|-------------------------------------------------------------------------|
 * | each                     | the instances of the module, and what it refers to                      |
 * | a variable               | its argument in the call                                                |
 * | a resource, a data source | its provider, and the `depends_on` of the block and of the calls around it |
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

/** The stack's configuration for a provider name in a module; undefined if the module gets none. */
export function stackProvider({ caller, file }: StackModule, address: string): string | undefined {
  if (!caller) return address
  const { localName } = caller.module.file
  const outside = givenProviders(caller.block, file).get(address)
  // By default, a module uses the configuration without an alias.
  if (outside === undefined && address !== providerAddress(file.localName)) return undefined
  const outer = outside === undefined ? providerAddress(localName) : providerOf(outside, localName)
  return outer === undefined ? undefined : stackProvider(caller.module, outer)
}

/** The configurations of our provider that a call passes to a module, by their addresses in the module. */
export function givenProviders(
  { body }: Block,
  { localName }: Pick<StackFile, 'localName'>,
): ReadonlyMap<string, ExactJson> {
  return new Map(
    Object.entries(blockMembers(body.providers)).flatMap(([inside, outside]) => {
      const address = providerOf(inside, localName)
      return address === undefined ? [] : [[address, outside]]
    }),
  )
}

/** Configurations of our provider that a call passes under a name unknown to the module: no effect. */
export function misnamedProviders(
  { body }: Block,
  { caller, called }: { readonly caller: StackFile; readonly called: StackFile },
): readonly string[] {
  return Object.entries(blockMembers(body.providers)).flatMap(([inside, outside]) => {
    const isOurs = providerOf(outside, caller.localName) !== undefined
    return isOurs && providerOf(inside, called.localName) === undefined ? [inside] : []
  })
}

/** A node for everything in a module, for blocks that depend on the whole module. */
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

/** The nodes that a reference in a module refers to. */
function referenced(module: StackModule, address: string): readonly string[] {
  const prefix = prefixOf(module)
  const [root, name = '', output] = address.split('.')
  if (root !== 'module') return [`${prefix}${address}`]
  const call = `${prefix}module.${name}`
  const called = module.calls.get(name)
  const outputs = called?.file.blocks.filter(({ is }) => is === 'output') ?? []
  // The instances of a module are one node.
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

/** The `depends_on` of all calls that lead to a module. */
function explicitAround({ caller }: StackModule): readonly string[] {
  return caller ? [...explicitIn(caller.module, caller.block), ...explicitAround(caller.module)] : []
}

/** One of the objects of a resource block. */
export interface Instance {
  /** The suffix of the address: nothing, `[0]` or `["a"]`. */
  readonly suffix: string
  readonly key?: string | number
  readonly local: LocalNames
}

/** The objects of a resource block, by its `count` or `for_each`. */
export function instancesOf({ body }: Block, scope: Scope, expressions: Expressions): readonly Instance[] {
  const { count, for_each: forEach } = body
  if (count !== undefined) return countInstances(evaluateDeclared(expressions.of(count), scope))
  if (forEach === undefined) return [{ suffix: '', local: {} }]
  return eachInstances(evaluateDeclared(expressions.of(forEach), scope))
}

/** Whether the instances of a block have keys, even if there is none or only one. */
function isRepeated({ body }: Block): boolean {
  return body.count !== undefined || body.for_each !== undefined
}

/** A resource or a module as others see it: an object, a list of objects, or a map by key. */
export function together({ body }: Block, instances: readonly Instance[], objects: readonly Typed[]): Typed {
  if (body.count !== undefined) return tuple(objects)
  const [first] = instances
  if (body.for_each === undefined) return objects[0] ?? nothing
  return first === undefined
    ? object([])
    : object(instances.map(({ key }, index) => [String(key), objects[index] ?? nothing]))
}

/** A larger number is never intended, and would take too long. */
const mostInstances = 100_000

function countInstances(value: Typed): Instance[] {
  requireKnown(value.plain, 'the count')
  const { plain: number } = convert(value, 'number')
  if (!isNumber(number) || !number.isWhole || number.mantissa < 0n)
    throw invalid('the count is not a whole number, or is negative')
  const count = truncate(number)
  if (count > mostInstances) throw unsupported(`the count is over ${mostInstances}`, 'declare fewer of them')
  return Array.from({ length: Number(count) }, (_, index) => ({
    suffix: `[${index}]`,
    key: index,
    local: { count: object([['index', ofNumber(countOf(index))]]) },
  }))
}

function eachInstances(value: Typed): Instance[] {
  const { type, plain } = value
  if (plain instanceof Sensitive || (findSensitive(plain) && !isObjectValue(plain)))
    throw invalid('the keys of for_each are sensitive', 'use a value that is not sensitive')
  if (plain instanceof Unknown) requireKnown(plain, 'the value of for_each')
  const named = membersOf(value)
  if (named) return [...named.members].map(([key, member]) => eachInstance(key, member))
  if (!isListValue(plain) || type[0] !== 'set')
    throw invalid(`${nounOf(value)} is neither a map nor a set of texts`, 'write toset([...]) around a list')
  return plain.map(element => {
    const key = requireKnown(element, 'a key')
    if (typeof key !== 'string') throw invalid('the set contains elements that are not texts')
    return eachInstance(key, ofText(key))
  })
}

function eachInstance(key: string, value: Typed): Instance {
  return {
    suffix: `[${JSON.stringify(key)}]`,
    key,
    local: {
      each: object([
        ['key', ofText(key)],
        ['value', value],
      ]),
    },
  }
}
