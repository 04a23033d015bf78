import { Token } from 'cdktf'
import { featureFlag } from '../../kinds/index.ts'
import { texts } from '../arguments/argument.ts'
import { readArguments } from '../arguments/read-arguments.ts'
import type { EventDefinition } from '../generated/event-definition/index.ts'
import type { FeatureFlag } from '../generated/feature-flag/index.ts'
import { escapeAll, escapeText } from '../synthesized/templates.ts'
import { expressionOf, Later } from '../synthesized/write-json.ts'
import { type ExceptProps, exceptArguments, Policy } from './policy-aspect.ts'
import { kindOf, type PolicySubject } from './policy-subject.ts'

/**
 * Adds tags to every flag and event definition. One whose tags were left to others is declared to have these and no
 * more. Policies that were added later see them.
 *
 * ```ts
 * enforce(stack, new AddTags(['team-pay']))
 * ```
 */
export class AddTags extends Policy {
  private readonly tags: readonly string[]

  public constructor(tags: readonly string[], props: ExceptProps = {}) {
    super(readArguments(props, exceptArguments, 'AddTags'))
    this.tags = [...texts(tags, 'tags')]
  }

  protected apply(subject: PolicySubject): void {
    if (kindOf(subject).lifecycle.ownedBy === undefined) return
    // Every object with an owner has tags, in any copy of this package.
    addTags(subject.resource as FeatureFlag | EventDefinition, this.tags)
  }
}

/** Adds tags to a resource, each once in any spelling, since the service keeps one. */
export function addTags(resource: FeatureFlag | EventDefinition, tags: readonly string[]): void {
  const before = resource.tagsInput ?? []
  const given = texts(tags, 'tags').map(escapeText)
  const has = new Set(isList(before) ? before.map(kept) : [])
  const more = given.filter(tag => !has.has(kept(tag)))
  if (more.length > 0) resource.tags = joinEscaped(before, more)
}

/** The tags of both, as people wrote them, each once. */
export function joinTags(before: string[], more: string[]): string[] {
  if (isList(before) && isList(more)) return joinEscaped(before, more)
  // Tags that Terraform joins contain references and templates.
  return joinEscaped(escapeAll(before), escapeAll(more))
}

/** If either is known only at plan time, Terraform joins them. */
function joinEscaped(before: string[], more: string[]): string[] {
  if (before.length === 0) return more
  if (isList(before) && isList(more)) return [...new Set([...before, ...more])]
  return Token.asList(new Later({ before, more }, joinResolved))
}

/** A list from a `Lazy` is a list like any other; a reference has become its expression. */
function joinResolved(resolved: unknown): unknown {
  // As they were given, except that a part may have become nothing.
  const { before, more } = resolved as { readonly [part in 'before' | 'more']?: string[] | string | null }
  const lists = [before ?? [], more ?? []]
  if (!lists.every(Array.isArray)) return `\${concat(${lists.map(expressionOf).join(', ')})}`
  const all = lists.flat()
  const spellings = all.map(kept)
  return all.filter((_, index) => spellings.indexOf(spellings[index] ?? '') === index)
}

/** Whether the elements are known. */
function isList(tags: string[]): boolean {
  return Array.isArray(tags) && !Token.isUnresolved(tags)
}

function kept(tag: string): string {
  return JSON.stringify(featureFlag.fields.tags.canonical([tag]))
}
