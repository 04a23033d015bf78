import { memberOf, type ObjectValue } from '../../hcl/values.ts'

import type { DeclarableKind } from '../../model/kind.ts'

/**
 * A soft-deleted object stays in its state, with the mark of that. So a plan shows that it is restored, under the id by
 * which others refer to it, and nobody has to look for it in a trail.
 */
export function isMarkedDeleted({ lifecycle }: DeclarableKind, state: ObjectValue | null): boolean {
  const { softDelete } = lifecycle
  return softDelete !== undefined && memberOf(state ?? undefined, softDelete.field) === true
}

/** The mark as a state has it. */
export function deletedMark({ lifecycle }: DeclarableKind, isDeleted: boolean): ObjectValue {
  return lifecycle.softDelete ? { [lifecycle.softDelete.field]: isDeleted } : {}
}
