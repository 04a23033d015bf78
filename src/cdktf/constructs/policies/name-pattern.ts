import { identityField } from '../../../model/kind.ts'
import { type Readers, readArguments } from '../arguments/read-arguments.ts'
import { hasExpression } from '../reference.ts'
import { pattern } from './pattern.ts'
import { Policy, type PolicyProps, policyArguments } from './policy.ts'
import { kindOf, type PolicySubject, type SubjectKind } from './policy-subject.ts'

/** How names have to look, for those kinds that have to. */
export interface NamePatternProps extends PolicyProps {
  /** Matches the keys of flags. */
  readonly flags?: RegExp
  /** Matches the names of events. */
  readonly events?: RegExp
  /** Matches the names of plugins. */
  readonly plugins?: RegExp
}

/** How they are read. */
export const namePatternArguments: Readers<NamePatternProps> = {
  ...policyArguments,
  events: pattern,
  flags: pattern,
  plugins: pattern,
}

/**
 * Keys of flags, and names of events and plugins, look as they should.
 *
 * ```ts
 * enforce(app, new NamePattern({ flags: /^[a-z][a-z0-9_]*$/ }))
 * ```
 */
export class NamePattern extends Policy {
  private readonly patterns: { readonly [kind in SubjectKind]: RegExp | undefined }

  public constructor(props: NamePatternProps) {
    const { flags, events, plugins, ...others } = readArguments(props, namePatternArguments, 'NamePattern')
    super(others)
    this.patterns = { flag: flags, event: events, plugin: plugins }
  }

  protected apply(subject: PolicySubject): void {
    const pattern = this.patterns[subject.kind]
    if (pattern === undefined) return
    const noun = identityField(kindOf(subject))
    if (hasExpression(subject.name)) this.cannotTell(subject, `its ${noun}`)
    else if (subject.name.search(pattern) < 0) this.refuse(subject, `the ${noun} does not match ${pattern}`)
  }
}
