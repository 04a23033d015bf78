import type { Secrets } from '../api/index.ts'
import {
  type AttributePath,
  mapMembers,
  memberOf,
  type ObjectType,
  type ObjectValue,
  type Type,
  type Value,
  ValueError,
} from '../hcl/values.ts'
import type { Scope } from '../model/kind.ts'
import { oncePer } from '../model/runtime.ts'
import type { Json } from '../model/text/json.ts'
import { messageOf } from '../model/text/message-of.ts'
import { sentence } from '../model/text/text-layout.ts'
import { checkOwner } from '../rules/check-object.ts'
import { looksMadeUp, type TerraformBlock } from '../schema/terraform/terraform-attribute.ts'
import type { FunctionParameter } from '../schema/terraform/terraform-schema.ts'

export type Awaitable<T> = T | Promise<T>

/** Terraform stores it with a state, unencrypted, and never shows it. Keep it small. No bytes: no data. */
export type Private = Uint8Array

export interface CallContext {
  /** Aborted when Terraform wants running calls to end. */
  readonly signal: AbortSignal
}

interface Answer {
  readonly diagnostics?: Diagnostics
}

/**
 * A provider, independent of the protocol. Values passed in have every attribute of their schema. Returned
 * values may omit nulls. Everything it throws becomes a diagnostic.
 */
export interface Provider {
  /** Texts that no answer and no log line may contain. */
  readonly secrets?: Secrets
  readonly schema: Schema
  readonly resources: Readonly<Record<string, Resource>>
  readonly dataSources: Readonly<Record<string, DataSource>>
  readonly functions: Readonly<Record<string, ProviderFunction>>
  validateProvider?(config: ObjectValue, context: CallContext): Awaitable<Diagnostics>
  /**
   * Called once per run, or many times in a process that serves several runs. During planning, values may be
   * unknown. Code that needs an unknown value fails at its first use, not here.
   */
  configure(
    config: ObjectValue,
    terraform: { readonly version: string },
    context: CallContext,
  ): Awaitable<Diagnostics>
  /** Called when the running calls are aborted. */
  stop?(): Awaitable<void>
  /** Called last, when no call is running. */
  close?(): Awaitable<void>
}

export interface Resource {
  readonly schema: Schema
  /** The identity of objects, for Terraform versions that support it. */
  readonly identity?: ResourceIdentity
  /** Unknown values must be accepted. */
  validate?(config: ObjectValue, context: CallContext): Awaitable<Diagnostics>
  /** Called with each state that Terraform has, before the state is read or planned. */
  noteState?(state: ObjectValue): void
  /**
   * A `state` of null means that the object is gone, and Terraform may create it again. Return it only for a
   * real "not found".
   */
  read(current: CurrentState, context: CallContext): Awaitable<ReadAnswer>
  /** Not called for a removal. */
  plan(change: ProposedChange, context: CallContext): Awaitable<PlanAnswer>
  /** Reports on a planned removal. It cannot prevent the removal. */
  planRemoval?(current: CurrentState, context: CallContext): Awaitable<Diagnostics>
  /** For a removal, `planned` and the returned `state` are null. For a creation, `prior` is null. */
  apply(change: PlannedChange, context: CallContext): Awaitable<ApplyAnswer>
  /** Returns enough of a state for `read` to find the rest. */
  import?(id: string, context: CallContext): Awaitable<ImportAnswer>
  /** Like `import`, for an identity. Missing attributes are null. */
  importByIdentity?(identity: ObjectValue, context: CallContext): Awaitable<ImportAnswer>
  /** Lists existing objects, for Terraform versions that support it. */
  readonly list?: ResourceList
  /** Converts the state of another type's resource to this type; undefined for an unknown type. */
  move?(source: MoveSource, context: CallContext): Awaitable<ImportAnswer | undefined>
}

/** The attributes that identify one object during its whole life. */
export interface ResourceIdentity {
  /** Increases whenever the attributes change. */
  readonly version: number
  readonly attributes: Readonly<Record<string, IdentityAttribute>>
  /** The identity in a state or a plan, where it may be unknown. Undefined if the state lacks it. */
  of(values: ObjectValue): ObjectValue | undefined
}

export interface IdentityAttribute {
  readonly type: Type
  readonly description: string
  /** Whether an import must set it. */
  readonly required?: boolean
}

/** The existing objects of a resource type, whether or not Terraform manages them. */
export interface ResourceList {
  readonly schema: Schema
  /** Unknown values must be accepted. */
  validate?(config: ObjectValue, context: CallContext): Awaitable<Diagnostics>
  /** Yields each object on demand, so that memory never holds all objects. */
  objects(config: ObjectValue, wanted: ListWanted, context: CallContext): AsyncIterable<ListedObject>
}

export interface ListWanted {
  /** Whether the caller wants the complete state of each object. */
  readonly isWhole: boolean
}

export interface ListedObject {
  /** A name for people. */
  readonly name: string
  /** Enough of a state for its identity, or the complete state if requested. */
  readonly state: ObjectValue
}

export interface CurrentState {
  readonly state: ObjectValue
  readonly private: Private
}

export interface ReadAnswer extends Answer {
  readonly state: ObjectValue | null
  /** The new data to store. If omitted, the earlier data stays. */
  readonly private?: Private
}

export interface ProposedChange {
  readonly prior: ObjectValue | null
  /** The configuration. Values that the configuration does not set come from `prior`. */
  readonly proposed: ObjectValue
  readonly config: ObjectValue
  readonly priorPrivate: Private
}

export interface PlanAnswer extends Answer {
  readonly planned: ObjectValue
  readonly private?: Private
  /** Attributes that only a new object can change. They count only if the plan changes them. */
  readonly requiresReplace?: readonly AttributePath[]
}

export interface PlannedChange {
  readonly prior: ObjectValue | null
  readonly planned: ObjectValue | null
  readonly config: ObjectValue | null
  readonly plannedPrivate: Private
}

export interface ApplyAnswer extends Answer {
  /** The current object, even if the diagnostics contain an error. */
  readonly state: ObjectValue | null
  readonly private?: Private
}

export interface ImportAnswer extends Answer {
  readonly state: ObjectValue
  readonly private?: Private
}

export interface MoveSource {
  /** `registry.terraform.io/posthog/posthog` */
  readonly provider: string
  readonly type: string
  readonly version: number
  readonly state: Json
}

export interface DataSource {
  readonly schema: Schema
  /** Unknown values must be accepted. */
  validate?(config: ObjectValue, context: CallContext): Awaitable<Diagnostics>
  read(config: ObjectValue, context: CallContext): Awaitable<{ readonly state: ObjectValue } & Answer>
}

/** Also called during validation. It must not send requests, and must always return the same result. */
export interface ProviderFunction {
  readonly summary: string
  readonly description: string
  readonly parameters: readonly FunctionParameter[]
  /** The type of any additional arguments. */
  readonly variadic?: FunctionParameter
  readonly result: Type
  call(given: readonly Value[], context: CallContext): Awaitable<Value>
}

/** The configuration and state format of a resource, a data source or the provider. */
export interface Schema {
  /** Increases when the stored format changes. States of another version are refused. */
  readonly version: number
  readonly block: Block
}

export interface Block {
  readonly attributes: Attributes
  readonly description?: string
}

/** Who sets an attribute: the configuration, the provider, or the provider if the configuration does not. */
export type Presence = 'required' | 'optional' | 'computed' | 'optional+computed'

interface Described {
  readonly presence: Presence
  readonly description?: string
  /** Plans and messages never show the value. */
  readonly sensitive?: true
}

export interface ValueAttribute extends Described {
  readonly type: Type
}

/** A list of objects whose members each have their own `Presence`. */
export interface NestedAttribute extends Described {
  readonly nesting: 'list'
  readonly attributes: Attributes
}

export type Attribute = ValueAttribute | NestedAttribute
export type Attributes = Readonly<Record<string, Attribute>>

export function isNestedAttribute(attribute: Attribute): attribute is NestedAttribute {
  return 'nesting' in attribute
}

export function isComputed({ presence }: Attribute): boolean {
  return presence === 'computed' || presence === 'optional+computed'
}

/** The type of the values in a block. */
export function typeOfBlock({ attributes }: Pick<Block, 'attributes'>): ObjectType {
  return typeOfAttributes(attributes)
}

const typeOfAttributes = oncePer(
  (attributes: Attributes): ObjectType => ['object', mapMembers(attributes, typeOfAttribute)],
)

export function typeOfAttribute(attribute: Attribute): Type {
  return isNestedAttribute(attribute) ? [attribute.nesting, typeOfBlock(attribute)] : attribute.type
}

/** A message that Terraform shows to a person. Terraform underlines the attribute. */
export interface Diagnostic {
  readonly severity: 'error' | 'warning'
  /** One line: what is wrong. */
  readonly summary: string
  /** Where, why, and how to fix it. */
  readonly detail?: string
  readonly attribute?: AttributePath
}

export type Diagnostics = readonly Diagnostic[]

/** An error whose message has more than one line. */
export class DiagnosticError extends Error {
  override readonly name = 'DiagnosticError'
  readonly diagnostics: Diagnostics

  constructor(...diagnostics: Diagnostics) {
    super(diagnostics[0]?.summary ?? 'failed')
    this.diagnostics = diagnostics
  }
}

export function errorDiagnostic(summary: string, detail?: string, attribute?: AttributePath): Diagnostic {
  return { severity: 'error', summary, ...(detail ? { detail } : {}), ...(attribute ? { attribute } : {}) }
}

export function hasError(diagnostics: Diagnostics): boolean {
  return diagnostics.some(({ severity }) => severity === 'error')
}

/** Diagnostics never include the stack, which does not help a reader of a plan. */
export function diagnosticsFrom(error: unknown): Diagnostics {
  if (error instanceof DiagnosticError) return error.diagnostics
  if (error instanceof ValueError)
    return [
      errorDiagnostic(
        'the provider returned a value that does not fit its schema',
        error.message,
        error.path,
      ),
    ]
  return [errorDiagnostic(messageOf(error))]
}

/** Reports required attributes that are null. Terraform accepts them, for example if a variable is null. */
export function checkRequired({ attributes }: TerraformBlock, config: ObjectValue): Diagnostics {
  const missing = Object.entries(attributes).filter(
    ([name, { required }]) => required && memberOf(config, name) === null,
  )
  return missing.map(([name, { description }]) => errorDiagnostic(`\`${name}\` is null`, description, [name]))
}

/** Checks the id of a project or an organization. Unknown and missing values are accepted. */
export function checkOwnerId(scope: Scope, name: string, value: Value): Diagnostics {
  const problem = typeof value === 'string' ? checkOwner(scope, value) : undefined
  if (!problem) return []
  const { severity, message, hint } = problem
  return [{ severity, summary: message, detail: sentence(hint), attribute: [name] }]
}

/**
 * Whether `mock_provider` of a `terraform test` may have generated the invalid text. It generates every
 * computed text, even ids, and resources that use them are validated but never planned. So the plan, which
 * has no mocks, reports the problem instead.
 */
export function isMadeUp(config: ObjectValue, { attribute: [name] = [] }: Diagnostic): boolean {
  return typeof name === 'string' && looksMadeUp(memberOf(config, name))
}

/** Whether a configuration contains any text that looks generated. */
export function hasMadeUp(config: ObjectValue): boolean {
  return Object.values(config).some(looksMadeUp)
}
