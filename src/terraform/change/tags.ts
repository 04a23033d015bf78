import type { Live } from '../../core/live.ts'
import { isListValue, isWhollyKnown, memberOf, Unknown, unknown, type Value } from '../../hcl/values.ts'
import { tagSet } from '../../model/json/canonical.ts'
import type { Json, JsonObject } from '../../model/json/json.ts'
import type { Wanted } from '../resources/resource-context.ts'

/** The wanted tags of an object: in its fields, and beside them. */
export interface WantedTags {
  readonly fields: JsonObject
  readonly tags?: readonly string[]
}

/**
 * Decides the tags of an object, given the configured fields.
 *
 * | the plan                   | configured tags | wanted                                                          |
 * |----------------------------|-----------------|-----------------------------------------------------------------|
 * | keeps `tags_all`           | whatever        | nothing: ignoring changes of both gives up managing them        |
 * | must keep only `tags_all`  | some            | those, and the live ones without the resource's own before      |
 * | creates or changes it      | some            | those and the default ones                                      |
 * | creates or changes it      | none            | the default ones, and the live ones without earlier defaults    |
 */
export function wantedTags(
  { context, planned, config, prior }: Wanted,
  live: Live | undefined,
  fields: JsonObject,
): WantedTags {
  const { ownedBy } = context.kind.lifecycle
  if (ownedBy === undefined) return { fields }
  const { defaultTags } = context.session
  const tags = defaultTags instanceof Unknown ? {} : { tags: defaultTags }
  if (!prior || !live) return { fields, ...tags }
  const [were, will] = [memberOf(prior, 'tags_all'), memberOf(planned, 'tags_all')]
  const there = textsOf(tagSet(live.record[ownedBy] ?? null))
  if (changesShadowed({ context, planned, config, prior })) {
    const own = textsOf(tagSet(textsOf(memberOf(prior, ownedBy))))
    return { fields, tags: there.filter(tag => !own.includes(tag)) }
  }
  if (isSameTags(were, will)) return { fields: without(fields, ownedBy) }
  if (memberOf(config, ownedBy) !== null) return { fields, ...tags }
  const dropped = textsOf(were).filter(tag => !textsOf(will).includes(tag))
  const left = there.filter(tag => !dropped.includes(tag))
  return { fields: dropped.length === 0 ? fields : { ...fields, [ownedBy]: left }, ...tags }
}

/** Whether the tags change although `tags_all` stays: ignoring changes of it alone keeps it. */
export function changesShadowed({ context: { kind, session }, planned, prior }: Wanted): boolean {
  const { ownedBy } = kind.lifecycle
  if (ownedBy === undefined || !prior) return false
  const [own, all] = [memberOf(planned, ownedBy), memberOf(planned, 'tags_all')]
  if (!isSameTags(all, memberOf(prior, 'tags_all'))) return false
  const expected = allTags(own, session.defaultTags)
  return isListValue(expected) && !isSameTags(expected, all) && !isSameTags(own, memberOf(prior, ownedBy))
}

function without(fields: JsonObject, name: string): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([field]) => field !== name))
}

/** Tags together with the default ones, as the service keeps them. */
export function allTags(own: Value, defaults: readonly string[] | Unknown): Value {
  if (defaults instanceof Unknown || !isListValue(own) || !isWhollyKnown(own)) return unknown
  return textsOf(tagSet([...textsOf(own), ...defaults]))
}

/** The live tags without those that only the defaults added, each spelled as in the own ones. */
export function withoutDefaults(live: Json, own: Value, defaults: readonly string[] | Unknown): string[] {
  const added = new Set(textsOf(tagSet([...defaultsIn(defaults)])))
  for (const tag of textsOf(tagSet(textsOf(own)))) added.delete(tag)
  const kept = new Set(textsOf(tagSet(live)).filter(tag => !added.has(tag)))
  const spelled = textsOf(own).filter(tag => textsOf(tagSet([tag])).some(each => kept.has(each)))
  for (const tag of textsOf(tagSet(spelled))) kept.delete(tag)
  return [...spelled, ...kept]
}

/** The default tags as far as they are known. */
export function defaultsIn(defaults: readonly string[] | Unknown): readonly string[] {
  return defaults instanceof Unknown ? [] : defaults
}

/** The tags that the defaults had added when the state was made, whatever the defaults are now. */
export function addedBefore(all: Value, own: Value): readonly string[] {
  const named = textsOf(tagSet(textsOf(own)))
  return textsOf(all).filter(tag => !named.includes(tag))
}

/** Whether two sets of tags are the same to the service. */
export function isSameTags(left: Value | Json, right: Value | Json): boolean {
  return textsOf(tagSet(textsOf(left))).join('\n') === textsOf(tagSet(textsOf(right))).join('\n')
}

/** The texts among the elements of a list; other elements are skipped. */
export function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter(element => typeof element === 'string') : []
}
