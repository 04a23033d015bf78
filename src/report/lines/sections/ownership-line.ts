import type { Change } from '../../../core/change.ts'
import { getsOwnershipTag } from '../../../core/plan/ownership-tag.ts'
import { declarableKind } from '../../../kinds/index.ts'
import { escapeText } from '../../../model/text/escape-text.ts'
import { counted } from '../../object-names.ts'

/** How many objects get the ownership tag with their change, which no change says of itself; nothing where none does. */
export function ownershipLine(changes: readonly Change[], tag: string | undefined): string[] {
  if (tag === undefined) return []
  const { length } = changes.filter(
    ({ kind, action, before, after }) =>
      action !== 'delete' && getsOwnershipTag(declarableKind(kind), before, after, tag),
  )
  if (length === 0) return []
  return [
    `${counted(length, 'object')} ${length === 1 ? 'gets' : 'get'} the ownership tag ${escapeText(tag)}`,
  ]
}
