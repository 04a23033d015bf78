import { invalid } from '../../cty/invalid-value.ts'
import { findSensitive } from '../../cty/marks.ts'
import { object, type Typed } from '../../cty/typed.ts'
import { concealed } from '../../cty/unmarked.ts'
import { Sensitive } from '../../cty/value.ts'
import type { DeclarableKind } from '../../model/kind.ts'
import { Expressions } from '../language/expression-of.ts'
import { requireKnown } from '../language/require-known.ts'
import type { Scope } from '../language/scope.ts'
import { type GivenVariables, valueOfVariable } from '../language/variables.ts'
import { ValueSizes, Work } from '../language/work-limits.ts'
import { dependencyOrder } from '../read/dependency-order.ts'
import { needsOf, providerOf } from '../read/references-of.ts'
import { type Block, providerAddress, type StackFile } from '../read/stack-file.ts'
import type { StackFiles } from '../read/stack-files.ts'
import { type Attributes, attempt, readAttributes } from './attributes.ts'
import { checkConditions } from './conditions.ts'
import { type Instance, instancesOf, together } from './instances.ts'
import { hasSupportedMeta, metaArguments } from './meta-arguments.ts'
import { dataSourceSchemas, providerSchema, resourceSchemas, type Schema } from './provider-schemas.ts'
import { type ProviderSettings, placeOf, providerSettings, type ServiceTarget } from './providers.ts'
import { flagOf, ownerOf, resourceObject } from './resource-object.ts'
import type { StackProblems, Subject } from './stack-problems.ts'
import { type LocalNames, type Surroundings, stackScope } from './stack-scope.ts'

/** One object that the stack declares, with its attributes worked out. */
export interface ResourceInstance {
  readonly kind: DeclarableKind
  readonly block: Block
  /** `vexil_feature_flag.checkout["a"]`. */
  readonly address: string
  readonly attributes: Attributes
  readonly provider: ProviderSettings
  readonly place: ServiceTarget
}

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
}

/**
 * Works a whole stack out, each thing after those that it refers to. What is refused is told once; what only follows
 * from it is left out without a word.
 */
export function evaluateStack(file: StackFile, input: StackInput, problems: StackProblems): EvaluatedStack {
  const evaluation = new Evaluation(file, input, problems)
  evaluation.run()
  return evaluation
}

class Evaluation implements EvaluatedStack {
  readonly instances: ResourceInstance[] = []
  readonly outputs = new Map<string, Typed>()
  readonly workedOut = new Map<string, Typed | undefined>()
  readonly #file: StackFile
  readonly #input: StackInput
  readonly #problems: StackProblems
  readonly #expressions = new Expressions()
  readonly #surroundings: Surroundings
  readonly #sizes = new ValueSizes()
  readonly #providers = new Map<string, ProviderSettings | undefined>()

  constructor(file: StackFile, input: StackInput, problems: StackProblems) {
    this.#file = file
    this.#input = input
    this.#problems = problems
    this.#surroundings = { work: new Work(), files: input.files, folder: input.files.folder }
  }

  get scope(): Scope {
    return this.#means().scope
  }

  get providers(): readonly ProviderSettings[] {
    return [...this.#providers.values()].filter(settings => settings !== undefined)
  }

  run(): void {
    const blocks = new Map(this.#file.blocks.map(block => [block.address, block]))
    this.#providers.set(providerAddress(undefined), { name: 'vexil', defaultTags: [], allow: [] })
    const needs = new Map([...blocks].map(([address, block]) => [address, needsOf(block, this.#expressions)]))
    const { order, cycles } = dependencyOrder(needs)
    const inCycles = new Set(cycles.flat())
    for (const cycle of cycles) this.#refuseCycle(cycle, blocks)
    for (const address of blocks.keys()) this.workedOut.set(address, undefined)
    for (const address of order) {
      const block = blocks.get(address)
      if (!block) continue
      if (!inCycles.has(address)) this.workedOut.set(address, this.#sized(block, this.#evaluate(block)))
    }
    this.#checkVariables()
  }

  #sized(block: Block, value: Typed | undefined): Typed | undefined {
    return this.#problems.attempt(block, '', () => {
      if (value !== undefined) this.#sizes.require(value.plain)
      return value
    })
  }

  #refuseCycle(cycle: readonly string[], blocks: ReadonlyMap<string, Block>): void {
    const [first = ''] = cycle
    const place = blocks.get(first) ?? { address: first }
    this.#problems.refuse(
      place,
      '',
      invalid(`cycle ${cycle.join(' -> ')}`, 'let one of them name a value instead of the other'),
    )
  }

  #evaluate(block: Block): Typed | undefined {
    switch (block.is) {
      case 'variable':
        return this.#problems.attempt(block, '', () => valueOfVariable(block, this.#input.variables))
      case 'local':
        return this.#attempt(block, block.body.value ?? null, '')
      case 'output':
        return this.#output(block)
      case 'provider':
        return this.#provider(block)
      case 'check':
        return this.#check(block)
      case 'resource':
        return this.#resource(block)
      case 'data':
        return block.type === 'terraform_remote_state' ? this.#remoteState(block) : this.#data(block)
    }
  }

  #attempt(block: Block, json: Parameters<typeof attempt>[0], field: string): Typed | undefined {
    return attempt(json, field, { place: block, ...this.#means() }, value => value)
  }

  #output(block: Block): Typed | undefined {
    const { body, name } = block
    const value = this.#attempt(block, body.value ?? null, 'value')
    if (value === undefined) return undefined
    const mark = findSensitive(value.plain)
    if (mark && body.sensitive !== true) {
      this.#problems.refuse(
        block,
        'value',
        invalid(`it comes from ${mark.origin}, which is sensitive`, 'set sensitive: true on the output'),
      )
    }
    checkConditions(block, body, this.#means(), ['precondition'])
    const isHidden = body.sensitive === true && !(value.plain instanceof Sensitive)
    this.outputs.set(name, isHidden ? concealed(value, block.address) : value)
    return value
  }

  /** What a check asserts has to hold; where only the service knows, that is said. */
  #check(block: Block): Typed {
    checkConditions(block, block.body, this.#means(), ['assert'])
    return object([])
  }

  #provider(block: Block): Typed | undefined {
    const attributes = readAttributes(block.body, providerSchema, {
      place: block,
      ...this.#means(),
      others: new Set(['version']),
    })
    const settings =
      attributes && this.#problems.attempt(block, '', () => providerSettings(block.name, attributes))
    this.#providers.set(block.address, settings)
    return settings ? object([]) : undefined
  }

  #resource(block: Block): Typed | undefined {
    const schema = resourceSchemas.get(block.type)
    if (!schema) return this.#noSuchType(block, [...resourceSchemas.keys()])
    if (!hasSupportedMeta(block, this.#problems)) return undefined
    const { kind, attributes: known } = schema
    return this.#each(block, known, (instance, attributes, provider) => {
      const address = `${block.address}${instance.suffix}`
      const place = this.#placeOf({ address, path: block.path }, kind, attributes, provider)
      if (!place) return undefined
      this.instances.push({ kind, block, address, attributes, provider, place })
      const whole = { ...ownerOf(kind, place), ...attributes }
      const value = resourceObject(address, known, whole, flagOf(kind, attributes, place))
      const means = this.#means({ ...instance.local, self: value })
      checkConditions(block, block.body.lifecycle, means, ['precondition', 'postcondition'])
      return value
    })
  }

  #data(block: Block): Typed | undefined {
    const schema = dataSourceSchemas.get(block.type)
    if (!schema) return this.#noSuchType(block, [...dataSourceSchemas.keys()])
    if (!hasSupportedMeta(block, this.#problems)) return undefined
    const { kind, isOne, attributes: known } = schema
    return this.#each(block, known, (instance, attributes, provider) => {
      const address = `${block.address}${instance.suffix}`
      const place = kind && this.#placeOf({ address, path: block.path }, kind, attributes, provider)
      if (kind && !place) return undefined
      const flag = isOne && kind && place ? flagOf(kind, attributes, place) : undefined
      return resourceObject(address, known, attributes, flag)
    })
  }

  #placeOf(
    place: Subject,
    kind: DeclarableKind,
    attributes: Attributes,
    provider: ProviderSettings,
  ): ServiceTarget | undefined {
    const name = kind.scope === 'project' ? 'project_id' : 'organization_id'
    return this.#problems.attempt(place, name, () => {
      const owner = requireKnown(attributes[name] ?? null, 'it')
      return placeOf(kind, provider, typeof owner === 'string' && owner !== '' ? owner : undefined)
    })
  }

  #each(
    block: Block,
    schema: Schema,
    make: (instance: Instance, attributes: Attributes, provider: ProviderSettings) => Typed | undefined,
  ): Typed | undefined {
    const provider = this.#providerOf(block)
    const field = block.body.count === undefined ? 'for_each' : 'count'
    const instances = this.#problems.attempt(block, field, () =>
      instancesOf(block, this.#means().scope, this.#expressions),
    )
    if (!provider || !instances) return undefined
    const objects = instances.map(instance => {
      const attributes = readAttributes(block.body, schema, {
        place: { address: `${block.address}${instance.suffix}`, path: block.path },
        ...this.#means(instance.local),
        others: metaArguments,
      })
      return attributes && make(instance, attributes, provider)
    })
    const whole = objects.filter(value => value !== undefined)
    return whole.length === objects.length ? together(block, instances, whole) : undefined
  }

  #providerOf(block: Block): ProviderSettings | undefined {
    const address = providerOf(block.body.provider)
    if (address !== undefined && this.#providers.has(address)) return this.#providers.get(address)
    const known = this.providers.map(({ name }) => name)
    this.#problems.refuse(
      block,
      'provider',
      invalid('there is no such configuration of the provider', `there are ${known.join(', ')}`),
    )
    return undefined
  }

  #remoteState(block: Block): Typed | undefined {
    return this.#problems.attempt(block, '', () => {
      const { backend, config } = block.body
      const path = typeof config === 'object' && config !== null && 'path' in config ? config.path : undefined
      const outputs =
        backend === 'local' && typeof path === 'string' ? this.#input.remoteStates.get(path) : undefined
      if (!outputs)
        throw invalid(
          'it reads the state of a stack that is not beside this one',
          'give the value as a variable, or run this stack with Terraform',
        )
      return object([['outputs', object(outputs)]])
    })
  }

  #noSuchType(block: Block, known: readonly string[]): undefined {
    this.#problems.refuse(
      block,
      '',
      invalid(`the provider has no ${block.type}`, `there are ${known.join(', ')}`),
    )
    return undefined
  }

  #checkVariables(): void {
    for (const block of this.#file.blocks) {
      if (block.is !== 'variable' || this.workedOut.get(block.address) === undefined) continue
      checkConditions(block, block.body, this.#means(), ['validation'])
    }
  }

  /** What values are worked out with; the local names mean something only there. */
  #means(local?: LocalNames) {
    const scope = stackScope(this.workedOut, this.#surroundings, local)
    return { scope, expressions: this.#expressions, problems: this.#problems }
  }
}
