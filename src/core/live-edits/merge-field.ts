import { membersElsewhere } from '../../model/field.ts'
import { sortedUnique } from '../../model/json/canonical.ts'
import {
  isEmptyJson,
  isJsonArray,
  isJsonObject,
  isSameJson,
  type Json,
  pickMembers,
} from '../../model/json/json.ts'
import { type DeclarableKind, isTargeting } from '../../model/kind.ts'
import { memberOfTag } from '../../model/tag-member.ts'
import { conflict, type Merged, mergeFilters, type Three } from '../../targeting/index.ts'
import { canonicalField } from '../live.ts'

/** The three values of a field that was changed on both sides; the base is undefined if the commit that declared it is not to be had. */
export interface ThreeValues extends Pick<Three<Json>, 'declared' | 'live'> {
  readonly base: Json | undefined
}

/**
 * Merges a field that was changed in the repository and in the product. Where in doubt, it is a conflict.
 *
 * | field              | is merged                               |
 * |--------------------|-----------------------------------------|
 * | release conditions | as `mergeFilters` has it                |
 * | tags               | element by element, as `mergeTags` has it |
 * | any other          | never                                   |
 *
 * Other sets are not merged: two of them that were shortened may come to the empty one, which may mean all there is.
 * Members that other parts of the product write, and that are not declared, are as they are live.
 */
export function mergeField(
  kind: DeclarableKind,
  field: string,
  { base, declared, live }: ThreeValues,
  ownershipTag?: string,
): Merged<Json> {
  const isTags = field === kind.lifecycle.ownedBy
  if (!isTags && !isTargeting(kind, field))
    return conflict(`${field} was changed in the repository and in the product`)
  if (base === undefined)
    return conflict(
      `${field} was changed in the repository and in the product, and what it was before is not to be had`,
    )
  if (isTags) {
    const [was, ours, theirs] = [base, declared, live].map(value => tagsIn(kind, field, value))
    if (!was || !ours || !theirs) return conflict(`the ${field} of one side cannot be read`)
    return { is: 'merged', value: mergeTags({ base: was, declared: ours, live: theirs }, ownershipTag) }
  }
  const elsewhere = [base, declared, live].flatMap(value => membersElsewhere(kind.fields[field], value))
  const alike = (value: Json) => withLiveMembers(elsewhere, value, { declared, live })
  return mergeFilters({ base: alike(base), declared: alike(declared), live })
}

/**
 * Merges tags in canonical form, which never contradict each other: those that are declared, with those that were put on
 * in the product, without those that were taken off there. What Vexil puts on by itself takes no part: the ownership tag,
 * and tags of which there is one each (`owner:payments`) where the declaration has one.
 */
export function mergeTags({ base, declared, live }: Three<readonly string[]>, ownershipTag?: string): Json {
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

function tagsIn(kind: DeclarableKind, field: string, value: Json): readonly string[] | undefined {
  const tags = canonicalField(kind, field, value)
  if (isEmptyJson(tags)) return []
  if (!isJsonArray(tags)) return undefined
  const texts = tags.filter(tag => typeof tag === 'string')
  return texts.length === tags.length ? texts : undefined
}

function withLiveMembers(
  names: readonly string[],
  value: Json,
  { declared, live }: Pick<ThreeValues, 'declared' | 'live'>,
): Json {
  if (!isJsonObject(value) || !isJsonObject(declared) || !isJsonObject(live)) return value
  const own = names.filter(
    name => isEmptyJson(declared[name]) || isSameJson(declared[name] ?? null, live[name] ?? null),
  )
  const theirs = pickMembers(live, (_, name) => own.includes(name))
  return { ...pickMembers(value, (_, name) => !own.includes(name)), ...theirs }
}
