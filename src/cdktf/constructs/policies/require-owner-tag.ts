import { isReference } from '../reference.ts'
import { Policy, type PolicyProps } from './policy.ts'
import type { PolicySubject } from './policy-subject.ts'

/** What an owner's tag looks like. */
export interface RequireOwnerTagProps extends PolicyProps {
  /** Matches the tag that says who owns it; `/^(owner|team)[:-]/` when left out. */
  readonly pattern?: RegExp
}

/** Every flag and event definition has a tag that says who owns it. Default tags of the provider do not count. */
export class RequireOwnerTag extends Policy {
  private readonly pattern: RegExp

  public constructor({ pattern = /^(owner|team)[:-]/, ...props }: RequireOwnerTagProps = {}) {
    super(props)
    this.pattern = pattern
  }

  protected apply(subject: PolicySubject): void {
    if (subject.kind === 'plugin') return
    const { tags } = subject.attributes
    const given: readonly unknown[] = Array.isArray(tags) ? tags : []
    // A pattern with the flag g goes on from where it was.
    if (given.some(tag => typeof tag === 'string' && tag.search(this.pattern) >= 0)) return
    if (isReference(tags) || given.some(isReference)) this.cannotTell(subject, 'one of its tags')
    else this.refuse(subject, `it has no tag that says who owns it, matching ${this.pattern}`)
  }
}
