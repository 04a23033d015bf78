import { Fn, Token } from 'cdktf'
import { featureFlag } from '../kinds/index.ts'
import { texts } from './arguments/argument.ts'
import { escapeText } from './escape-template.ts'
import type { EventDefinition } from './generated/event-definition/index.ts'
import type { FeatureFlag } from './generated/feature-flag/index.ts'

/** Adds tags to a resource, each once: in whichever spelling, since the service keeps one. */
export function addTags(resource: FeatureFlag | EventDefinition, tags: readonly string[]): void {
  const before = resource.tagsInput ?? []
  const given = texts(tags, 'tags').map(escapeText)
  const has = new Set(isList(before) ? before.map(kept) : [])
  const more = given.filter(tag => !has.has(kept(tag)))
  if (more.length > 0) resource.tags = joinTags(before, more)
}

/** The tags of both, each once. Where either is known only later, Terraform joins them. */
export function joinTags(before: string[], more: string[]): string[] {
  if (before.length === 0) return more
  if (isList(before) && isList(more)) return [...new Set([...before, ...more])]
  return Token.asList(Fn.concat([before, more]))
}

/** Whether the elements are there to be looked at. */
function isList(tags: string[]): boolean {
  return Array.isArray(tags) && !Token.isUnresolved(tags)
}

function kept(tag: string): string {
  return JSON.stringify(featureFlag.fields.tags.canonical([tag]))
}
