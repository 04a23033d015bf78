import { texts } from '../arguments/argument.ts'
import { readArguments } from '../arguments/read-arguments.ts'
import type { EventDefinition } from '../generated/event-definition/index.ts'
import type { FeatureFlag } from '../generated/feature-flag/index.ts'
import { addTags } from '../join-tags.ts'
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
