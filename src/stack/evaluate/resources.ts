import {
  type ExactJson,
  type FlagReference,
  invalid,
  isExactObject,
  object,
  type Refusal,
  requireKnown,
  type Typed,
  typed,
  unknownOf,
} from '../../hcl/index.ts'
import { kindBelow } from '../../kinds/index.ts'
import { type DeclarableKind, type IdentifiedKind, identityField } from '../../model/kind.ts'
import { meantHint } from '../../model/text/did-you-mean.ts'
import { providerOf } from '../read/references-of.ts'
import { type Block, providerAddress } from '../read/stack-file.ts'
import {
  type Attributes,
  checkConditions,
  dataSourceSchemas,
  readAttributes,
  resourceSchemas,
  type Schema,
} from './attributes.ts'
import type { LookUps } from './look-ups.ts'
import { type Instance, instancesOf, type ModuleInstance, stackProvider, together } from './modules.ts'
import { type ProviderSettings, placeOf, placeText, type ServiceTarget } from './providers.ts'
import { type StackProblems, type Subject, subjectOf } from './stack-problems.ts'
import type { LocalNames, Means } from './stack-scope.ts'

/** One object that the stack declares, with its evaluated attributes. */
export interface ResourceInstance {
  readonly kind: DeclarableKind
  readonly block: Block
  /** `vexil_feature_flag.checkout["a"]`. */
  readonly address: string
  readonly attributes: Attributes
  readonly provider: ProviderSettings
  readonly place: ServiceTarget
  /** The object that it renames, with the name before. */
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
  /** Collects every declared object. */
  readonly instances: ResourceInstance[]
}

/** Evaluates resources and data sources, after all that they refer to; undefined for refused ones. */
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

  /** Checks conditions before and after; `self` exists only after the evaluation. */
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

/**
 * A resource as others see it: its configured attributes; attributes that the service fills in are unknown.
 * The id of a flag is unknown too, but marked with its flag.
 */
function resourceObject(
  address: string,
  schema: Schema,
  attributes: Attributes,
  flag: FlagReference | undefined,
): Typed {
  return object(
    [...schema].map(([name, { type, isComputed }]) => {
      const value = attributes[name] ?? null
      if (value !== null || !isComputed) return [name, typed(type, value)]
      return [name, unknownOf(type, `${address}.${name}`, name === 'id' ? flag : undefined)]
    }),
  )
}

/** The owner is known if the resource or the provider names it. */
function ownerOf({ scope }: DeclarableKind, { project, organization }: ServiceTarget): Attributes {
  const owner = scope === 'project' ? project : organization
  return owner === undefined ? {} : { [`${scope}_id`]: owner }
}

/** The parent that others name by its id: a flag, by its key. */
function flagOf(
  kind: IdentifiedKind,
  attributes: Attributes,
  place: ServiceTarget,
): FlagReference | undefined {
  const [key, id] = [attributes[identityField(kind)], attributes.id ?? null]
  if (!kindBelow(kind.name) || typeof key !== 'string' || id !== null) return undefined
  return { key: key.trim(), place: placeText(place) }
}

/** The meta-arguments of every resource. */
const metaArguments: ReadonlySet<string> = new Set([
  'count',
  'for_each',
  'depends_on',
  'provider',
  'lifecycle',
  'provisioner',
  'connection',
  'dynamic',
])

const lifecycleRules: readonly string[] = [
  'create_before_destroy',
  'ignore_changes',
  'postcondition',
  'precondition',
  'prevent_destroy',
  'replace_triggered_by',
]

/** Whether a resource uses only supported meta-arguments; each other one is refused by name. */
function hasSupportedMeta(place: Subject, block: Block, problems: StackProblems): boolean {
  const { lifecycle, count, for_each: forEach } = block.body
  const isReplacing = isExactObject(lifecycle) && 'replace_triggered_by' in lifecycle
  const refused = [
    ...['provisioner', 'connection', 'dynamic'].filter(name => name in block.body),
    ...(isReplacing ? ['lifecycle.replace_triggered_by'] : []),
  ]
  for (const field of refused) {
    problems.add(place, {
      code: 'stack-unsupported',
      message: `${place.address}.${field}: Vexil does nothing of the kind`,
      hint: 'take it out, or run this stack with Terraform',
    })
  }
  const isBoth = count !== undefined && forEach !== undefined
  if (isBoth) problems.refuse(place, 'for_each', invalid('there is a count as well', 'take one of them out'))
  const misread = isBoth ? undefined : unreadLifecycle(lifecycle)
  if (misread !== undefined) problems.refuse(place, 'lifecycle', misread)
  return refused.length === 0 && !isBoth && misread === undefined
}

/** A rule that is never read protects nothing. */
function unreadLifecycle(lifecycle: ExactJson | undefined): Refusal | undefined {
  if (lifecycle === undefined || lifecycle === null) return undefined
  if (!isExactObject(lifecycle)) return invalid('it has to be one block with its rules')
  const stray = Object.keys(lifecycle).find(name => name !== '//' && !lifecycleRules.includes(name))
  if (stray === undefined) return undefined
  const hint = meantHint(stray, lifecycleRules, `there are ${lifecycleRules.join(', ')}`)
  return invalid(`${JSON.stringify(stray)} is no rule of it`, hint)
}
