import { sortedUnique } from '../../model/json/canonical.ts'
import type { Json } from '../../model/json/json.ts'
import { memberOfTag } from '../../model/tag-member.ts'

export interface ThreeTags {
  readonly base: readonly string[]
  readonly declared: readonly string[]
  readonly live: readonly string[]
}

/**
 * Merges tags in canonical form, which never contradict each other: those that are declared, with those that were put on
 * in the product, without those that were taken off there. What Vexil puts on by itself takes no part: the ownership tag,
 * and tags of which there is one each (`owner:payments`) where the declaration has one.
 */
export function mergeTags({ base, declared, live }: ThreeTags, ownershipTag?: string): Json {
  const own = ownershipTag?.trim().toLowerCase()
  const said = new Set(declared.map(tag => memberOfTag(tag)?.member))
  const takesPart = (tag: string) => {
    const member = memberOfTag(tag)?.member
    return tag !== own && (member === undefined || !said.has(member))
  }
  const added = live.filter(tag => takesPart(tag) && !base.includes(tag))
  const removed = base.filter(tag => takesPart(tag) && !live.includes(tag))
  return sortedUnique([...declared.filter(tag => !removed.includes(tag)), ...added])
}
