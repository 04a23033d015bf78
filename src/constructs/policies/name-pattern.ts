import { patternText } from '../../policies/check-policy.ts'
import { pattern } from '../arguments/argument.ts'
import { type Readers, readArguments } from '../arguments/read-arguments.ts'
import { type PolicyProps, policyArguments } from './policy-aspect.ts'
import { type SubjectKind, subjectKinds } from './policy-subject.ts'
import { RulePolicy } from './rule-policy.ts'

/** How names have to look, for those kinds that have to. */
export interface NamePatternProps extends PolicyProps, Patterns {}

/** Each matches the names of its kind: the keys of `flags`, the names of `events` and `plugins`. */
type Patterns = { readonly [kind in SubjectKind as `${kind}s`]?: RegExp }

/** The readers of the properties. */
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
export class NamePattern extends RulePolicy {
  public constructor(props: NamePatternProps) {
    const { except, level, unknown, ...patterns } = readArguments(props, namePatternArguments, 'NamePattern')
    const given = subjectKinds.flatMap(kind => {
      // The kinds are those of the type.
      const expression = patterns[`${kind}s` as keyof Patterns]
      return expression === undefined ? [] : [[kind, patternText(expression)] as const]
    })
    super({ policy: 'NamePattern', patterns: Object.fromEntries(given) }, { except, level, unknown })
  }
}
