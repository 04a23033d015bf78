import { pattern } from '../arguments/argument.ts'
import { type Readers, readArguments } from '../arguments/read-arguments.ts'
import { hasExpression, isReference } from '../terraform-references.ts'
import { Policy, type PolicyProps, policyArguments } from './policy-aspect.ts'
import { kindOf, type PolicySubject } from './policy-subject.ts'

/** What an owner's tag looks like. */
export interface RequireOwnerTagProps extends PolicyProps {
  /** Matches the tag that says who owns it; `/^(owner|team)[:-]/` when left out. */
  readonly pattern?: RegExp
}

/** How they are read. */
export const ownerTagArguments: Readers<RequireOwnerTagProps> = { ...policyArguments, pattern }

/** Every flag and event definition has a tag that says who owns it. Default tags of the provider do not count. */
export class RequireOwnerTag extends Policy {
  private readonly pattern: RegExp

  public constructor(props: RequireOwnerTagProps = {}) {
    const declared = readArguments(props, ownerTagArguments, 'RequireOwnerTag')
    super(declared)
    this.pattern = declared.pattern ?? /^(owner|team)[:-]/
  }

  protected apply(subject: PolicySubject): void {
    const { ownedBy } = kindOf(subject).lifecycle
    if (ownedBy === undefined) return
    const tags = subject.attributes[ownedBy]
    const given: readonly unknown[] = Array.isArray(tags) ? tags : []
    const known = given.filter(tag => typeof tag === 'string' && !hasExpression(tag)) as readonly string[]
    // A pattern with the flag g goes on from where it was.
    if (known.some(tag => tag.search(this.pattern) >= 0)) return
    if (isReference(tags) || hasExpression(tags) || known.length < given.length)
      this.cannotTell(subject, 'one of its tags')
    else this.refuse(subject, `it has no tag that says who owns it, matching ${this.pattern}`)
  }
}
