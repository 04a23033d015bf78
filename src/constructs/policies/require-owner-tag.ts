import { patternText } from '../../policies/check-policy.ts'
import { pattern } from '../arguments/argument.ts'
import { type Readers, readArguments } from '../arguments/read-arguments.ts'
import { type PolicyProps, policyArguments } from './policy-aspect.ts'
import { RulePolicy } from './rule-policy.ts'

/** What an owner's tag looks like. */
export interface RequireOwnerTagProps extends PolicyProps {
  /** Matches the tag with the owner; `/^(owner|team)[:-]/` when left out. */
  readonly pattern?: RegExp
}

/** The readers of the properties. */
export const ownerTagArguments: Readers<RequireOwnerTagProps> = { ...policyArguments, pattern }

/** Every flag and event definition has a tag with its owner. Default tags of the provider do not count. */
export class RequireOwnerTag extends RulePolicy {
  public constructor(props: RequireOwnerTagProps = {}) {
    const declared = readArguments(props, ownerTagArguments, 'RequireOwnerTag')
    const { pattern = /^(owner|team)[:-]/, ...others } = declared
    super({ policy: 'RequireOwnerTag', pattern: patternText(pattern) }, others)
  }
}
