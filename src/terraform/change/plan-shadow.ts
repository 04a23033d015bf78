import { type GuardBlock, shadowBlock } from '../../core/guards/guards.ts'
import { canonicalIdentity } from '../../core/live.ts'
import { isAllowed } from '../../core/policy.ts'
import type { ReadOne } from '../../core/read/shadowed.ts'
import { memberOf, type ObjectValue } from '../../hcl/values.ts'
import { type DeclarableKind, identityField } from '../../model/kind.ts'
import { sentence } from '../../model/text/sentence.ts'
import type { Diagnostic, Diagnostics, ProposedChange } from '../provider.ts'
import {
  contextOf,
  findShadowed,
  isAdopting,
  isMarkedDeleted,
  nameIn,
  ownerAttribute,
  type ResourceContext,
  textOf,
} from '../resources/resource-context.ts'
import type { Session } from '../session.ts'
import { trying } from './explain.ts'
import { sinceText } from './live-edits.ts'
import { addressOf, allowedBy, heldBack } from './propose.ts'
import { type Before, findBefore, recall, type StateBase } from './remembered.ts'

/**
 * Reports in a plan what happens to the name of an object, before anything is written.
 *
 * | the object is  | behind its name      | message                                                         |
 * |----------------|----------------------|-----------------------------------------------------------------|
 * | new            | a soft-deleted one   | it will be restored: Terraform itself only shows "created"      |
 * | in the state   | itself, soft-deleted | the same                                                        |
 * | renamed        | a soft-deleted one   | refused, unless that is allowed                                 |
 * | new or renamed | unknown              | refused, unless that is allowed; then a warning                 |
 * | any other      |                      | none                                                            |
 *
 * If the name, the owner or the key is unknown, the apply looks instead. Throws if reading fails.
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
    // The live object has the name of its state.
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
export function newName(
  kind: DeclarableKind,
  prior: ObjectValue | null,
  planned: ObjectValue,
): string | undefined {
  const nameOf = (values: ObjectValue) => {
    const name = textOf(memberOf(values, identityField(kind)))
    return name === undefined ? undefined : canonicalIdentity(kind, name)
  }
  const name = nameOf(planned)
  return prior !== null && nameOf(prior) === name ? undefined : name
}

function willBeRestored(kind: DeclarableKind, values: ObjectValue, id: string, base?: StateBase): Diagnostic {
  const held = `${deletedText(base)} service still holds it with the id ${id}.`
  const restored = 'It comes back with that id and its grants, as it is configured; nothing new is created.'
  return warning(kind, `${nameIn(kind, values)} will be restored`, `${held} ${restored}`)
}

/** Why the object is deleted; what Terraform deletes is no longer in the state. */
function deletedText(base: StateBase | undefined): string {
  if (!base) return 'It was deleted softly, and the'
  return base.at === undefined
    ? 'It was deleted in the product. The'
    : `It was deleted in the product. ${sinceText(base)} The`
}

/** One text for all unknown cases: Terraform shows equal warnings once. */
function allowedSummary(kind: DeclarableKind, { rule }: GuardBlock): string {
  const which = rule === 'trail_unreadable' ? ` of the same ${identityField(kind)}, if there is one,` : ''
  return `a soft-deleted ${kind.title}${which} will be destroyed`
}

function warning(kind: DeclarableKind, summary: string, detail: string): Diagnostic {
  return { severity: 'warning', summary, detail, attribute: [identityField(kind)] }
}
