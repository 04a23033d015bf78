import type { Live } from '../../core/live.ts'
import { memberOf, type ObjectValue } from '../../hcl/values.ts'
import { type DeclarableKind, identityField } from '../../model/kind.ts'
import { listedKinds, resourceBlock } from '../../schema/terraform/terraform-schema.ts'
import { create } from '../change/create.ts'
import { explain, trying } from '../change/explain.ts'
import { lostEditsWarning } from '../change/live-edits.ts'
import { removalWarning, settleClaims } from '../change/plan-existing.ts'
import { planObject } from '../change/plan-state.ts'
import { type Remembered, recall, remember } from '../change/remembered.ts'
import { remove, update } from '../change/update.ts'
import {
  type ApplyAnswer,
  type CallContext,
  type CurrentState,
  type Diagnostics,
  isMadeUp,
  type PlannedChange,
  type ReadAnswer,
  type Resource,
} from '../provider.ts'
import { blockSchema, type Session } from '../session.ts'
import { checkConfig } from './check-config.ts'
import { kindIdentity } from './field-value.ts'
import { importByIdentity, importObject, moveState } from './import.ts'
import { kindList } from './list.ts'
import { refresh, refreshedSource, remembering } from './refresh.ts'
import {
  contextOf,
  deletedMark,
  findHeldById,
  nameIn,
  type ResourceContext,
  textOf,
} from './resource-context.ts'

/** The resource of one kind: Terraform's lifecycle over the reconciler's. */
export function kindResource(kind: DeclarableKind, session: Session): Resource {
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
        // After any error, Terraform's object still exists.
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
  // An object that was imported, or moved from another provider, was never seen here.
  const isNew = recall(current.private).isNew === true
  return { state: isNew ? null : { ...state, ...deletedMark(kind, true) } }
}

/** The state of an object that was found. */
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
 * With `create_before_destroy`, a replacement with `adopt` takes over or restores the object that it
 * replaces; destroying that would destroy both.
 */
function heldByAnother(kind: DeclarableKind, prior: ObjectValue): Diagnostics {
  return [
    {
      severity: 'warning',
      summary: `${nameIn(kind, prior)} was not destroyed`,
      detail: `Another resource, or the one that replaces this one with \`create_before_destroy\`, has taken over the ${kind.title} with the id ${textOf(memberOf(prior, 'id'))} in this run.`,
    },
  ]
}

function triedTo(kind: DeclarableKind, { prior, planned }: PlannedChange): string {
  const verb = planned === null ? 'destroy' : prior === null ? 'create' : 'change'
  // A live object has the name of its state, even before a rename.
  return `${verb} ${nameIn(kind, prior ?? planned ?? {})}`
}
