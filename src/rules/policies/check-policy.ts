import { identityField } from '../../model/kind.ts'
import { checkGrant } from './check-grant.ts'
import { checkMaxRollout, checkNoReleaseToEveryone } from './check-release.ts'
import {
  isGrant,
  type PatternText,
  type Policed,
  type PolicedObject,
  type Policy,
  type Verdict,
} from './policy.ts'

/** What a policy says of an object; nothing where it holds, or has nothing to do with such objects. */
export function checkPolicy(policy: Policy, policed: Policed): readonly Verdict[] {
  const name = isGrant(policed) ? policed.flag : policed.name
  if (name !== undefined && policy.except.includes(name)) return []
  if (isGrant(policed)) return policy.policy === 'GrantsOnlyTo' ? checkGrant(policy, policed) : []
  switch (policy.policy) {
    case 'MaxRollout':
      return checkMaxRollout(policy, policed)
    case 'NamePattern':
      return checkName(policy.patterns[policed.kind.title], policed)
    case 'NoReleaseToEveryone':
      return checkNoReleaseToEveryone(policed)
    case 'RequireOwnerTag':
      return checkOwnerTag(policy.pattern, policed)
    case 'GrantsOnlyTo':
      return []
  }
}

/** A regular expression as data. */
export function patternText({ source, flags }: RegExp): PatternText {
  return { source, flags }
}

function checkName(pattern: PatternText | undefined, { kind, name }: PolicedObject): Verdict[] {
  if (pattern === undefined) return []
  const noun = identityField(kind)
  if (name === undefined) return [{ is: 'unknown', what: `its ${noun}` }]
  const expression = expressionOf(pattern)
  return name.search(expression) >= 0
    ? []
    : [{ is: 'refused', what: `the ${noun} does not match ${expression}` }]
}

function checkOwnerTag(pattern: PatternText, { kind, tags }: PolicedObject): Verdict[] {
  if (kind.lifecycle.ownedBy === undefined) return []
  const expression = expressionOf(pattern)
  // A pattern with the flag g goes on from where it was, and a search does not.
  if (tags.some(tag => tag !== undefined && tag.search(expression) >= 0)) return []
  if (tags.includes(undefined)) return [{ is: 'unknown', what: 'one of its tags' }]
  return [{ is: 'refused', what: `it has no tag that says who owns it, matching ${expression}` }]
}

function expressionOf({ source, flags }: PatternText): RegExp {
  return new RegExp(source, flags)
}
