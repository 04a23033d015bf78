import { canonicalIdentity } from '../../../core/live.ts'
import { memberOf, type ObjectValue } from '../../../hcl/values.ts'
import { type DeclarableKind, identityField, isOneOfMany } from '../../../model/kind.ts'
import { parentAttribute } from '../../../schema/terraform/terraform-names.ts'
import { type Diagnostics, errorDiagnostic } from '../../diagnostic.ts'
import type { PlannedChange, ProposedChange } from '../../provider.ts'
import type { Claims } from '../../session/session.ts'
import { nameIn, ownerAttribute, textOf } from '../resource-context.ts'

/**
 * Two resources of one run that are about one object: each would undo what the other does, and Terraform, which knows no
 * keys, plans both.
 *
 * | planned                           | is                                                       |
 * |-----------------------------------|----------------------------------------------------------|
 * | with a state                      | the object of that id                                    |
 * | without one                       | something new                                            |
 * | without one, with what was kept   | in the place of an object that was planned a moment ago  |
 */
export function claimedTwice(
  kind: DeclarableKind,
  claims: Claims,
  { prior, priorPrivate }: Pick<ProposedChange, 'prior' | 'priorPrivate'>,
  planned: ObjectValue,
): Diagnostics {
  const hasKept = priorPrivate.length > 0
  const name = claimOf(kind, planned)
  // A state that nothing was kept of may be that of an object which is replaced.
  if (name === undefined || (prior === null) === hasKept) return []
  const holder = textOf(memberOf(prior ?? undefined, 'id')) ?? {}
  const known = claims.get(name)
  if (known === undefined) claims.set(name, holder)
  if (known === undefined || known === holder) return []
  const attribute = identityField(kind)
  const detail = `Two resources cannot be one ${kind.title}: each would undo what the other does. Remove one of them, or give it another \`${attribute}\`.`
  return [errorDiagnostic(`another resource is ${nameIn(kind, planned)} too`, detail, [attribute])]
}

/**
 * The same of two resources whose states have one object, as when it was imported twice: a warning, since each of them is
 * planned right by itself, and a refusal would leave no way to plan the removal of one.
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
  const detail = `Both have the id ${id} in their states: each undoes what the other does, and destroying one destroys the object of both. Take one of them out of the state with \`terraform state rm\` and out of the configuration.`
  return [
    {
      severity: 'warning',
      summary: `another resource is ${nameIn(kind, prior)} too`,
      detail,
      attribute: [identityField(kind)],
    },
  ]
}

/** What was new is the object of an id, once it is made; what was removed, or not made, is nobody. */
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

/** What tells an object from all others, where a kind has anything that does, and as far as it is known. */
function claimOf(kind: DeclarableKind, values: ObjectValue): string | undefined {
  if (isOneOfMany(kind)) return undefined
  const identity = textOf(memberOf(values, identityField(kind)))
  const path = placeOf(kind, values)
  if (identity === undefined || path.includes(undefined)) return undefined
  return [kind.name, ...path, canonicalIdentity(kind, identity)].join('/')
}

/** Where an object lives: its project or organization, and what it hangs from. */
function placeOf(kind: DeclarableKind, values: ObjectValue): readonly (string | undefined)[] {
  const parent = parentAttribute(kind)
  const names = [ownerAttribute(kind), ...(parent === undefined ? [] : [parent])]
  return names.map(name => textOf(memberOf(values, name)))
}
