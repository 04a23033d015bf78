import { memberOf, type ObjectValue } from '../../hcl/values.ts'

import { type IdentifiedKind, identityField } from '../../model/kind.ts'
import { shownRow } from '../../schema/terraform/terraform-data-sources.ts'
import { findNamed } from '../resources/find-named.ts'
import { contextOf, ownerAttribute, textOf } from '../resources/resource-context.ts'
import type { Session } from '../session/session.ts'
import { rowOf } from './row-value.ts'

/** Reads one object by its id or its name; that there is none is an error. */
export async function readOne(
  kind: IdentifiedKind,
  session: Session,
  config: ObjectValue,
  signal: AbortSignal,
): Promise<ObjectValue> {
  const context = contextOf(kind, session, config, signal)
  const live = await findNamed(context, config)
  const owner = ownerAttribute(kind)
  const row = rowOf(shownRow(kind), live.record)
  return {
    ...row,
    [owner]: memberOf(config, owner) ?? memberOf(row, owner),
    id: live.id,
    // What was asked for is answered as it was written.
    [identityField(kind)]: textOf(memberOf(config, identityField(kind))) ?? live.identity,
  }
}
