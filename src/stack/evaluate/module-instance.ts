import { consequence, invalid, undeclared } from '../../cty/invalid-value.ts'
import { object, type Typed } from '../../cty/typed.ts'
import { meantHint } from '../../model/text/did-you-mean.ts'
import { prefixOf, type StackModule } from '../read/module-tree.ts'
import type { Block } from '../read/stack-file.ts'
import { type Instance, isRepeated, together } from './instances.ts'
import { dataSourceSchemas, resourceSchemas } from './provider-schemas.ts'
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

  requireAttribute(address: string, attribute: string): void {
    const block = this.#resources.get(address)
    if (!block) return
    if (isRepeated(block)) {
      const key = block.body.count === undefined ? 'each.key' : 'count.index'
      throw undeclared(`there may be several of ${address}`, `say which one: ${address}[${key}].${attribute}`)
    }
    const schemas = block.is === 'resource' ? resourceSchemas : dataSourceSchemas
    const known = [...(schemas.get(block.type)?.attributes.keys() ?? [attribute])]
    if (!known.includes(attribute))
      throw undeclared(
        `${address} has no attribute ${JSON.stringify(attribute)}`,
        meantHint(attribute, known, `there are ${known.join(', ')}`),
      )
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
