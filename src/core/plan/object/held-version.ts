import { type DeclarableKind, identityField, isTargeting, switchField } from '../../../model/kind.ts'
import type { Change } from '../../change.ts'
import type { Live } from '../../live.ts'

type Planned = Pick<Change, 'action' | 'after' | 'files'> & { readonly live?: Live }

/**
 * The version of the live object, where the service holds a change of it against what others do meanwhile, so that
 * nothing has to be read before it is made.
 *
 * | the change                                            | read first | because the service does not look at            |
 * |-------------------------------------------------------|------------|-------------------------------------------------|
 * | turns it on or off                                    | yes        | who would get it, and what hangs from it        |
 * | changes who gets it, while it is off                  | yes        | whether somebody has turned it on               |
 * | gives it a new name                                   | yes        | what stands behind that name                    |
 * | changes what is kept beside the record, or its files  | yes        | what others have made of that                   |
 * | deletes or restores it                                | yes        | what is deleted or comes back with it           |
 * | is any other, and the object shows a version          | no         |                                                 |
 */
export function heldVersion(
  kind: DeclarableKind,
  { action, after, files, live }: Planned,
): Pick<Change, 'version'> {
  const { version } = kind.lifecycle
  if (!version || !live || files || (action !== 'update' && action !== 'claim')) return {}
  const turned = switchField(kind) ?? ''
  const isOff = live.record[turned] === false
  const isHeld = (name: string) =>
    name !== turned &&
    name !== identityField(kind) &&
    !(isOff && isTargeting(kind, name)) &&
    !kind.fields[name]?.unversioned
  const seen = live.record[version.field]
  return typeof seen === 'number' && Object.keys(after).every(isHeld) ? { version: seen } : {}
}
