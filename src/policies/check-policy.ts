import { pointerOf } from '../model/json/pointer.ts'
import { identityField } from '../model/kind.ts'
import { fitsAnyGlob } from '../model/text/name-glob.ts'
import { checkExpiry } from './check-expiry.ts'
import { checkFirstIn } from './check-first-in.ts'
import { checkGrant } from './check-grant.ts'
import { checkOwnSchema, type SchemaFiles } from './check-own-schema.ts'
import { checkPersonalEmail } from './check-personal-email.ts'
import { checkMaxRollout, checkNoReleaseToEveryone, checkTwoPerson } from './check-release.ts'
import {
  isGrant,
  type PatternText,
  type Policed,
  type PolicedObject,
  type Policy,
  type Verdict,
} from './policy.ts'

/**
 * What a policy says of an object; nothing where it holds, or has nothing to do with such objects. `schemas` are those that the policy
 * names, if it names any.
 */
export function checkPolicy(
  policy: Policy,
  policed: Policed,
  schemas: SchemaFiles = new Map(),
): readonly Verdict[] {
  const name = isGrant(policed) ? policed.flag : policed.name
  if (name !== undefined && fitsAnyGlob(policy.except, name)) return []
  if (isGrant(policed)) return policy.policy === 'GrantsOnlyTo' ? checkGrant(policy, policed) : []
  switch (policy.policy) {
    case 'FirstIn':
      return checkFirstIn(policy, policed)
    case 'GrantsOnlyTo':
      return []
    case 'MaxRollout':
      return checkMaxRollout(policy, policed)
    case 'NamePattern':
      return checkName(policy.patterns[policed.kind.title], policed)
    case 'NoPersonalEmail':
      return checkPersonalEmail(policed)
    case 'NoReleaseToEveryone':
      return checkNoReleaseToEveryone(policed)
    case 'OwnSchemas':
      return checkOwnSchema(policy, policed, schemas)
    case 'RequireExpiry':
      return checkExpiry(policy, policed)
    case 'RequireOwnerTag':
      return checkOwnerTag(policy.pattern, policed)
    case 'TwoPerson':
      return checkTwoPerson(policy, policed)
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
  const { ownedBy } = kind.lifecycle
  if (ownedBy === undefined) return []
  const expression = expressionOf(pattern)
  // A pattern with the flag g goes on from where it was, and a search does not.
  if (tags.some(tag => tag !== undefined && tag.search(expression) >= 0)) return []
  if (tags.includes(undefined)) return [{ is: 'unknown', what: 'one of its tags' }]
  const what = `it has no tag that says who owns it, matching ${expression}`
  return [{ is: 'refused', what, pointer: pointerOf(ownedBy) }]
}

function expressionOf({ source, flags }: PatternText): RegExp {
  return new RegExp(source, flags)
}
