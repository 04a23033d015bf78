import { declarableKind } from '../kinds/index.ts'
import { tagSet } from '../model/json/canonical.ts'
import { isJsonArray, type JsonObject } from '../model/json/json.ts'
import type { DeclarableKind } from '../model/kind.ts'
import { memberOfTag } from '../model/tag-member.ts'
import type { Desired } from './desired.ts'

/** Who answers for a declared object: whom it names, or else its tags such as `owner:payments`. */
export function ownersOf({ kind, owner, fields, tags = [] }: Desired): readonly string[] {
  return owner === undefined ? ownersInTags(declarableKind(kind), fields, tags) : [owner]
}

/** The same by the tags among some fields, and by those beside them. */
export function ownersInTags(
  { lifecycle: { ownedBy } }: DeclarableKind,
  fields: JsonObject,
  beside: readonly string[] = [],
): readonly string[] {
  const own = ownedBy === undefined ? [] : (fields[ownedBy] ?? [])
  const tags = tagSet([...(isJsonArray(own) ? own : []), ...beside])
  return (isJsonArray(tags) ? tags : []).flatMap(tag => {
    const said = typeof tag === 'string' ? memberOfTag(tag) : undefined
    return said?.member === 'owner' && said.value !== '' ? [said.value] : []
  })
}
