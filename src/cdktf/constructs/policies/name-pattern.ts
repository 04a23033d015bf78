import { isReference } from '../reference.ts'
import { Policy, type PolicyProps } from './policy.ts'
import type { PolicySubject, SubjectKind } from './policy-subject.ts'

/** How names have to look, for those kinds that have to. */
export interface NamePatternProps extends PolicyProps {
  /** Matches the keys of flags. */
  readonly flags?: RegExp
  /** Matches the names of events. */
  readonly events?: RegExp
  /** Matches the names of plugins. */
  readonly plugins?: RegExp
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

  public constructor({ flags, events, plugins, ...props }: NamePatternProps) {
    super(props)
    this.patterns = { flag: flags, event: events, plugin: plugins }
  }

  protected apply(subject: PolicySubject): void {
    const pattern = this.patterns[subject.kind]
    if (pattern === undefined || subject.name.search(pattern) >= 0) return
    const noun = subject.kind === 'flag' ? 'key' : 'name'
    if (isReference(subject.name)) this.cannotTell(subject, `its ${noun}`)
    else this.refuse(subject, `the ${noun} does not match ${pattern}`)
  }
}
