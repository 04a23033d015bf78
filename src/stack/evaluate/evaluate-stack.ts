import { type Engine, invalid, type Scope, type Typed, ValueSizes, Work } from '../../hcl/index.ts'

import { dependencyOrder } from '../read/dependency-order.ts'
import { Expressions } from '../read/expression-of.ts'
import type { StackModule } from '../read/module-tree.ts'
import { providerAddress } from '../read/stack-file.ts'
import type { StackFiles } from '../read/stack-files.ts'
import { BlockEvaluation } from './block-evaluation.ts'
import { checkConditions } from './conditions.ts'
import type { LookUps } from './look-ups.ts'
import { type GraphNode, graphOf } from './module-graph.ts'
import { ModuleInstance } from './module-instance.ts'
import { noSettings, type ProviderSettings } from './providers.ts'
import { ResourceEvaluation, type ResourceInstance } from './resource-evaluation.ts'
import { type StackProblems, subjectOf } from './stack-problems.ts'
import { type LocalNames, type Means, stackScope } from './stack-scope.ts'
import type { GivenVariables } from './variables.ts'

export interface EvaluatedStack {
  readonly instances: readonly ResourceInstance[]
  /** By name; one that could not be worked out is missing. */
  readonly outputs: ReadonlyMap<string, Typed>
  readonly providers: readonly ProviderSettings[]
  /** What has a value, by address; undefined for what was refused. */
  readonly workedOut: ReadonlyMap<string, Typed | undefined>
  /** Works an expression out that stands outside of all blocks, as that of an import does. */
  readonly scope: Scope
}

export interface StackInput {
  readonly variables: GivenVariables
  /** The outputs of other stacks of the app, by the path of their state. */
  readonly remoteStates: ReadonlyMap<string, ReadonlyMap<string, Typed>>
  /** What functions of files may look at. */
  readonly files: StackFiles
  /** What data sources look up. */
  readonly lookUps: LookUps
  readonly engine: Engine | undefined
}

/**
 * Works a whole stack out, each thing after those that it refers to. What is refused is told once; what only follows
 * from it is left out without a word.
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
