import type { ObjectValue } from '../../cty/value.ts'
import { memberOf } from '../../cty/walk-type.ts'
import { type DeclarableKind, identityField } from '../../model/kind.ts'
import { textOf } from './resource-context.ts'

/** How an object is called in messages. */
export function nameOf(kind: DeclarableKind, identity: string): string {
  return `${kind.title} "${identity}"`
}

/** The same for the object of a state, which may not know its name yet. */
export function nameIn(kind: DeclarableKind, state: ObjectValue): string {
  return nameOf(kind, textOf(memberOf(state, identityField(kind))) ?? textOf(memberOf(state, 'id')) ?? '')
}
