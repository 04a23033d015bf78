import {
  consequence,
  type Expression,
  into,
  invalid,
  type KnownStep,
  object,
  Refusal,
  type Typed,
  textOf,
  undeclared,
  unknownOf,
} from '../../hcl/index.ts'

import { meantHint } from '../../model/text/did-you-mean.ts'
import { prefixOf, type StackModule } from '../read/module-tree.ts'
import { once } from '../read/once.ts'
import type { Block } from '../read/stack-file.ts'
import { type Instance, isRepeated, together } from './instances.ts'
import { dataSourceSchemas, resourceSchemas, type Schema } from './provider-schemas.ts'
import type { LocalNames, Names } from './stack-scope.ts'

/** How a module is called: for which instances, and with what. */
export interface Caller {
  readonly module: ModuleInstance
  readonly block: Block
  readonly instance: Instance
}

/** One instance of a module, or the stack itself, with what its names come to. */
export class ModuleInstance implements Names {
  readonly module: StackModule
  readonly caller: Caller | undefined
  /** What stands before its addresses: `module.shop["de"].`; nothing for the stack. */
  readonly prefix: string
  /** What has a value, by its address in the module; undefined for what was refused, or not yet come to. */
  readonly workedOut = new Map<string, Typed | undefined>()
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

  /** The names that mean something only in the instance of the call that a value is given in. */
  get callerNames(): LocalNames {
    return this.caller?.instance.local ?? {}
  }

  addressOf({ address }: Pick<Block, 'address'>): string {
    return `${this.prefix}${address}`
  }

  requireInside(address: string, steps: readonly KnownStep[]): void {
    const block = this.#resources.get(address)
    const [first, second] = steps
    const isOfModule = address.startsWith('module.') && address.split('.').length === 2
    if (isOfModule && first?.isNamed === false && second?.isNamed === false)
      throw undeclared(`an instance of ${address} has outputs, and no elements`, `write ${address}[...].name`)
    if (!block || !first) return
    const schemas = block.is === 'resource' ? resourceSchemas : dataSourceSchemas
    const attributes = schemas.get(block.type)?.attributes
    if (isRepeated(block)) requireKey(block, first, attributes)
    else if (!first.isNamed)
      throw undeclared(`there is one ${address}, without count or for_each`, 'take the brackets out')
    const [attribute, ...rest] = isRepeated(block) ? steps.slice(1) : steps
    if (attributes && attribute) requireAttribute(address, attributes, [attribute, ...rest])
  }

  knownDeclared(local: LocalNames): WeakSet<Expression> | undefined {
    // What `self` has differs from block to block.
    if (Object.hasOwn(local, 'self')) return undefined
    return once(this.#declared, Object.keys(local).join(' '), () => new WeakSet())
  }

  /** Notes that a block calls a module for each of some instances. */
  call(block: Block, module: StackModule, instances: readonly Instance[]): readonly ModuleInstance[] {
    const modules = instances.map(instance => new ModuleInstance(module, { module: this, block, instance }))
    this.#calls.set(block.name, new Called(block, module, instances, modules))
    return modules
  }

  /** The value of `module.name.output`, or of the module as a whole. Throws a refusal where there is none. */
  outputOf(name: string, output: string | undefined): { readonly value: Typed; readonly taken: number } {
    const called = this.#calls.get(name)
    if (!called) throw consequence()
    return called.find(output)
  }
}

/** Refuses to take an attribute of all instances together. */
function requireKey({ address, body }: Block, { index, isNamed }: KnownStep, attributes: Schema | undefined) {
  if (!isNamed) return
  const one = `${address}[${body.count === undefined ? 'each.key' : 'count.index'}]`
  const name = String(index.plain)
  throw undeclared(
    `there may be several of ${address}`,
    `say which one: ${!attributes || attributes.has(name) ? `${one}.${name}` : one}`,
  )
}

/** Refuses a way that nothing of such a schema can have, as Terraform does before it works anything out. */
export function requireAttribute(
  address: string,
  attributes: Schema,
  [first, ...rest]: readonly [KnownStep, ...KnownStep[]],
): void {
  const name = textOf(first.index.plain) ?? ''
  if (!first.isNamed)
    throw undeclared(`an instance of ${address} has attributes, and no elements`, `write [...].${name}`)
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

class Called {
  readonly #block: Block
  readonly #module: StackModule
  readonly #instances: readonly Instance[]
  readonly #modules: readonly ModuleInstance[]
  #whole: Typed | undefined

  constructor(
    block: Block,
    module: StackModule,
    instances: readonly Instance[],
    modules: readonly ModuleInstance[],
  ) {
    this.#block = block
    this.#module = module
    this.#instances = instances
    this.#modules = modules
  }

  find(output: string | undefined): { readonly value: Typed; readonly taken: number } {
    const [only] = this.#modules
    if (isRepeated(this.#block) || output === undefined || !only) return { value: this.#all(), taken: 2 }
    const known = this.#outputs
    if (!known.includes(output)) {
      const listed = known.length === 0 ? 'it has none' : `there are ${known.join(', ')}`
      throw invalid(
        `${prefixOf({ address: this.#block.address })}${output} is no output of the module`,
        meantHint(output, known, listed),
      )
    }
    return { value: outputIn(only, output), taken: 3 }
  }

  /** All outputs of a module are worked out when one asks for them as a whole. */
  #all(): Typed {
    this.#whole ??= together(
      this.#block,
      this.#instances,
      this.#modules.map(module => object(this.#outputs.map(name => [name, outputIn(module, name)]))),
    )
    return this.#whole
  }

  get #outputs(): readonly string[] {
    return this.#module.file.blocks.flatMap(({ is, name }) => (is === 'output' ? [name] : []))
  }
}

function outputIn(module: ModuleInstance, output: string): Typed {
  const value = module.workedOut.get(`output.${output}`)
  if (value === undefined) throw consequence()
  return value
}
