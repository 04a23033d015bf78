import { invalid, object, requireKnown, type Typed } from '../../hcl/index.ts'

import type { DeclarableKind } from '../../model/kind.ts'
import { providerOf } from '../read/references-of.ts'
import { type Block, providerAddress } from '../read/stack-file.ts'
import { type Attributes, readAttributes } from './attributes.ts'
import { checkConditions } from './conditions.ts'
import { type Instance, instancesOf, together } from './instances.ts'
import type { LookUps } from './look-ups.ts'
import { hasSupportedMeta, metaArguments } from './meta-arguments.ts'
import { stackProvider } from './module-graph.ts'
import type { ModuleInstance } from './module-instance.ts'
import { dataSourceSchemas, resourceSchemas, type Schema } from './provider-schemas.ts'
import { type ProviderSettings, placeOf, type ServiceTarget } from './providers.ts'
import { flagOf, ownerOf, resourceObject } from './resource-object.ts'
import { type StackProblems, type Subject, subjectOf } from './stack-problems.ts'
import type { LocalNames, Means } from './stack-scope.ts'

/** One object that the stack declares, with its attributes worked out. */
export interface ResourceInstance {
  readonly kind: DeclarableKind
  readonly block: Block
  /** `vexil_feature_flag.checkout["a"]`. */
  readonly address: string
  readonly attributes: Attributes
  readonly provider: ProviderSettings
  readonly place: ServiceTarget
  /** The object that it gives a new name, and what that is called before. */
  readonly renamed?: { readonly id: string; readonly from: string } | undefined
}

interface Options {
  readonly input: {
    /** The outputs of other stacks of the app, by the path of their state. */
    readonly remoteStates: ReadonlyMap<string, ReadonlyMap<string, Typed>>
    readonly lookUps: LookUps
  }
  readonly problems: StackProblems
  readonly means: (module: ModuleInstance, local?: LocalNames) => Means
  readonly providers: ReadonlyMap<string, ProviderSettings | undefined>
  /** Takes up every object that is declared. */
  readonly instances: ResourceInstance[]
}

/** Evaluates resources and data sources once all that they refer to is known; undefined for what is refused. */
export class ResourceEvaluation {
  readonly #options: Options

  constructor(options: Options) {
    this.#options = options
  }

  resource(block: Block, module: ModuleInstance): Typed | undefined {
    const { problems, instances } = this.#options
    const schema = resourceSchemas.get(block.type)
    const of = subjectOf(module.addressOf(block), block)
    if (!schema) return this.#noSuchType(of, block, [...resourceSchemas.keys()])
    if (!hasSupportedMeta(of, block, problems)) return undefined
    const { kind, attributes: known } = schema
    return this.#each(block, module, known, ({ subject, local }, attributes, provider) => {
      const { address } = subject
      const place = this.#placeOf(subject, kind, attributes, provider)
      if (!place) return undefined
      instances.push({ kind, block, address, attributes, provider, place })
      const whole = { ...ownerOf(kind, place), ...attributes }
      const value = resourceObject(address, known, whole, flagOf(kind, attributes, place))
      this.#checkLifecycle(of, block, module, { local, self: value })
      return value
    })
  }

  data(block: Block, module: ModuleInstance): Typed | undefined {
    const of = subjectOf(module.addressOf(block), block)
    if (block.type === 'terraform_remote_state') return this.#remoteState(of, block)
    const schema = dataSourceSchemas.get(block.type)
    if (!schema) return this.#noSuchType(of, block, [...dataSourceSchemas.keys()])
    if (!hasSupportedMeta(of, block, this.#options.problems)) return undefined
    const { one, kind = one, attributes: known } = schema
    return this.#each(block, module, known, ({ subject, local }, attributes, provider) => {
      const { address } = subject
      const place = kind && this.#placeOf(subject, kind, attributes, provider)
      if (kind && !place) return undefined
      const { problems, input } = this.#options
      const found =
        one && place
          ? problems.attempt(subject, '', () => input.lookUps.attributesOf(one, attributes, place, subject))
          : attributes
      if (!found) return undefined
      const flag = one && place ? flagOf(one, found, place) : undefined
      const value = resourceObject(address, known, found, flag)
      this.#checkLifecycle(of, block, module, { local, self: value })
      return value
    })
  }

  /** What has to hold before and after; only afterwards an object is known by `self`. */
  #checkLifecycle(
    of: Subject,
    { body: { lifecycle } }: Block,
    module: ModuleInstance,
    { local, self }: { readonly local: LocalNames; readonly self: Typed },
  ): void {
    const { means } = this.#options
    checkConditions(of, lifecycle, means(module, local), ['precondition'])
    checkConditions(of, lifecycle, means(module, { ...local, self }), ['postcondition'])
  }

  #placeOf(
    place: Subject,
    kind: Pick<DeclarableKind, 'scope'>,
    attributes: Attributes,
    provider: ProviderSettings,
  ): ServiceTarget | undefined {
    const name = kind.scope === 'project' ? 'project_id' : 'organization_id'
    return this.#options.problems.attempt(place, name, () => {
      const owner = requireKnown(attributes[name] ?? null, 'it')
      return placeOf(kind, provider, typeof owner === 'string' && owner !== '' ? owner : undefined)
    })
  }

  #each(
    block: Block,
    module: ModuleInstance,
    schema: Schema,
    make: (object: NamedInstance, attributes: Attributes, provider: ProviderSettings) => Typed | undefined,
  ): Typed | undefined {
    const { problems, means } = this.#options
    const of = subjectOf(module.addressOf(block), block)
    const provider = this.#providerOf(of, block, module)
    const field = block.body.count === undefined ? 'for_each' : 'count'
    const { scope, expressions } = means(module)
    const instances = problems.attempt(of, field, () => instancesOf(block, scope, expressions))
    if (!provider || !instances) return undefined
    const objects = instances.map(instance => {
      const subject = subjectOf(`${of.address}${instance.suffix}`, block)
      const attributes = readAttributes(block.body, schema, {
        place: subject,
        ...means(module, instance.local),
        others: metaArguments,
      })
      return attributes && make({ ...instance, subject }, attributes, provider)
    })
    const whole = objects.filter(value => value !== undefined)
    return whole.length === objects.length ? together(block, instances, whole) : undefined
  }

  #providerOf(place: Subject, block: Block, module: ModuleInstance): ProviderSettings | undefined {
    const { problems, providers } = this.#options
    const { localName } = module.module.file
    const own = providerOf(block.body.provider, localName)
    const address = own && stackProvider(module.module, own)
    if (address !== undefined && providers.has(address)) return providers.get(address)
    const known = [...providers.values()].flatMap(settings => settings?.name ?? [])
    const remedy = module.caller
      ? `pass it where the module is called: providers = { ${withoutRoot(own ?? providerAddress(localName))} = ... }`
      : `there are ${known.join(', ')}`
    problems.refuse(place, 'provider', invalid('there is no such configuration of the provider', remedy))
    return undefined
  }

  #remoteState(place: Subject, { body }: Block): Typed | undefined {
    return this.#options.problems.attempt(place, '', () => {
      const { backend, config } = body
      const path = typeof config === 'object' && config !== null && 'path' in config ? config.path : undefined
      const { remoteStates } = this.#options.input
      const outputs = backend === 'local' && typeof path === 'string' ? remoteStates.get(path) : undefined
      if (!outputs)
        throw invalid(
          'it reads the state of a stack that is not beside this one',
          'give the value as a variable, or run this stack with Terraform',
        )
      return object([['outputs', object(outputs)]])
    })
  }

  #noSuchType(place: Subject, { type }: Block, known: readonly string[]): undefined {
    this.#options.problems.refuse(
      place,
      '',
      invalid(`the provider has no ${type}`, `there are ${known.join(', ')}`),
    )
    return undefined
  }
}

interface NamedInstance extends Instance {
  readonly subject: Subject
}

/** `vexil.eu` of `provider.vexil.eu`. */
function withoutRoot(address: string): string {
  return address.replace(/^provider\./, '')
}
