import {
  type Engine,
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
import { once } from '../../model/runtime.ts'
import { meantHint } from '../../model/text/names.ts'
import { providerOf } from '../expressions.ts'
import type { StackModule } from '../module-tree.ts'
import { type Block, providerAddress, type StackFiles } from '../stack-file.ts'
import { type StackProblems, type Subject, subjectOf } from '../stack-problems.ts'
import {
  type Attributes,
  checkConditions,
  dataSourceSchemas,
  readAttributes,
  resourceSchemas,
  type Schema,
} from './attributes.ts'
import {
  type Instance,
  instancesOf,
  type LocalNames,
  type ModuleInstance,
  stackProvider,
  together,
} from './modules.ts'
import { type LookUps, type ProviderSettings, placeOf, placeText, type ServiceTarget } from './providers.ts'
import type { GivenVariables, Means } from './stack-scope.ts'

/** One object that the stack declares, with its evaluated attributes. */
export interface ResourceInstance {
  readonly kind: DeclarableKind
  readonly block: Block
  /** `vexil_feature_flag.checkout["a"]`. */
  readonly address: string
  readonly attributes: Attributes
  readonly provider: ProviderSettings
  readonly place: ServiceTarget
  /** The renamed object, with its former name. */
  readonly renamed?: { readonly id: string; readonly from: string } | undefined
}

export interface StackInput {
  readonly variables: GivenVariables
  /** The outputs of other stacks of the app, by the path of their state. */
  readonly remoteStates: ReadonlyMap<string, ReadonlyMap<string, Typed>>
  readonly files: StackFiles
  readonly lookUps: LookUps
  readonly engine: Engine | undefined
}

/** The evaluation of a stack: its inputs, and its results so far. */
export interface Evaluation {
  readonly input: StackInput
  readonly problems: StackProblems
  readonly means: (module: ModuleInstance, local?: LocalNames) => Means
  /** The configurations of the provider, by address; undefined if refused. */
  readonly providers: Map<string, ProviderSettings | undefined>
  /** The instances of each module, as far as evaluated. */
  readonly modules: Map<StackModule, readonly ModuleInstance[]>
  readonly instances: ResourceInstance[]
  /** The outputs of the stack itself. */
  readonly outputs: Map<string, Typed>
}

/** A value that is made when something refers to it. Nothing refers to most resources. */
export type LateValue = () => Typed

/** The objects of a resource, as others see them; undefined if one of them is refused. */
export function resource(
  block: Block,
  module: ModuleInstance,
  evaluation: Evaluation,
): LateValue | undefined {
  const { problems, instances } = evaluation
  const schema = resourceSchemas.get(block.type)
  const of = subjectOf(module.addressOf(block), block)
  if (!schema) return noSuchType(of, block, resourceSchemas, problems)
  if (!hasSupportedMeta(of, block, problems)) return undefined
  const { kind, attributes: known } = schema
  return eachInstance(block, module, evaluation, known, ({ subject, local }, attributes, provider) => {
    const { address } = subject
    const place = placeIn(subject, kind, attributes, provider, problems)
    if (!place) return undefined
    instances.push({ kind, block, address, attributes, provider, place })
    const whole = { ...ownerOf(kind, place), ...attributes }
    const value = once(() => resourceObject(address, known, whole, flagOf(kind, attributes, place)))
    checkLifecycle(block, module, evaluation, { of, local, value })
    return value
  })
}

export function dataSource(
  block: Block,
  module: ModuleInstance,
  evaluation: Evaluation,
): LateValue | undefined {
  const { problems, input } = evaluation
  const of = subjectOf(module.addressOf(block), block)
  if (block.type === 'terraform_remote_state') return remoteState(of, block, evaluation)
  const schema = dataSourceSchemas.get(block.type)
  if (!schema) return noSuchType(of, block, dataSourceSchemas, problems)
  if (!hasSupportedMeta(of, block, problems)) return undefined
  const { one, kind = one, attributes: known } = schema
  return eachInstance(block, module, evaluation, known, ({ subject, local }, attributes, provider) => {
    const { address } = subject
    const place = kind && placeIn(subject, kind, attributes, provider, problems)
    if (kind && !place) return undefined
    const found =
      one && place
        ? problems.attempt(subject, '', () => input.lookUps.attributesOf(one, attributes, place, subject))
        : attributes
    if (!found) return undefined
    const flag = one && place ? flagOf(one, found, place) : undefined
    const value = once(() => resourceObject(address, known, found, flag))
    checkLifecycle(block, module, evaluation, { of, local, value })
    return value
  })
}

/** Checks conditions before and after; `self` exists only after the evaluation. */
function checkLifecycle(
  { body: { lifecycle } }: Block,
  module: ModuleInstance,
  { means }: Evaluation,
  { of, local, value }: { readonly of: Subject; readonly local: LocalNames; readonly value: LateValue },
): void {
  if (lifecycle === undefined) return
  checkConditions(of, lifecycle, means(module, local), ['precondition'])
  checkConditions(of, lifecycle, means(module, { ...local, self: value() }), ['postcondition'])
}

function placeIn(
  place: Subject,
  kind: Pick<DeclarableKind, 'scope'>,
  attributes: Attributes,
  provider: ProviderSettings,
  problems: StackProblems,
): ServiceTarget | undefined {
  const name = kind.scope === 'project' ? 'project_id' : 'organization_id'
  return problems.attempt(place, name, () => {
    const owner = requireKnown(attributes[name] ?? null, 'it')
    return placeOf(kind, provider, typeof owner === 'string' && owner !== '' ? owner : undefined)
  })
}

interface NamedInstance extends Instance {
  readonly subject: Subject
}

function eachInstance(
  block: Block,
  module: ModuleInstance,
  evaluation: Evaluation,
  schema: Schema,
  make: (object: NamedInstance, attributes: Attributes, provider: ProviderSettings) => LateValue | undefined,
): LateValue | undefined {
  const { problems, means } = evaluation
  const of = subjectOf(module.addressOf(block), block)
  const provider = providerFor(of, block, module, evaluation)
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
  if (whole.length < objects.length) return undefined
  return () =>
    together(
      block,
      instances,
      whole.map(value => value()),
    )
}

function providerFor(
  place: Subject,
  block: Block,
  module: ModuleInstance,
  { problems, providers }: Evaluation,
): ProviderSettings | undefined {
  const { localName } = module.module.file
  const own = providerOf(block.body.provider, localName)
  const address = own && stackProvider(module.module, own)
  if (address !== undefined && providers.has(address)) return providers.get(address)
  const known = [...providers.values()].flatMap(settings => settings?.name ?? [])
  const remedy = module.caller
    ? `pass the configuration in the call of the module: providers = { ${(own ?? providerAddress(localName)).replace(/^provider\./, '')} = ... }`
    : `there are ${known.join(', ')}`
  problems.refuse(place, 'provider', invalid('the provider does not have this configuration', remedy))
  return undefined
}

function remoteState(
  place: Subject,
  { body }: Block,
  { problems, input }: Evaluation,
): LateValue | undefined {
  const outputs = problems.attempt(place, '', () => {
    const { backend, config } = body
    const path = typeof config === 'object' && config !== null && 'path' in config ? config.path : undefined
    const outputs = backend === 'local' && typeof path === 'string' ? input.remoteStates.get(path) : undefined
    if (!outputs)
      throw invalid(
        'it reads the state of a stack that is not in this app',
        'pass the value as a variable, or run this stack with Terraform',
      )
    return object([['outputs', object(outputs)]])
  })
  return outputs && (() => outputs)
}

function noSuchType(
  place: Subject,
  { type }: Block,
  known: ReadonlyMap<string, unknown>,
  problems: StackProblems,
): undefined {
  const listed = [...known.keys()].join(', ')
  problems.refuse(place, '', invalid(`the provider does not have ${type}`, `there are ${listed}`))
}

/**
 * A resource as others see it: its configured attributes; attributes that the service sets are unknown. The
 * id of a flag is unknown too, but linked to its flag.
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

/** The owner is known if the resource or the provider sets it. */
function ownerOf({ scope }: DeclarableKind, { project, organization }: ServiceTarget): Attributes {
  const owner = scope === 'project' ? project : organization
  return owner === undefined ? {} : { [`${scope}_id`]: owner }
}

/** The parent that other resources refer to by id: a flag, with its key. */
function flagOf(
  kind: IdentifiedKind,
  attributes: Attributes,
  place: ServiceTarget,
): FlagReference | undefined {
  const [key, id] = [attributes[identityField(kind)], attributes.id ?? null]
  if (!kindBelow(kind.name) || typeof key !== 'string' || id !== null) return undefined
  return { key: key.trim(), place: placeText(place) }
}

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

/** Whether a resource uses only supported meta-arguments; others are refused by name. */
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
      message: `${place.address}.${field}: Vexil does not support this`,
      hint: 'remove it, or run this stack with Terraform',
    })
  }
  const isBoth = count !== undefined && forEach !== undefined
  if (isBoth) problems.refuse(place, 'for_each', invalid('count is set too', 'remove one of them'))
  const misread = isBoth ? undefined : unreadLifecycle(lifecycle)
  if (misread !== undefined) problems.refuse(place, 'lifecycle', misread)
  return refused.length === 0 && !isBoth && misread === undefined
}

/** An ignored rule would protect nothing. */
function unreadLifecycle(lifecycle: ExactJson | undefined): Refusal | undefined {
  if (lifecycle === undefined || lifecycle === null) return undefined
  if (!isExactObject(lifecycle)) return invalid('lifecycle must be one block with its rules')
  const stray = Object.keys(lifecycle).find(name => name !== '//' && !lifecycleRules.includes(name))
  if (stray === undefined) return undefined
  const hint = meantHint(stray, lifecycleRules, `there are ${lifecycleRules.join(', ')}`)
  return invalid(`${JSON.stringify(stray)} is not a rule of lifecycle`, hint)
}
