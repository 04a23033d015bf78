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
  /** The object that it renames, with the name before. */
  readonly renamed?: { readonly id: string; readonly from: string } | undefined
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

/** The evaluation of a stack: what it works with, and what it has found so far. */
export interface Evaluation {
  readonly input: StackInput
  readonly problems: StackProblems
  readonly means: (module: ModuleInstance, local?: LocalNames) => Means
  /** The configurations of the provider, by address; undefined for refused ones. */
  readonly providers: Map<string, ProviderSettings | undefined>
  /** The instances of each module that was evaluated so far. */
  readonly modules: Map<StackModule, readonly ModuleInstance[]>
  /** Every declared object. */
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

/** The same for a data source. */
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
    ? `pass it where the module is called: providers = { ${(own ?? providerAddress(localName)).replace(/^provider\./, '')} = ... }`
    : `there are ${known.join(', ')}`
  problems.refuse(place, 'provider', invalid('there is no such configuration of the provider', remedy))
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
        'it reads the state of a stack that is not beside this one',
        'give the value as a variable, or run this stack with Terraform',
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
  problems.refuse(place, '', invalid(`the provider has no ${type}`, `there are ${listed}`))
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
