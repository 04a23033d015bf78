import {
  concealed,
  type Engine,
  findSensitive,
  invalid,
  object,
  type Scope,
  Sensitive,
  type Typed,
  unsupported,
  ValueSizes,
  Work,
} from '../../hcl/index.ts'
import { mostModuleInstances } from '../../model/limits.ts'
import { meantHint } from '../../model/text/did-you-mean.ts'
import { dependencyOrder } from '../read/dependency-order.ts'
import { Expressions } from '../read/expression-of.ts'
import type { StackModule } from '../read/module-tree.ts'
import { type Block, providerAddress, switchIn } from '../read/stack-file.ts'
import type { StackFiles } from '../read/stack-files.ts'
import { attempt, checkConditions, providerSchema, readAttributes } from './attributes.ts'
import { checkDependsOn } from './depends-on.ts'
import type { LookUps } from './look-ups.ts'
import {
  type GraphNode,
  givenProviders,
  graphOf,
  instancesOf,
  ModuleInstance,
  misnamedProviders,
  stackProvider,
} from './modules.ts'
import { noSettings, type ProviderSettings, providerSettings } from './providers.ts'
import { ResourceEvaluation, type ResourceInstance } from './resources.ts'
import { type StackProblems, type Subject, subjectOf } from './stack-problems.ts'
import { type LocalNames, type Means, stackScope } from './stack-scope.ts'
import { declaredVariable, type GivenVariables, valueOfInput, valueOfVariable } from './variables.ts'

export interface EvaluatedStack {
  readonly instances: readonly ResourceInstance[]
  /** By name; an output that could not be evaluated is missing. */
  readonly outputs: ReadonlyMap<string, Typed>
  readonly providers: readonly ProviderSettings[]
  /** All evaluated values, by address; undefined for refused ones. */
  readonly workedOut: ReadonlyMap<string, Typed | undefined>
  /** Evaluates an expression outside of all blocks, such as that of an import. */
  readonly scope: Scope
}

export interface StackInput {
  readonly variables: GivenVariables
  /** The outputs of other stacks of the app, by the path of their state. */
  readonly remoteStates: ReadonlyMap<string, ReadonlyMap<string, Typed>>
  /** The files that file functions may read. */
  readonly files: StackFiles
  /** The objects that data sources look up. */
  readonly lookUps: LookUps
  readonly engine: Engine | undefined
}

/**
 * Evaluates a whole stack, each part after those that it refers to. A refusal is reported once; its
 * consequences are skipped silently.
 */
export function evaluateStack(root: StackModule, input: StackInput, problems: StackProblems): EvaluatedStack {
  const evaluation = new Evaluation(root, input, problems)
  evaluation.run()
  return evaluation
}

class Evaluation implements EvaluatedStack {
  readonly instances: ResourceInstance[] = []
  readonly #root: ModuleInstance
  readonly #problems: StackProblems
  readonly #expressions = new Expressions()
  readonly #sizes = new ValueSizes()
  readonly #providers = new Map<string, ProviderSettings | undefined>()
  readonly #modules = new Map<StackModule, readonly ModuleInstance[]>()
  readonly #means: (module: ModuleInstance, local?: LocalNames) => Means
  readonly #blocks: BlockEvaluation

  constructor(root: StackModule, input: StackInput, problems: StackProblems) {
    this.#root = new ModuleInstance(root)
    this.#modules.set(root, [this.#root])
    this.#problems = problems
    const { files, engine } = input
    const surroundings = { work: new Work(), files, folder: files.folder, engine }
    const expressions = this.#expressions
    this.#means = (module, local) => ({
      scope: stackScope(module, surroundings, local),
      expressions,
      problems,
    })
    const shared = { input, problems, means: this.#means, providers: this.#providers }
    const resources = new ResourceEvaluation({ ...shared, instances: this.instances })
    this.#blocks = new BlockEvaluation({ ...shared, resources, modules: this.#modules })
  }

  get outputs(): ReadonlyMap<string, Typed> {
    return this.#blocks.outputs
  }

  get workedOut(): ReadonlyMap<string, Typed | undefined> {
    return new Map(
      this.#allModules.flatMap(({ prefix, workedOut }) =>
        [...workedOut].map(([address, value]) => [`${prefix}${address}`, value] as const),
      ),
    )
  }

  get scope(): Scope {
    return this.#means(this.#root).scope
  }

  get providers(): readonly ProviderSettings[] {
    return [...this.#providers.values()].filter(settings => settings !== undefined)
  }

  get #allModules(): readonly ModuleInstance[] {
    return [...this.#modules.values()].flat()
  }

  run(): void {
    const { localName } = this.#root.module.file
    this.#providers.set(providerAddress(localName), noSettings(localName))
    const { nodes, needs } = graphOf(this.#root.module, this.#expressions)
    const { order, cycles } = dependencyOrder(needs)
    const inCycles = new Set(cycles.flat())
    for (const cycle of cycles) this.#refuseCycle(cycle, nodes)
    for (const id of order) {
      const node = nodes.get(id)
      if (!node || inCycles.has(id)) continue
      for (const module of this.#modules.get(node.module) ?? []) this.#evaluate(node, module)
    }
    this.#checkVariables()
  }

  #evaluate({ block }: GraphNode, module: ModuleInstance): void {
    const place = subjectOf(module.addressOf(block), block)
    const value = this.#blocks.evaluate(block, module)
    const sized = this.#problems.attempt(place, '', () => {
      if (value !== undefined) this.#sizes.require(value.plain)
      return value
    })
    module.workedOut.set(block.address, sized)
  }

  #refuseCycle(cycle: readonly string[], nodes: ReadonlyMap<string, GraphNode>): void {
    const [first = ''] = cycle
    const addresses = cycle.map(id => id.trim())
    this.#problems.refuse(
      subjectOf(first.trim(), nodes.get(first)?.block ?? {}),
      '',
      invalid(`cycle ${addresses.join(' -> ')}`, 'let one of them name a value instead of the other'),
    )
  }

  #checkVariables(): void {
    for (const module of this.#allModules) {
      for (const block of module.module.file.blocks) {
        if (block.is !== 'variable' || module.workedOut.get(block.address) === undefined) continue
        const place = subjectOf(module.addressOf(block), block)
        checkConditions(place, block.body, this.#means(module), ['validation'])
      }
    }
  }
}

interface Options {
  readonly input: { readonly variables: GivenVariables }
  readonly problems: StackProblems
  readonly means: (module: ModuleInstance, local?: LocalNames) => Means
  /** The configurations of the provider, by address; undefined for refused ones. */
  readonly providers: Map<string, ProviderSettings | undefined>
  readonly resources: ResourceEvaluation
  /** The instances of each module that was evaluated so far. */
  readonly modules: Map<StackModule, readonly ModuleInstance[]>
}

/** Evaluates single blocks, after all that they refer to; undefined for refused ones. */
class BlockEvaluation {
  /** The outputs of the stack itself. */
  readonly outputs = new Map<string, Typed>()
  readonly #options: Options
  #calls = 0

  constructor(options: Options) {
    this.#options = options
  }

  evaluate(block: Block, module: ModuleInstance): Typed | undefined {
    const { resources, means } = this.#options
    const place = subjectOf(module.addressOf(block), block)
    checkDependsOn(place, block, means(module))
    switch (block.is) {
      case 'variable':
        return this.#variable(block, module, place)
      case 'local':
        return attempt(block.body.value ?? null, '', { place, ...means(module) }, value => value)
      case 'output':
        return this.#output(block, module, place)
      case 'provider':
        return this.#provider(block, module, place)
      case 'module':
        return this.#module(block, module, place)
      case 'check':
        // The asserts of a check have to hold; if only the service knows, a warning reports that.
        checkConditions(place, block.body, means(module), ['assert'])
        return object([])
      case 'resource':
        return resources.resource(block, module)
      case 'data':
        return resources.data(block, module)
    }
  }

  #variable(block: Block, module: ModuleInstance, place: Subject): Typed | undefined {
    const { problems, means, input } = this.#options
    const { caller } = module
    const declared = problems.attempt(place, '', () => declaredVariable(block))
    if (!declared) return undefined
    if (!caller) return problems.attempt(place, '', () => valueOfVariable(declared, input.variables))
    const written = caller.block.body[block.name]
    if (written === undefined)
      return problems.attempt(place, '', () => valueOfInput(declared, undefined, place.address))
    const address = `${caller.module.addressOf(caller.block)}${caller.instance.suffix}`
    return attempt(
      written,
      block.name,
      { place: subjectOf(address, caller.block), ...means(caller.module, module.callerNames) },
      value => valueOfInput(declared, value, place.address),
    )
  }

  #output(block: Block, module: ModuleInstance, place: Subject): Typed | undefined {
    const { body, name } = block
    const { problems, means } = this.#options
    if (body.value === undefined) problems.refuse(place, 'value', invalid('it has to be given'))
    const value = attempt(body.value ?? null, 'value', { place, ...means(module) }, found => found)
    const isSensitive = problems.attempt(place, '', () => switchIn(body, 'sensitive', false))
    if (value === undefined || isSensitive === undefined) return undefined
    const mark = findSensitive(value.plain)
    // An output of a module stays marked for its caller.
    if (mark && !isSensitive && !module.caller) {
      problems.refuse(
        place,
        'value',
        invalid(`it comes from ${mark.origin}, which is sensitive`, 'set sensitive: true on the output'),
      )
    }
    checkConditions(place, body, means(module), ['precondition'])
    const isHidden = isSensitive && !(value.plain instanceof Sensitive)
    const shown = isHidden ? concealed(value, place.address) : value
    if (!module.caller) this.outputs.set(name, shown)
    return shown
  }

  #provider(block: Block, module: ModuleInstance, place: Subject): Typed | undefined {
    const { problems, means, providers } = this.#options
    const others = new Set(['version'])
    const attributes = readAttributes(block.body, providerSchema, { place, ...means(module), others })
    const settings =
      attributes &&
      problems.attempt(place, '', () =>
        providerSettings({ localName: block.type, alias: block.name }, attributes),
      )
    providers.set(block.address, settings)
    return settings ? object([]) : undefined
  }

  /** Finds the instances of a module; their blocks come later, each in its turn. */
  #module(block: Block, module: ModuleInstance, place: Subject): Typed | undefined {
    const { problems, means, modules } = this.#options
    const called = module.module.calls.get(block.name)
    if (!called || !this.#isWellCalled(block, module, called, place)) return undefined
    const { scope, expressions } = means(module)
    const field = block.body.count === undefined ? 'for_each' : 'count'
    const instances = problems.attempt(place, field, () => {
      const found = instancesOf(block, scope, expressions)
      this.#calls += found.length
      if (this.#calls > mostModuleInstances)
        throw unsupported(`more than ${mostModuleInstances} instances of modules`, 'declare fewer')
      return found
    })
    if (!instances) return undefined
    const made = module.call(block, called, instances)
    modules.set(called, [...(modules.get(called) ?? []), ...made])
    return object([])
  }

  #isWellCalled(block: Block, { module }: ModuleInstance, called: StackModule, place: Subject): boolean {
    const { problems, providers } = this.#options
    const variables = called.file.blocks.flatMap(({ is, name }) => (is === 'variable' ? [name] : []))
    const strangers = Object.keys(block.body).filter(
      name => !callArguments.has(name) && !variables.includes(name),
    )
    for (const name of strangers) {
      const listed = variables.length === 0 ? 'it has none' : `there are ${variables.join(', ')}`
      problems.refuse(
        place,
        name,
        invalid('the module has no such variable', meantHint(name, variables, listed)),
      )
    }
    const isBoth = block.body.count !== undefined && block.body.for_each !== undefined
    if (isBoth)
      problems.refuse(place, 'for_each', invalid('there is a count as well', 'take one of them out'))
    const misnamed = misnamedProviders(block, { caller: module.file, called: called.file })
    for (const name of misnamed)
      problems.refuse(
        place,
        `providers.${name}`,
        invalid(
          `the module calls our provider "${called.file.localName}"`,
          `write ${called.file.localName} = ... there`,
        ),
      )
    const lost = [...givenProviders(block, called.file).keys()].filter(
      address => !providers.has(stackProvider(called, address) ?? ''),
    )
    for (const address of lost) {
      const known = [...providers.values()].flatMap(settings => settings?.name ?? [])
      problems.refuse(
        place,
        address.replace(/^provider/, 'providers'),
        invalid('there is no such configuration of the provider', `there are ${known.join(', ')}`),
      )
    }
    return [strangers, misnamed, lost].every(each => each.length === 0) && !isBoth
  }
}

const callArguments = new Set(['source', 'version', 'providers', 'count', 'for_each', 'depends_on'])
