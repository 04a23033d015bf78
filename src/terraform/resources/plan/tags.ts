import { isListValue, isWhollyKnown, Unknown, unknown, type Value } from '../../../hcl/values.ts'

import { tagSet } from '../../../model/json/canonical.ts'
import type { Json } from '../../../model/json/json.ts'

/** Tags together with the default ones, as the service keeps them. */
export function allTags(own: Value, defaults: readonly string[] | Unknown): Value {
  if (defaults instanceof Unknown || !isListValue(own) || !isWhollyKnown(own)) return unknown
  return textsOf(tagSet([...textsOf(own), ...defaults]))
}

/** The tags of a live object without those that only the defaults put there, each as the own ones spell it. */
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

/** The tags that defaults had put beside its own ones when the state was made, whatever the defaults are now. */
export function addedBefore(all: Value, own: Value): readonly string[] {
  const named = textsOf(tagSet(textsOf(own)))
  return textsOf(all).filter(tag => !named.includes(tag))
}

/** Whether two sets of tags are the same to the service. */
export function isSameTags(left: Value | Json, right: Value | Json): boolean {
  return textsOf(tagSet(textsOf(left))).join('\n') === textsOf(tagSet(textsOf(right))).join('\n')
}

/** The texts among the elements of a list; what is no text says nothing here. */
export function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter(element => typeof element === 'string') : []
}
