import { areDrawn } from '../../core/describe/describe-change.ts'
import { lossByDeletion, lossByRename, lostWith } from '../../core/flag-links.ts'
import { canonicalIdentity, type Live } from '../../core/live.ts'
import { type GuardBlock, shadowBlock } from '../../core/plan/guards.ts'
import { isAllowed } from '../../core/policy.ts'
import type { ReadOne } from '../../core/read/find-soft-deleted.ts'
import { isSameValue, isWhollyKnown, memberOf, type ObjectValue, Unknown } from '../../hcl/values.ts'
import {
  type DeclarableKind,
  hasTargeting,
  identityField,
  isOneOfMany,
  switchField,
  targetingField,
} from '../../model/kind.ts'
import type { JsonObject } from '../../model/text/json.ts'
import { sentence } from '../../model/text/text-layout.ts'
import { targetingText } from '../../schema/terraform/terraform-attribute.ts'
import { parentAttribute } from '../../schema/terraform/terraform-names.ts'
import { replacingAttributes } from '../../schema/terraform/terraform-schema.ts'
import {
  type CurrentState,
  type Diagnostic,
  DiagnosticError,
  type Diagnostics,
  errorDiagnostic,
  type PlannedChange,
  type ProposedChange,
} from '../provider.ts'
import type { Claims, Session } from '../session.ts'
import { trying } from './explain.ts'
import { jsonIn } from './field-value.ts'
import { sinceText } from './live-edits.ts'
import { addressOf, allowedBy, differenceFrom, heldBack } from './propose.ts'
import { type Before, findBefore, recall, type StateBase } from './remembered.ts'
import {
  byKeys,
  contextOf,
  findById,
  findShadowed,
  isAdopting,
  isMarkedDeleted,
  nameIn,
  nameOf,
  ownerAttribute,
  type ResourceContext,
  removalOf,
  textOf,
  type Wanted,
} from './resource-context.ts'
import { differingFields, existsWarning } from './write-object.ts'

/**
 * Warns of a name that the apply will refuse for an object. A plan reads the list for this at most once.
 *
 * | given to                  | objects of that name          | warning                                 |
 * |---------------------------|-------------------------------|-----------------------------------------|
 * | a new flag or plugin      | one of a state of this run    | none: it may be gone by then            |
 * |                           | one as configured, `adopt`    | none: it is taken over                  |
 * |                           | any other, one or several     | it exists already                       |
 * | a flag of the state       | one that was renamed before   | none: it gives the name up              |
 * |                           | any other                     | what to do so that the name is free     |
 * | a new event definition    | none                          | the service has not seen it             |
 *
 * These are warnings. Terraform plans a resource before it has shown all states, so another resource may
 * still give up the name in the same run. An error would also stop `terraform destroy`, which plans
 * everything configured first. A rename gives the same warning whether or not another resource owns the flag:
 * its state may come later. Grants have a list for each flag, and it is not read for this.
 */
export async function planExisting(
  kind: DeclarableKind,
  session: Session,
  change: ProposedChange,
  planned: ObjectValue,
  signal: AbortSignal,
): Promise<Diagnostics> {
  const name = newName(kind, change.prior, planned)
  if (name === undefined || kind.lifecycle.parent) return []
  const found = await refusalsOf(kind, session, name, change, planned, signal)
  // Recorded only now: if two objects exchange names, both still have their own name before this.
  if (change.prior) session.noteRenamed(kind, textOf(memberOf(change.prior, 'id')) ?? '')
  return found
}

async function refusalsOf(
  kind: DeclarableKind,
  session: Session,
  name: string,
  { prior, config }: ProposedChange,
  planned: ObjectValue,
  signal: AbortSignal,
): Promise<Diagnostics> {
  if (!session.isKnown(kind, memberOf(planned, ownerAttribute(kind)))) return []
  const context = opened(() => contextOf(kind, session, planned, signal))
  if (!context) return []
  const there = await context.run.shared.livingIfListed(kind, name, signal)
  if (!there) return []
  const { cannotCreate } = kind.lifecycle
  if (kind.lifecycle.create === undefined)
    return there.length > 0 || cannotCreate === undefined ? [] : [unseenWarning(kind, name, cannotCreate)]
  if (there.length === 0) return []
  if (prior !== null) {
    if (kind.identity.by !== 'field' || !kind.identity.unique) return []
    const isGivenUp = there.every(({ id }) => session.isRenamed(kind, id))
    return isGivenUp ? [] : [renameWarning(kind, prior, name, there)]
  }
  if (there.some(({ id }) => session.isInState(kind, id))) return []
  const wanted = { context, planned, config, prior }
  const [live, ...others] = there
  const differing = live && others.length === 0 ? await differingFrom(wanted, live) : undefined
  if (isAdopting(planned) && others.length === 0 && !differing?.length) return []
  return [
    existsWarning(
      wanted,
      name,
      there.map(({ id }) => id),
      differing,
    ),
  ]
}

/** Without a key there can be no request, and the apply reports that. */
function opened(open: () => ResourceContext): ResourceContext | undefined {
  try {
    return open()
  } catch (error) {
    if (error instanceof DiagnosticError) return undefined
    throw error
  }
}

/** The fields in which a live object differs from its configuration; undefined if unknown. */
async function differingFrom(wanted: Wanted, live: Live): Promise<readonly string[] | undefined> {
  const { context, config } = wanted
  const isOpen = context.session.defaultTags instanceof Unknown || !Object.values(config).every(isWhollyKnown)
  // The files of a plugin are read only for an apply.
  if (isOpen || memberOf(config, 'source') !== null) return undefined
  try {
    return differingFields(await differenceFrom(wanted, await byKeys(context, live)))
  } catch {
    return undefined
  }
}

function renameWarning(
  kind: DeclarableKind,
  prior: ObjectValue,
  name: string,
  there: readonly Live[],
): Diagnostic {
  const field = identityField(kind)
  const { title } = kind
  return {
    severity: 'warning',
    summary: `${nameOf(kind, name)} already exists; an apply can rename ${nameIn(kind, prior)} to it only after that object has another ${field}`,
    detail: [
      `It already exists with the id ${there.map(({ id }) => id).join(', ')}, and the service allows only one with that ${field}.`,
      `If another resource gives it another ${field}, add a dependency on that resource here.`,
      `If it is destroyed, the service keeps it soft-deleted with its ${field}: \`allow = ["soft_deleted"]\` lets this resource destroy it permanently after that.`,
      `If \`count\` gives each ${title} the ${field} of the next one, use \`for_each\` by ${field} instead, which renames nothing. Otherwise choose another ${field} here.`,
    ].join(' '),
    attribute: [field],
  }
}

function unseenWarning(kind: DeclarableKind, name: string, why: string): Diagnostic {
  return {
    severity: 'warning',
    summary: `there is no ${nameOf(kind, name)} yet, so an apply will fail for it`,
    detail: `${sentence(why)} Send one such event before the apply. The apply still makes all other changes.`,
    attribute: [identityField(kind)],
  }
}

/**
 * Finds two resources of one run for one object. Each would undo the changes of the other, and Terraform
 * plans both because it does not know the keys.
 *
 * | planned                           | refers to                                                |
 * |-----------------------------------|----------------------------------------------------------|
 * | with a state                      | the object with that id                                  |
 * | without a state                   | something new                                            |
 * | without a state, with kept data   | the replacement of an object that was planned before     |
 */
export function claimedTwice(
  kind: DeclarableKind,
  claims: Claims,
  { prior, priorPrivate }: Pick<ProposedChange, 'prior' | 'priorPrivate'>,
  planned: ObjectValue,
): Diagnostics {
  const hasKept = priorPrivate.length > 0
  const name = claimOf(kind, planned)
  // A state without kept data may belong to an object that is replaced.
  if (name === undefined || (prior === null) === hasKept) return []
  const holder = textOf(memberOf(prior ?? undefined, 'id')) ?? {}
  const known = claims.get(name)
  if (known === undefined) claims.set(name, holder)
  if (known === undefined || known === holder) return []
  const attribute = identityField(kind)
  const detail = `Two resources cannot manage one ${kind.title}: each would undo the changes of the other. Remove one of them, or give it another \`${attribute}\`.`
  return [errorDiagnostic(`another resource is also ${nameIn(kind, planned)}`, detail, [attribute])]
}

/**
 * Finds two resources whose states contain the same object, for example after two imports. This is only a
 * warning: each plan is correct alone, and after an error one of them could not be removed.
 */
export function heldTwice(
  kind: DeclarableKind,
  claims: Claims,
  { prior }: Pick<ProposedChange, 'prior'>,
): Diagnostics {
  const id = textOf(memberOf(prior ?? undefined, 'id'))
  if (!prior || id === undefined) return []
  const held = ['id of', kind.name, ...placeOf(kind, prior), id].join('/')
  if (!claims.has(held)) {
    claims.set(held, id)
    return []
  }
  const detail = `Both have the id ${id} in their states: each undoes the changes of the other, and destroying one destroys the object of both. Remove one of them from the state with \`terraform state rm\` and from the configuration.`
  return [
    {
      severity: 'warning',
      summary: `another resource is also ${nameIn(kind, prior)}`,
      detail,
      attribute: [identityField(kind)],
    },
  ]
}

/** A new object gets its id on creation. A removed one, or one that was not created, loses its claim. */
export function settleClaims(
  kind: DeclarableKind,
  claims: Claims,
  { prior, planned }: Pick<PlannedChange, 'prior' | 'planned'>,
  state: ObjectValue | null,
): void {
  for (const values of [prior, planned]) {
    const name = values && claimOf(kind, values)
    if (name) claims.delete(name)
  }
  const after = state && claimOf(kind, state)
  const id = textOf(memberOf(state ?? undefined, 'id'))
  if (after && id !== undefined) claims.set(after, id)
}

/** The name or id of an object, if its kind has one and it is known. */
function claimOf(kind: DeclarableKind, values: ObjectValue): string | undefined {
  if (isOneOfMany(kind)) return undefined
  const identity = textOf(memberOf(values, identityField(kind)))
  const path = placeOf(kind, values)
  if (identity === undefined || path.includes(undefined)) return undefined
  return [kind.name, ...path, canonicalIdentity(kind, identity)].join('/')
}

/** The location of an object: its project or organization, and its parent. */
function placeOf(kind: DeclarableKind, values: ObjectValue): readonly (string | undefined)[] {
  const parent = parentAttribute(kind)
  const names = [ownerAttribute(kind), ...(parent === undefined ? [] : [parent])]
  return names.map(name => textOf(memberOf(values, name)))
}

/** Warns who loses which flag value by a rename, with the reconciler's summary. */
export async function warnOfRename(
  kind: DeclarableKind,
  session: Session,
  prior: ObjectValue | null,
  planned: ObjectValue,
  signal: AbortSignal,
): Promise<Diagnostic[]> {
  const name = identityField(kind)
  const was = prior && memberOf(prior, name)
  if (!prior || was === null || !hasTargeting(kind) || replacingAttributes(kind).includes(name)) return []
  if (isSameValue('string', was, memberOf(planned, name))) return []
  const flags = [prior, planned].map(values => ({
    filters: jsonIn(targetingText(targetingField(kind) ?? '', values)),
    active: memberOf(values, switchField(kind) ?? '') !== false,
  }))
  const loss = lossByRename(
    kind,
    lostWith(kind, await recordOf(kind, session, prior, signal)),
    areDrawn(flags),
  )
  const kept = 'The flag is renamed in place: it keeps its id, grants and history.'
  return [
    {
      severity: 'warning',
      summary: `code that asks for "${String(was)}" no longer gets this flag`,
      detail: loss === undefined ? kept : `${kept} ${sentence(loss)}`,
      attribute: [name],
    },
  ]
}

/** Warns of the effects of removing a flag from the configuration. */
export async function removalWarning(
  kind: DeclarableKind,
  session: Session,
  { state }: CurrentState,
  signal: AbortSignal,
): Promise<Diagnostic[]> {
  if (!hasTargeting(kind) || removalOf(kind, state) === 'forget') return []
  const loss = lossByDeletion(lostWith(kind, await recordOf(kind, session, state, signal)))
  if (loss === undefined) return []
  const summary = `other parts of the product use ${nameIn(kind, state)}, which will be destroyed`
  return [{ severity: 'warning', summary, detail: sentence(loss) }]
}

/** The live record of a state's object; undefined if it cannot be read. */
async function recordOf(
  kind: DeclarableKind,
  session: Session,
  state: ObjectValue,
  signal: AbortSignal,
): Promise<JsonObject> {
  try {
    const context = contextOf(kind, session, state, signal)
    return (await findById(context, textOf(memberOf(state, 'id')) ?? ''))?.record ?? {}
  } catch (error) {
    if (error instanceof DiagnosticError) return {}
    throw error
  }
}

/**
 * Reports in a plan what happens to the name of an object, before anything is written.
 *
 * | the object is  | hidden owner         | message                                                         |
 * |----------------|----------------------|-----------------------------------------------------------------|
 * | new            | a soft-deleted one   | it will be restored: Terraform itself only shows "created"      |
 * | in the state   | itself, soft-deleted | the same                                                        |
 * | renamed        | a soft-deleted one   | refused, unless that is allowed                                 |
 * | new or renamed | unknown              | refused, unless that is allowed; then a warning                 |
 * | any other      |                      | none                                                            |
 *
 * If the name, the owner or the key is unknown, the apply checks instead. Throws if reading fails.
 */
export async function planShadow(
  kind: DeclarableKind,
  session: Session,
  { prior, priorPrivate }: ProposedChange,
  planned: ObjectValue,
  signal: AbortSignal,
): Promise<Diagnostics> {
  if (prior && isMarkedDeleted(kind, prior) && !isMarkedDeleted(kind, planned))
    return [willBeRestored(kind, prior, textOf(memberOf(prior, 'id')) ?? '', recall(priorPrivate).base)]
  const name = kind.lifecycle.softDelete?.trail === undefined ? undefined : newName(kind, prior, planned)
  const owner = memberOf(planned, ownerAttribute(kind))
  if (name === undefined || !session.isKnown(kind, owner)) return []
  const context = contextOf(kind, session, planned, signal)
  const before = await trying(`plan ${nameIn(kind, planned)}`, kind, () =>
    behind(context, name, prior, planned),
  )
  if (before.is === 'soft_deleted') return [willBeRestored(kind, planned, before.live.id)]
  const shadowed = before.is === 'nothing' ? before.shadowed : undefined
  const allowedHere = allowedBy(planned)
  const address = addressOf(context, name)
  return shadowBlock({ action: prior === null ? 'create' : 'update', shadowed }).map(held => {
    const { rule, reason } = held
    const isAllowedHere =
      rule !== 'protected' && (allowedHere.includes(rule) || isAllowed(session.policy, rule, address))
    // The live object still has the name in its state.
    const identity = textOf(memberOf(prior ?? undefined, identityField(kind))) ?? name
    if (!isAllowedHere) throw heldBack(kind, { identity, isThere: prior !== null }, held)
    return warning(kind, allowedSummary(kind, held), sentence(reason))
  })
}

async function behind(
  context: ResourceContext,
  name: string,
  prior: ObjectValue | null,
  planned: ObjectValue,
): Promise<Before> {
  const { run, signal } = context
  const read: ReadOne = (kind, id) => run.shared.named(kind, id, signal)
  if (prior === null) return findBefore(context, name, isAdopting(planned), read)
  const shadowed = await findShadowed(context, read)(context.kind, name)
  return shadowed ? { is: 'nothing', shadowed } : { is: 'nothing' }
}

/** The new name of an object, if it is known and differs from the current one. */
function newName(kind: DeclarableKind, prior: ObjectValue | null, planned: ObjectValue): string | undefined {
  const nameOf = (values: ObjectValue) => {
    const name = textOf(memberOf(values, identityField(kind)))
    return name === undefined ? undefined : canonicalIdentity(kind, name)
  }
  const name = nameOf(planned)
  return prior !== null && nameOf(prior) === name ? undefined : name
}

function willBeRestored(kind: DeclarableKind, values: ObjectValue, id: string, base?: StateBase): Diagnostic {
  const held = `${deletedText(base)} service still has it with the id ${id}.`
  const restored = 'It will be restored with that id and its grants, as configured. Nothing new is created.'
  return warning(kind, `${nameIn(kind, values)} will be restored`, `${held} ${restored}`)
}

/** Why the object is deleted. An object that Terraform deletes is no longer in the state. */
function deletedText(base: StateBase | undefined): string {
  if (!base) return 'It was soft-deleted, and the'
  return base.at === undefined
    ? 'It was deleted in the product. The'
    : `It was deleted in the product. ${sinceText(base)} The`
}

/** One text for all unknown cases, because Terraform shows equal warnings only once. */
function allowedSummary(kind: DeclarableKind, { rule }: GuardBlock): string {
  const which = rule === 'trail_unreadable' ? ` of the same ${identityField(kind)}, if there is one,` : ''
  return `a soft-deleted ${kind.title}${which} will be destroyed`
}

function warning(kind: DeclarableKind, summary: string, detail: string): Diagnostic {
  return { severity: 'warning', summary, detail, attribute: [identityField(kind)] }
}
