import { Fn, Token } from 'cdktf'
import type { EventDefinition } from '../generated/event-definition/index.ts'
import type { FeatureFlag } from '../generated/feature-flag/index.ts'
import { escapeText } from './escape-text.ts'

/** Adds labels to a resource, each once. */
export function addTags(resource: FeatureFlag | EventDefinition, tags: readonly string[]): void {
  const before = resource.tagsInput ?? []
  const more = tags.map(escapeText).filter(tag => !before.includes(tag))
  if (more.length === 0) return
  resource.tags = Token.isUnresolved(before)
    ? Token.asList(Fn.concat([before, more]))
    : [...new Set([...before, ...more])]
}
