import { isJsonArray, type Json } from '../model/json/json.ts'
import { pointerOf } from '../model/json/pointer.ts'
import type { DeclarableKind } from '../model/kind.ts'
import {
  isDay,
  memberOfTag,
  type TagMember,
  tagMemberNames,
  tagMembers,
  tagOfMember,
} from '../model/tag-member.ts'
import { escapeText } from '../model/text/escape-text.ts'
import { isTooLong } from './check-field.ts'
import type { ObjectProblem } from './object-problem.ts'

/** The rules that a member stored as a tag breaks. A text that the service would change is invalid. */
export function checkTagMember(kind: DeclarableKind, member: TagMember, value: Json): ObjectProblem[] {
  const at = { pointer: pointerOf(member), field: member, severity: 'error' } as const
  if (typeof value !== 'string')
    return [
      { ...at, rule: 'type', types: ['string'], code: 'wrong-type', message: `"${member}" must be text` },
    ]
  if (value.trim() === '')
    return [{ ...at, rule: 'empty', code: 'empty-value', message: `"${member}" must not be empty` }]
  const shown = JSON.stringify(escapeText(value))
  const refuse = (code: string, message: string, hint: string): ObjectProblem[] => [
    { ...at, rule: 'characters', code, message, hint },
  ]
  if (tagMembers[member].type === 'day')
    return isDay(value)
      ? []
      : refuse('wrong-format', `"${member}" must be a day, not ${shown}`, 'write it like 2027-03-01')
  if (escapeText(value) !== value)
    return refuse('tag-characters', `${shown} has characters that nobody sees`, 'write it without them')
  const kept = value.trim().toLowerCase()
  if (kept !== value)
    return refuse(
      'tag-characters',
      `${shown} is not what the service keeps: tags are trimmed and in lower case`,
      `write ${JSON.stringify(kept)}`,
    )
  const field = kind.fields[kind.lifecycle.ownedBy ?? '']
  return field && isTooLong(field, tagOfMember(member, value))
    ? refuse('tag-too-long', `the tag of this "${member}" is too long for the service`, 'shorten it')
    : []
}

/** A declared tag, and the member that it contradicts. */
export interface TagConflict {
  readonly index: number
  readonly tag: string
  readonly member: TagMember
}

/** The tags of an object that contradict its members. */
export function conflictsOfTags(
  tags: Json,
  members: { readonly [Name in TagMember]?: string | null },
): TagConflict[] {
  if (!isJsonArray(tags)) return []
  return tags.flatMap((tag, index) => {
    const member = typeof tag === 'string' ? memberOfTag(tag.trim().toLowerCase()) : undefined
    const declared = member && members[member.member]
    if (!member || typeof declared !== 'string' || declared === member.value) return []
    return [{ index, tag: String(tag), member: member.member }]
  })
}

/** The members in the tags of a live object, each if it has exactly one valid tag; and the other tags. */
export function splitTags(
  kind: DeclarableKind,
  tags: Json,
): { readonly members: { readonly [Name in TagMember]?: string }; readonly tags: Json } {
  if (!isJsonArray(tags)) return { members: {}, tags }
  const named = tags.map(tag => (typeof tag === 'string' ? memberOfTag(tag) : undefined))
  const entries = tagMemberNames.flatMap(member => {
    const [one, ...others] = named.filter(each => each?.member === member)
    const isRead = one && others.length === 0 && checkTagMember(kind, member, one.value).length === 0
    return isRead ? [[member, one.value] as const] : []
  })
  const members: { readonly [Name in TagMember]?: string } = Object.fromEntries(entries)
  const isOther = (one: (typeof named)[number]) => one === undefined || members[one.member] === undefined
  return { members, tags: tags.filter((_, index) => isOther(named[index])) }
}
