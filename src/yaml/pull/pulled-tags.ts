import { tagSet } from '../../model/json/canonical.ts'
import { isJsonArray, type Json, type JsonObject, pickMembers } from '../../model/json/json.ts'
import type { DeclarableKind } from '../../model/kind.ts'
import { type TagMember, tagMemberNames } from '../../model/tag-member.ts'
import { splitTags } from '../../rules/check-tag-member.ts'
import type { ObjectDeclaration } from '../declaration.ts'
import { escapeReferences, interpolate, type Variables } from '../resolve/interpolate.ts'

export interface PulledTags {
  readonly kind: DeclarableKind
  /** Those that the object carries live. */
  readonly live: Json
  readonly ownershipTag: string | undefined
  readonly defaults: ObjectDeclaration['defaults']
  /** Whether `owner` and its like are tags in the service too. */
  readonly liveTags: boolean
  readonly variables: Variables
  /** Whether what is said below has to be taken back by name: `owner: null`. */
  readonly isSaidBelow: (member: TagMember) => boolean
}

/**
 * The members of a declaration that say which tags an object carries, once those are the live ones.
 *
 * | a live tag                               | is written                                               |
 * |------------------------------------------|----------------------------------------------------------|
 * | the ownership tag, a default of settings | not at all: it is put on anyway                          |
 * | `owner:payments`, `expires:2027-03-01`   | as `owner`, `expires`, where those are tags              |
 * | any other                                | under `tags`, where tags are declared; known ones where they stand |
 */
export function pulledTags(written: JsonObject, of: PulledTags): JsonObject {
  const { kind, ownershipTag, defaults, liveTags, isSaidBelow } = of
  const ownedBy = kind.lifecycle.ownedBy ?? ''
  const put = new Set(
    [...(ownershipTag === undefined ? [] : [ownershipTag]), ...(defaults?.tags ?? [])].map(kept),
  )
  const live = textsIn(of.live).filter(tag => !put.has(tag))
  const { members, tags } = liveTags ? splitTags(kind, live) : { members: {}, tags: live }
  const saysMembers = tagMemberNames.filter(name => Object.hasOwn(written, name) || isSaidBelow(name))
  const hasTags = written[ownedBy] !== undefined
  // Without tags of its own, an object says only what it has a member for.
  const names = liveTags ? tagMemberNames.filter(name => hasTags || saysMembers.includes(name)) : []
  const rest = pickMembers(written, (_, name) => !names.some(each => each === name))
  const said = names.flatMap((name): (readonly [string, Json])[] => {
    const value = members[name]
    if (value !== undefined) return [[name, escapeReferences(value)]]
    return isSaidBelow(name) ? [[name, null]] : []
  })
  const all = {
    ...rest,
    ...(hasTags ? { [ownedBy]: tagList(written[ownedBy] ?? null, tags, of.variables) } : {}),
  }
  return { ...all, ...Object.fromEntries(said) }
}

/** Tags that are written already stay as they are written and where they stand; new ones come behind them. */
function tagList(written: Json, live: Json, variables: Variables): Json {
  const left = new Set(textsIn(live))
  const known = (isJsonArray(written) ? written : []).filter(tag => {
    const { value } = interpolate(tag, variables)
    return typeof value === 'string' && left.delete(kept(value))
  })
  return [...known, ...[...left].map(escapeReferences)]
}

function textsIn(tags: Json): string[] {
  const all = tagSet(tags)
  return isJsonArray(all) ? all.filter(tag => typeof tag === 'string') : []
}

function kept(tag: string): string {
  return tag.trim().toLowerCase()
}
