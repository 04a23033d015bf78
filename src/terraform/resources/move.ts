import { memberOf } from '../../cty/walk-type.ts'
import { isJsonObject } from '../../model/json/json.ts'
import type { DeclarableKind } from '../../model/kind.ts'
import { typesElsewhere } from '../../schema/terraform/terraform-names.ts'
import type { ImportAnswer, MoveSource } from '../provider.ts'
import { nothingRemembered, remember } from './apply/remembered.ts'
import { stateFrom } from './upgrade.ts'

/**
 * Another provider's state of the same object as one of ours: it keeps its id, so nothing is created again. Undefined
 * for types that are about something else.
 */
export function moveState(kind: DeclarableKind, { type, state }: MoveSource): ImportAnswer | undefined {
  if (!typesElsewhere(kind.name).includes(type) || !isJsonObject(state)) return undefined
  const moved = stateFrom(kind, state)
  if (typeof memberOf(moved, 'id') !== 'string') return undefined
  return { state: moved, private: remember({ ...nothingRemembered, isNew: true }) }
}
