import { identityField } from '../../model/kind.ts'
import { pattern } from '../arguments/argument.ts'
import { type Readers, readArguments } from '../arguments/read-arguments.ts'
import { hasExpression } from '../terraform-references.ts'
import { Policy, type PolicyProps, policyArguments } from './policy-aspect.ts'
import { kindOf, type PolicySubject, type SubjectKind, subjectKinds } from './policy-subject.ts'

/** How names have to look, for those kinds that have to. */
export interface NamePatternProps extends PolicyProps, Patterns {}

/** Each matches the names of its kind: the keys of `flags`, the names of `events` and `plugins`. */
type Patterns = { readonly [kind in SubjectKind as `${kind}s`]?: RegExp }

/** How they are read. */
export const namePatternArguments = {
  ...policyArguments,
  ...Object.fromEntries(subjectKinds.map(kind => [`${kind}s`, pattern])),
  // The kinds are those of the type.
} as Readers<NamePatternProps>

/**
 * Keys of flags, and names of events and plugins, look as they should.
 *
 * ```ts
 * enforce(app, new NamePattern({ flags: /^[a-z][a-z0-9_]*$/ }))
 * ```
 */
export class NamePattern extends Policy {
  private readonly patterns: Patterns

  public constructor(props: NamePatternProps) {
    const { except, ...patterns } = readArguments(props, namePatternArguments, 'NamePattern')
    super({ except })
    this.patterns = patterns
  }

  protected apply(subject: PolicySubject): void {
    const pattern = this.patterns[`${subject.kind}s`]
    if (pattern === undefined) return
    const noun = identityField(kindOf(subject))
    if (hasExpression(subject.name)) this.cannotTell(subject, `its ${noun}`)
    else if (subject.name.search(pattern) < 0) this.refuse(subject, `the ${noun} does not match ${pattern}`)
  }
}
