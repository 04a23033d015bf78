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
import { sentence } from '../model/text/text-layout.ts'
import { checkOwner } from '../rules/check-object.ts'
import { looksMadeUp, type TerraformBlock } from '../schema/terraform/terraform-attribute.ts'
import type { FunctionParameter } from '../schema/terraform/terraform-schema.ts'

export type Awaitable<T> = T | Promise<T>

/** Terraform stores it beside a state, never shown. Not encrypted; keep it small. No bytes mean nothing. */
export type Private = Uint8Array

/** Given with every call. */
export interface CallContext {
  /** Aborted when Terraform wants everything under way to end. */
  readonly signal: AbortSignal
}

interface Answer {
  readonly diagnostics?: Diagnostics
}

/**
 * A provider in its own terms. The values that it receives have every attribute of their schema; those that
 * it returns may leave out nulls. Whatever it throws becomes a diagnostic.
 */
export interface Provider {
  /** Texts that no answer and no line of the log may show. */
  readonly secrets?: Secrets
  readonly schema: Schema
  readonly resources: Readonly<Record<string, Resource>>
  readonly dataSources: Readonly<Record<string, DataSource>>
  readonly functions: Readonly<Record<string, ProviderFunction>>
  validateProvider?(config: ObjectValue, context: CallContext): Awaitable<Diagnostics>
  /**
   * Called once per run, or, in a process that serves several runs, many times. Values may be unknown while
   * planning: what needs them fails at its first use, not here.
   */
  configure(
    config: ObjectValue,
    terraform: { readonly version: string },
    context: CallContext,
  ): Awaitable<Diagnostics>
  /** Called together with the abort of the calls under way. */
  stop?(): Awaitable<void>
}

export interface Resource {
  readonly schema: Schema
  /** What identifies its objects, for a Terraform that asks for it. */
  readonly identity?: ResourceIdentity
  /** Unknown values must pass. */
  validate?(config: ObjectValue, context: CallContext): Awaitable<Diagnostics>
  /** Called with each state that Terraform has, before it is read or planned. */
  noteState?(state: ObjectValue): void
  /** A `state` of null means that the object is gone, and lets Terraform create it again: only for a real "not found". */
  read(current: CurrentState, context: CallContext): Awaitable<ReadAnswer>
  /** Not called for a removal. */
  plan(change: ProposedChange, context: CallContext): Awaitable<PlanAnswer>
  /** Reports on a planned removal. It decides nothing. */
  planRemoval?(current: CurrentState, context: CallContext): Awaitable<Diagnostics>
  /** `planned` is null for a removal, and so must be the answer's `state`; `prior` is null for a creation. */
  apply(change: PlannedChange, context: CallContext): Awaitable<ApplyAnswer>
  /** Enough of a state for `read` to find the rest. */
  import?(id: string, context: CallContext): Awaitable<ImportAnswer>
  /** The same for an identity; attributes that it leaves out are null. */
  importByIdentity?(identity: ObjectValue, context: CallContext): Awaitable<ImportAnswer>
  /** Lists existing objects, for a Terraform that asks for it. */
  readonly list?: ResourceList
  /** The state of another type's resource as one of this type; undefined if that type is not known. */
  move?(source: MoveSource, context: CallContext): Awaitable<ImportAnswer | undefined>
}

/** The attributes that identify one object for as long as it lives. */
export interface ResourceIdentity {
  /** Counts up whenever the attributes change. */
  readonly version: number
  readonly attributes: Readonly<Record<string, IdentityAttribute>>
  /** The identity in a state, or in a plan, which may not know it yet; undefined if the state lacks it. */
  of(values: ObjectValue): ObjectValue | undefined
}

export interface IdentityAttribute {
  readonly type: Type
  readonly description: string
  /** Whether an import has to give it. */
  readonly required?: boolean
}

/** The existing objects of a resource type, whether or not Terraform manages them. */
export interface ResourceList {
  /** The options of a list. */
  readonly schema: Schema
  /** Unknown values must pass. */
  validate?(config: ObjectValue, context: CallContext): Awaitable<Diagnostics>
  /** Yields each object when it is needed, so that nobody holds all of them. */
  objects(config: ObjectValue, wanted: ListWanted, context: CallContext): AsyncIterable<ListedObject>
}

export interface ListWanted {
  /** Whether the whole state of each object is wanted. */
  readonly isWhole: boolean
}

export interface ListedObject {
  /** A name for people. */
  readonly name: string
  /** Enough of a state for its identity, or the whole state if that is wanted. */
  readonly state: ObjectValue
}

export interface CurrentState {
  readonly state: ObjectValue
  readonly private: Private
}

export interface ReadAnswer extends Answer {
  readonly state: ObjectValue | null
  /** The data to store from now on; if left out, the earlier data stays. */
  readonly private?: Private
}

export interface ProposedChange {
  readonly prior: ObjectValue | null
  /** The configuration; values that it leaves to the provider come from `prior`. */
  readonly proposed: ObjectValue
  readonly config: ObjectValue
  readonly priorPrivate: Private
}

export interface PlanAnswer extends Answer {
  readonly planned: ObjectValue
  readonly private?: Private
  /** Attributes that cannot change without a new object. Counted only where the plan changes them. */
  readonly requiresReplace?: readonly AttributePath[]
}

export interface PlannedChange {
  readonly prior: ObjectValue | null
  readonly planned: ObjectValue | null
  readonly config: ObjectValue | null
  readonly plannedPrivate: Private
}

export interface ApplyAnswer extends Answer {
  /** The object as it is now, even if the diagnostics contain an error. */
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
  /** Unknown values must pass. */
  validate?(config: ObjectValue, context: CallContext): Awaitable<Diagnostics>
  read(config: ObjectValue, context: CallContext): Awaitable<{ readonly state: ObjectValue } & Answer>
}

/** Also called during validation: it must not ask anybody, and must return the same result every time. */
export interface ProviderFunction {
  readonly summary: string
  readonly description: string
  readonly parameters: readonly FunctionParameter[]
  /** Any number of these may follow. */
  readonly variadic?: FunctionParameter
  readonly result: Type
  call(given: readonly Value[], context: CallContext): Awaitable<Value>
}

/** How a resource, a data source or the provider itself is configured and stored. */
export interface Schema {
  /** Counts up whenever the stored form changes; states of another version are refused. */
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
  /** Never shown in a plan or in a message of ours. */
  readonly sensitive?: true
}

export interface ValueAttribute extends Described {
  readonly type: Type
}

/** A list of objects whose members have their own presence. */
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

/** The type of the values that a block describes. */
export function typeOfBlock({ attributes }: Pick<Block, 'attributes'>): ObjectType {
  return typeOfAttributes(attributes)
}

const typeOfAttributes = oncePer(
  (attributes: Attributes): ObjectType => ['object', mapMembers(attributes, typeOfAttribute)],
)

export function typeOfAttribute(attribute: Attribute): Type {
  return isNestedAttribute(attribute) ? [attribute.nesting, typeOfBlock(attribute)] : attribute.type
}

/** A message that Terraform shows to a person, with its attribute underlined. */
export interface Diagnostic {
  readonly severity: 'error' | 'warning'
  /** One line: what is wrong. */
  readonly summary: string
  /** Where, why, and what to do about it. */
  readonly detail?: string
  readonly attribute?: AttributePath
}

export type Diagnostics = readonly Diagnostic[]

/** Thrown by a provider whose message has more than one line. */
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

/** A thrown error as diagnostics. Never the stack, which does not help a reader of a plan. */
export function diagnosticsFrom(error: unknown): Diagnostics {
  if (error instanceof DiagnosticError) return error.diagnostics
  if (error instanceof ValueError)
    return [
      errorDiagnostic('the provider made a value that does not fit its schema', error.message, error.path),
    ]
  return [errorDiagnostic(messageOf(error))]
}

export function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)) || 'failed for no stated reason'
}

/** Reports required attributes that are null. Terraform accepts them, for example if a variable is null. */
export function checkRequired({ attributes }: TerraformBlock, config: ObjectValue): Diagnostics {
  const missing = Object.entries(attributes).filter(
    ([name, { required }]) => required && memberOf(config, name) === null,
  )
  return missing.map(([name, { description }]) => errorDiagnostic(`\`${name}\` is null`, description, [name]))
}

/** Checks the id of a project or an organization; unknown and missing values pass. */
export function checkOwnerId(scope: Scope, name: string, value: Value): Diagnostics {
  const problem = typeof value === 'string' ? checkOwner(scope, value) : undefined
  if (!problem) return []
  const { severity, message, hint } = problem
  return [{ severity, summary: message, detail: sentence(hint), attribute: [name] }]
}

/**
 * Whether the invalid text may be made up by `mock_provider` in a `terraform test`. There every computed text
 * is made up, even an id, and its users are validated but never planned. So the plan reports the problem
 * instead, where there are no mocks.
 */
export function isMadeUp(config: ObjectValue, { attribute: [name] = [] }: Diagnostic): boolean {
  return typeof name === 'string' && looksMadeUp(memberOf(config, name))
}

/** Whether a configuration has any text of that form. */
export function hasMadeUp(config: ObjectValue): boolean {
  return Object.values(config).some(looksMadeUp)
}
