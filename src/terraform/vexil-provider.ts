import { Secrets } from '../api/index.ts'
import type { Live } from '../core/live.ts'
import { mapMembers, memberOf, type ObjectValue } from '../hcl/values.ts'
import { declarableKinds } from '../kinds/index.ts'
import { type DeclarableKind, identityField } from '../model/kind.ts'
import { version } from '../model/version.ts'
import { callProviderFunction } from '../schema/terraform/call-provider-function.ts'
import {
  type DataSource as Description,
  dataSourceBlock,
  dataSources,
} from '../schema/terraform/terraform-data-sources.ts'
import { typeName } from '../schema/terraform/terraform-names.ts'
import {
  type FunctionName,
  type FunctionSignature,
  functionSignatures,
  listedKinds,
  providerBlock,
  resourceBlock,
} from '../schema/terraform/terraform-schema.ts'
import {
  type ApplyAnswer,
  type CallContext,
  type CurrentState,
  checkOwnerId,
  checkRequired,
  type DataSource,
  DiagnosticError,
  type Diagnostics,
  isMadeUp,
  type PlannedChange,
  type Provider,
  type ProviderFunction,
  type ReadAnswer,
  type Resource,
} from './provider.ts'
import { checkProvider } from './provider-settings.ts'
import { checkBelow, checkConfig, checkNamed } from './resources/check-config.ts'
import { explain, explainReading, trying } from './resources/explain.ts'
import { kindIdentity } from './resources/field-value.ts'
import { importByIdentity, importObject, moveState } from './resources/import.ts'
import { lostEditsWarning } from './resources/live-edits.ts'
import { removalWarning, settleClaims } from './resources/plan-existing.ts'
import { planObject } from './resources/plan-state.ts'
import { kindList, readAnswer, readMany, readOne } from './resources/read-data.ts'
import { refresh, refreshedSource, remembering } from './resources/refresh.ts'
import { type Remembered, recall, remember } from './resources/remembered.ts'
import {
  contextOf,
  deletedMark,
  findHeldById,
  nameIn,
  type ResourceContext,
  textOf,
} from './resources/resource-context.ts'
import { create, remove, update } from './resources/write-object.ts'
import type { ProviderContext } from './serve/serve.ts'
import { blockSchema, Session, type SessionOptions } from './session.ts'

export type VexilProviderOptions = SessionOptions

/** The provider of all kinds. Its configuration names the service. Nothing is opened before it is needed. */
export function createVexilProvider(options: VexilProviderOptions): Provider & { close(): Promise<void> } {
  const secrets = options.secrets ?? new Secrets()
  const session = new Session({ ...options, secrets })
  return {
    secrets,
    schema: blockSchema(providerBlock),
    resources: Object.fromEntries(
      declarableKinds.map(kind => [typeName(kind.name), kindResource(kind, session)]),
    ),
    dataSources: Object.fromEntries(
      Object.entries(dataSources).map(([name, source]) => [typeName(name), describedSource(source, session)]),
    ),
    functions: providerFunctions(),
    validateProvider: config => {
      session.validated(config)
      return checkProvider(config)
    },
    async configure(config) {
      await session.configure(config)
      return []
    },
    stop() {
      // The answer to a stop does not wait for changes that are still finishing.
      session.stop().catch(() => {})
    },
    close: () => session.close(),
  }
}

/** The provider `vexil`, in the process that Terraform started. */
export function defineVexil({ env, runtime, onRequest }: ProviderContext): Provider {
  return createVexilProvider({
    env,
    runtime,
    onRequest,
    directory: '.',
    userAgent: `vexil-terraform/${version}`,
    proxyEnvironment: env,
  })
}

/** The provider's functions, in the form of the protocol. */
export function providerFunctions(): Readonly<Record<string, ProviderFunction>> {
  return mapMembers<FunctionSignature, ProviderFunction>(
    functionSignatures,
    ({ summary, description, parameters, variadic, returns }, name) => ({
      summary,
      description,
      parameters,
      ...(variadic ? { variadic } : {}),
      result: returns,
      // The names are those of the signatures.
      call: given => callProviderFunction(name as FunctionName, given),
    }),
  )
}

/** The resource of one kind: Terraform's lifecycle, implemented with the reconciler. */
function kindResource(kind: DeclarableKind, session: Session): Resource {
  return {
    schema: blockSchema(resourceBlock(kind)),
    identity: kindIdentity(kind, session),
    validate: config =>
      checkConfig(kind, config, session.services).filter(problem => !isMadeUp(config, problem)),
    noteState: state => session.noteState(kind, textOf(memberOf(state, 'id')) ?? ''),
    plan: (change, { signal }) => planObject(kind, session, change, signal),
    planRemoval: async (current, { signal }) => [
      ...lostEditsWarning(kind, session, current),
      ...(await removalWarning(kind, session, current, signal)),
    ],
    read: (current, { signal }) =>
      trying(`read ${nameIn(kind, current.state)}`, kind, () => read(kind, session, current, signal)),
    apply: async (change, context) => {
      try {
        const answer = await apply(kind, session, change, context)
        settleClaims(kind, session.claims, change, answer.state)
        return answer
      } catch (error) {
        settleClaims(kind, session.claims, change, change.prior)
        // After any error, Terraform assumes that its object still exists.
        const diagnostics = explain(error, triedTo(kind, change), kind, change.config)
        return { state: change.prior, private: change.plannedPrivate, diagnostics }
      }
    },
    import: (id, { signal }) =>
      trying(`import ${kind.title} "${id}"`, kind, () => importObject(kind, session, id, signal)),
    importByIdentity: (identity, { signal }) =>
      trying(`import the ${kind.title}`, kind, () => importByIdentity(kind, session, identity, signal)),
    ...(listedKinds.includes(kind) ? { list: kindList(kind, session, readFound) } : {}),
    move: source => moveState(kind, source),
  }
}

async function read(
  kind: DeclarableKind,
  session: Session,
  current: CurrentState,
  signal: AbortSignal,
): Promise<ReadAnswer> {
  const { state } = current
  const context = contextOf(kind, session, state, signal)
  const live = await findHeldById(
    context,
    textOf(memberOf(state, 'id')) ?? '',
    textOf(memberOf(state, identityField(kind))),
  )
  if (!live) return { state: null }
  if (!live.isSoftDeleted) return readFound(context, current, live)
  // This provider has never read an object that was imported, or moved from another provider.
  const isNew = recall(current.private).isNew === true
  return { state: isNew ? null : { ...state, ...deletedMark(kind, true) } }
}

async function readFound(context: ResourceContext, current: CurrentState, live: Live): Promise<ReadAnswer> {
  const { kind } = context
  const { state } = current
  const remembered = recall(current.private)
  const source = await refreshedSource(context, state, live, remembered.isNew === true)
  const seen = withBase(remembering(kind, live, remembered), remembered)
  const refreshed = refresh(context, state, live, remembered, seen)
  return {
    state: kind.lifecycle.files ? { ...refreshed, source } : refreshed,
    private: remember(seen),
  }
}

/** Without an apply, the base is the state: it was configured, or is about to be. */
function withBase(seen: Remembered, { base, fields, isNew }: Remembered): Remembered {
  return base ? seen : { ...seen, base: { fields: isNew ? seen.fields : fields } }
}

async function apply(
  kind: DeclarableKind,
  session: Session,
  { prior, planned, config, plannedPrivate }: PlannedChange,
  { signal }: CallContext,
): Promise<ApplyAnswer> {
  signal.throwIfAborted()
  const context = contextOf(kind, session, planned ?? prior ?? {}, signal)
  if (planned === null) {
    return context.run.made.has(madeName(context, prior))
      ? { state: null, diagnostics: heldByAnother(kind, prior ?? {}) }
      : remove(context, prior ?? {}, plannedPrivate)
  }
  const wanted = { context, planned, config: config ?? planned }
  if (prior !== null) return update({ ...wanted, prior }, plannedPrivate)
  const answer = await create({ ...wanted, prior })
  if (answer.state) context.run.made.add(madeName(context, answer.state))
  return answer
}

function madeName({ kind, parentId = '' }: ResourceContext, state: ObjectValue | null): string {
  return [kind.name, parentId, textOf(memberOf(state ?? undefined, 'id'))].join('/')
}

/**
 * With `create_before_destroy` and `adopt`, a replacement adopts or restores the object that it replaces.
 * Destroying the old object would destroy both.
 */
function heldByAnother(kind: DeclarableKind, prior: ObjectValue): Diagnostics {
  return [
    {
      severity: 'warning',
      summary: `${nameIn(kind, prior)} was not destroyed`,
      detail: `Another resource, or this one's replacement with \`create_before_destroy\`, has adopted the ${kind.title} with the id ${textOf(memberOf(prior, 'id'))} in this run.`,
    },
  ]
}

function triedTo(kind: DeclarableKind, { prior, planned }: PlannedChange): string {
  const verb = planned === null ? 'destroy' : prior === null ? 'create' : 'change'
  // A live object still has the name in its state, even before a rename.
  return `${verb} ${nameIn(kind, prior ?? planned ?? {})}`
}

/** A data source as its row of the table describes it. */
function describedSource(source: Description, session: Session): DataSource {
  const block = dataSourceBlock(source)
  return {
    schema: blockSchema(block),
    // All other problems appear when the data source is read.
    validate: config =>
      [...checkRequired(block, config), ...checkOwners(config), ...checkNames(source, config)].filter(
        problem => !isMadeUp(config, problem),
      ),
    read: async (config, { signal }) => {
      try {
        return { state: await readSource(source, session, config, signal) }
      } catch (error) {
        const { kind } = source
        throw new DiagnosticError(...explainReading(error, `read ${kind.title}s`, kind))
      }
    },
  }
}

function checkOwners(config: ObjectValue): Diagnostics {
  return [
    ...checkOwnerId('project', 'project_id', memberOf(config, 'project_id')),
    ...checkOwnerId('organization', 'organization_id', memberOf(config, 'organization_id')),
  ]
}

function checkNames(source: Description, config: ObjectValue): Diagnostics {
  if (source.is === 'answer') return []
  return source.is === 'one' ? checkNamed(source.kind, config) : checkBelow(source.kind, config)
}

function readSource(
  source: Description,
  session: Session,
  config: ObjectValue,
  signal: AbortSignal,
): Promise<ObjectValue> {
  switch (source.is) {
    case 'one':
      return readOne(source.kind, session, config, signal)
    case 'many':
      return readMany(source, session, config, signal)
    case 'answer':
      return readAnswer(source, session, config, signal)
  }
}
