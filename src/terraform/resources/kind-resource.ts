import { isSameField } from '../../core/diff.ts'
import type { Live } from '../../core/live.ts'
import {
  hasSameMembers,
  isObjectValue,
  mapMembers,
  memberOf,
  type ObjectValue,
  Unknown,
  type Value,
} from '../../hcl/values.ts'
import { type DeclarableKind, identityField, managedFields } from '../../model/kind.ts'
import { advanced, advancedNames, attributePath, flattened } from '../../schema/terraform/terraform-extras.ts'
import { listedKinds, resourceAttributes, resourceBlock } from '../../schema/terraform/terraform-schema.ts'
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
  DiagnosticError,
  type Diagnostics,
  type ImportAnswer,
  isMadeUp,
  type PlannedChange,
  type ReadAnswer,
  type Resource,
} from '../provider.ts'
import { blockSchema, type Session } from '../session.ts'
import { checkConfig } from './check-config.ts'
import { jsonOf, kindIdentity } from './field-value.ts'
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
  const resource = flatResource(kind, session)
  return advancedNames(kind).length > 0 ? nestAdvanced(kind, resource) : resource
}

/**
 * A resource in the form of Terraform's schema: what few people set is inside one attribute. Everything else
 * here knows its members by themselves.
 *
 * | the nested attribute is      | an answer has                                                            |
 * |------------------------------|--------------------------------------------------------------------------|
 * | configured, or in the state  | all its members; one that neither of them has is null at its default     |
 * | in neither                   | null, unless the live object differs from the defaults                   |
 */
function nestAdvanced(kind: DeclarableKind, flat: FlatResource): Resource {
  const { list } = flat
  const flatten = (values: ObjectValue) => flattened(kind, values)
  const flattenAny = (values: ObjectValue | null) => values && flatten(values)
  const nested = (answer: ImportAnswer): ImportAnswer => ({
    ...answer,
    state: nestLive(kind, answer.state, null),
  })
  return {
    ...flat,
    schema: blockSchema(resourceBlock(kind)),
    earlier: { 0: { block: flat.schema.block, upgrade: state => nestLive(kind, state, null) } },
    validate: async (config, context) => [
      ...placeDiagnostics(kind, await flat.validate(flatten(config), context)),
      ...warnOfNothing(memberOf(config, advanced)),
    ],
    planRemoval: ({ state, private: kept }, context) =>
      flat.planRemoval({ state: flatten(state), private: kept }, context),
    async read({ state, private: kept }, context) {
      const answer = await flat.read({ state: flatten(state), private: kept }, context)
      return { ...answer, state: answer.state && nestLive(kind, answer.state, state) }
    },
    async plan(change, context) {
      const { prior, config, priorPrivate } = change
      const wanted = flatten(config)
      const proposed = { ...flatten(change.proposed), ...onlyConfigured(kind, wanted) }
      try {
        const given = { prior: flattenAny(prior), proposed, config: wanted, priorPrivate }
        const answer = await flat.plan(given, context)
        return {
          ...answer,
          planned: nest(kind, answer.planned, insidePlanned(kind, answer.planned, config, prior)),
          diagnostics: placeDiagnostics(kind, answer.diagnostics),
        }
      } catch (error) {
        if (!(error instanceof DiagnosticError)) throw error
        throw new DiagnosticError(...placeDiagnostics(kind, error.diagnostics))
      }
    },
    async apply({ plannedPrivate, ...change }, context) {
      const [prior, planned] = [flattenAny(change.prior), flattenAny(change.planned)]
      const given = { prior, planned, config: flattenAny(change.config), plannedPrivate }
      const { state, ...answer } = await flat.apply(given, context)
      const before = memberOf(change.planned ?? change.prior ?? {}, advanced)
      const inside = before === null ? null : sameOr(before, pickAdvanced(kind, state ?? {}))
      return {
        ...answer,
        state: state === prior ? change.prior : state && nest(kind, state, inside),
        diagnostics: placeDiagnostics(kind, answer.diagnostics),
      }
    },
    import: async (id, context) => nested(await flat.import(id, context)),
    importByIdentity: async (identity, context) => nested(await flat.importByIdentity(identity, context)),
    move: async (source, context) => {
      const answer = await flat.move(source, context)
      return answer && nested(answer)
    },
    ...(list
      ? {
          list: {
            ...list,
            async *objects(config, wanted, context) {
              for await (const { name, state } of list.objects(config, wanted, context))
                yield { name, state: nestLive(kind, state, null) }
            },
          },
        }
      : {}),
  }
}

/** Terraform drops unknown names inside an attribute, so a misspelt name leaves it empty. */
function warnOfNothing(inside: Value): Diagnostics {
  if (!isObjectValue(inside) || Object.values(inside).some(value => value !== null)) return []
  return [
    {
      severity: 'warning',
      summary: `\`${advanced}\` has nothing in it`,
      detail: 'Is a name misspelt in it? Terraform drops names that it does not know, without a word.',
      attribute: [advanced],
    },
  ]
}

/** Terraform proposes what the state has for all members; those that the provider never fills in are removed. */
function onlyConfigured(kind: DeclarableKind, config: ObjectValue): ObjectValue {
  const names = advancedNames(kind).filter(name => !managedFields(kind).includes(name))
  return Object.fromEntries(names.map(name => [name, memberOf(config, name)]))
}

function insidePlanned(
  kind: DeclarableKind,
  planned: ObjectValue,
  config: ObjectValue,
  prior: ObjectValue | null,
): Value {
  const [given, was] = [memberOf(config, advanced), memberOf(prior ?? undefined, advanced)]
  if (given instanceof Unknown || (given === null && was === null)) return given
  const inside = mapMembers<Value, Value>(pickAdvanced(kind, planned), (value, name) =>
    value instanceof Unknown && memberOf(given, name) === null ? null : value,
  )
  return sameOr(was, inside)
}

/** A live object whose members stay null at their defaults as long as the state has none. */
function nestLive(kind: DeclarableKind, values: ObjectValue, state: ObjectValue | null): ObjectValue {
  const was = memberOf(state ?? undefined, advanced)
  const inside = mapMembers<Value, Value>(pickAdvanced(kind, values), (value, name) =>
    memberOf(was, name) === null && isDefault(kind, name, value) ? null : value,
  )
  const isEmpty = was === null && Object.values(inside).every(value => value === null)
  return nest(kind, values, isEmpty ? null : sameOr(was, inside))
}

function nest(kind: DeclarableKind, values: ObjectValue, inside: Value): ObjectValue {
  const names = advancedNames(kind)
  const others = Object.entries(values).filter(([name]) => !names.includes(name))
  return { ...Object.fromEntries(others), [advanced]: inside }
}

function pickAdvanced(kind: DeclarableKind, values: ObjectValue): ObjectValue {
  return Object.fromEntries(advancedNames(kind).map(name => [name, memberOf(values, name)]))
}

/** The earlier value if nothing of it has changed, so that its bytes can be sent again. */
function sameOr(before: Value, inside: ObjectValue): Value {
  return isObjectValue(before) && hasSameMembers(before, inside) ? before : inside
}

function isDefault(kind: DeclarableKind, name: string, value: Value): boolean {
  if (!(name in kind.fields)) return value === null || value === false
  const json = jsonOf(kind, name, value)
  return json !== undefined && isSameField(kind, name, json, null)
}

function placeDiagnostics(kind: DeclarableKind, diagnostics: Diagnostics = []): Diagnostics {
  return diagnostics.map(diagnostic => {
    const [name, ...rest] = diagnostic.attribute ?? []
    if (typeof name !== 'string') return diagnostic
    return { ...diagnostic, attribute: [...attributePath(kind, name), ...rest] }
  })
}

type FlatResource = Required<Omit<Resource, 'earlier' | 'list'>> & Pick<Resource, 'list'>

function flatResource(kind: DeclarableKind, session: Session): FlatResource {
  return {
    schema: blockSchema({ version: 0, description: kind.doc, attributes: resourceAttributes(kind) }),
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
