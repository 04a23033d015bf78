import {
  isEmptyJson,
  isJsonArray,
  isJsonObject,
  isSameJson,
  type Json,
  pickMembers,
} from '../../model/json/json.ts'
import { type DeclarableKind, isTargeting } from '../../model/kind.ts'
import { mergeFilters } from '../../targeting/index.ts'
import { canonicalField } from '../live.ts'
import { mergeTags } from './merge-tags.ts'

/** The three values of a field that was changed on both sides. */
export interface ThreeValues {
  /** Undefined where the commit that declared it, or its value there, is not to be had. */
  readonly base: Json | undefined
  readonly declared: Json
  readonly live: Json
}

/** What both sides come to together, or why they contradict each other, in words. */
export type Merged =
  | { readonly is: 'merged'; readonly value: Json }
  | { readonly is: 'conflict'; readonly reason: string }

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
): Merged {
  const isTags = field === kind.lifecycle.ownedBy
  if (!isTags && !isTargeting(kind, field))
    return { is: 'conflict', reason: `${field} was changed in the repository and in the product` }
  if (base === undefined) {
    const reason = `${field} was changed in the repository and in the product, and what it was before is not to be had`
    return { is: 'conflict', reason }
  }
  if (isTags) {
    const [was, ours, theirs] = [base, declared, live].map(value => tagsIn(kind, field, value))
    if (!was || !ours || !theirs) return { is: 'conflict', reason: `the ${field} of one side cannot be read` }
    return { is: 'merged', value: mergeTags({ base: was, declared: ours, live: theirs }, ownershipTag) }
  }
  const { managedElsewhere = [] } = kind.fields[field] ?? {}
  const alike = (value: Json) => withLiveMembers(managedElsewhere, value, { declared, live })
  const merged = mergeFilters({ base: alike(base), declared: alike(declared), live })
  return merged.is === 'conflict' ? merged : { is: 'merged', value: merged.filters }
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
