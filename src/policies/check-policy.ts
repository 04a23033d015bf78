import { roleAccess } from '../kinds/index.ts'
import { isDay, memberOfTag } from '../model/field.ts'
import { type DeclarableKind, hasTargeting, identityField, targetingField } from '../model/kind.ts'
import type { Json } from '../model/text/json.ts'
import { fitsAnyGlob, nameGlob } from '../model/text/names.ts'
import { pointerOf } from '../model/text/pointer.ts'
import { isOperatorName, operators } from '../targeting/operators.ts'
import { dayMs } from './frozen-window.ts'
import {
  type DeclaredCondition,
  type DeclaredProperty,
  isGrant,
  type LaterShare,
  type PatternText,
  type Policed,
  type PolicedGrant,
  type PolicedObject,
  type Policy,
  type PolicyName,
  type PolicyRule,
  type RuleOf,
  type Verdict,
} from './policy.ts'

/**
 * The verdicts of a policy on an object; empty if the object complies, or the policy does not apply to it.
 * `schemas` are the schemas that the policy names.
 */
export function checkPolicy(
  policy: Policy,
  policed: Policed,
  schemas: SchemaFiles = new Map(),
): readonly Verdict[] {
  const name = isGrant(policed) ? policed.flag : policed.name
  if (name !== undefined && fitsAnyGlob(policy.except, name)) return []
  if (isGrant(policed)) return policy.policy === 'GrantsOnlyTo' ? checkGrant(policy, policed) : []
  // The check and the policy have the same name, so the types match.
  const check = checks[policy.policy] as Check<PolicyRule>
  return check(policy, policed, schemas)
}

type Check<Rule> = (rule: Rule, object: PolicedObject, schemas: SchemaFiles) => readonly Verdict[]

const checks: { readonly [Name in PolicyName]: Check<RuleOf<Name>> } = {
  FirstIn: checkFirstIn,
  GrantsOnlyTo: () => [],
  MaxRollout: checkMaxRollout,
  NamePattern: checkName,
  NoPersonalEmail: checkPersonalEmail,
  NoReleaseToEveryone: checkNoReleaseToEveryone,
  OwnSchemas: checkOwnSchema,
  RequireExpiry: checkExpiry,
  RequireOwnerTag: checkOwnerTag,
  TwoPerson: checkTwoPerson,
}

export function patternText({ source, flags }: RegExp): PatternText {
  return { source, flags }
}

function checkName({ patterns }: RuleOf<'NamePattern'>, { kind, name }: PolicedObject): Verdict[] {
  const pattern = patterns[kind.title]
  if (pattern === undefined) return []
  const noun = identityField(kind)
  if (name === undefined) return [{ is: 'unknown', what: `its ${noun}` }]
  const expression = expressionOf(pattern)
  return name.search(expression) >= 0
    ? []
    : [{ is: 'refused', what: `the ${noun} does not match ${expression}` }]
}

function checkOwnerTag({ pattern }: RuleOf<'RequireOwnerTag'>, { kind, tags }: PolicedObject): Verdict[] {
  const { ownedBy } = kind.lifecycle
  if (ownedBy === undefined) return []
  const expression = expressionOf(pattern)
  // With the flag g, a pattern continues from its last match; `search` ignores that flag.
  if (tags.some(tag => tag !== undefined && tag.search(expression) >= 0)) return []
  if (tags.includes(undefined)) return [{ is: 'unknown', what: 'one of its tags' }]
  const what = `no tag names an owner; a tag must match ${expression}`
  return [{ is: 'refused', what, pointer: pointerOf(ownedBy) }]
}

function expressionOf({ source, flags }: PatternText): RegExp {
  return new RegExp(source, flags)
}

/** Every flag has an expiry date within the limit, unless it is permanent. */
function checkExpiry({ within }: RuleOf<'RequireExpiry'>, flag: PolicedObject): Verdict[] {
  const { kind, isPermanent = false, tags, today } = flag
  if (!hasTargeting(kind) || isPermanent) return []
  const days = tags.flatMap(tag => (tag === undefined ? [] : dayIn(tag)))
  const [day] = days
  if (day === undefined) {
    if (tags.includes(undefined)) return [{ is: 'unknown', what: 'one of its tags' }]
    return [{ is: 'refused', what: 'it has no `expires` date' }]
  }
  if (within === undefined) return []
  if (today === undefined) return [{ is: 'unknown', what: `whether ${day} is within ${within} days` }]
  const off = Math.round((Date.parse(day) - Date.parse(today)) / dayMs)
  return off <= within
    ? []
    : [
        {
          is: 'refused',
          what: `it expires on ${day}, in ${off} days; at most ${within} are allowed`,
        },
      ]
}

function dayIn(tag: string): string[] {
  const member = memberOfTag(tag)
  return member?.member === 'expires' && isDay(member.value) ? [member.value] : []
}

/**
 * A flag may go to all people of a condition only if another environment declares the same: the flag is on
 * there, with a condition for all of these people, or for everyone if it is for everyone here.
 */
function checkFirstIn({ environment }: RuleOf<'FirstIn'>, flag: PolicedObject): Verdict[] {
  if (!hasTargeting(flag.kind) || !isReleased(flag) || flag.stack === environment) return []
  const release = flag.release()
  if (release === 'unknown') return [{ is: 'unknown', what: 'its release' }]
  if (release === 'undeclared') return []
  const whole = release.flatMap((condition, index) =>
    condition.percent === 100 ? [{ ...condition, index }] : [],
  )
  if (whole.length === 0) return []
  if (!flag.elsewhere) return [{ is: 'unknown', what: `the declaration for ${environment}` }]
  const there = flag.elsewhere(environment)
  const conditions = there && isReleased(there) ? there.release() : []
  const before = typeof conditions === 'string' ? [] : conditions.filter(({ percent }) => percent === 100)
  return whole
    .filter(condition => !before.some(other => isAsWide(condition, other)))
    .map(({ words, index }) => ({
      is: 'refused',
      what: `${words} goes to 100%, but not in ${environment}`,
      pointer: conditionPointer(flag.kind, index),
    }))
}

function isAsWide(here: DeclaredCondition, there: DeclaredCondition): boolean {
  return here.isForEveryone === false || there.isForEveryone === true
}

/** The levels of a grant, lowest first. */
export const accessLevels: readonly string[] = roleAccess.fields.access_level.oneOf

/** Only these roles may get grants, and only up to a level. */
function checkGrant({ roles, atMost }: RuleOf<'GrantsOnlyTo'>, { role, level }: PolicedGrant): Verdict[] {
  return [...checkRole(roles, role), ...(atMost === undefined ? [] : checkLevel(atMost, level))]
}

function checkRole(allowed: readonly string[], { id, name }: PolicedGrant['role']): Verdict[] {
  if (allowed.some(each => each === name || each.toLowerCase() === id?.toLowerCase())) return []
  if (id === undefined) return [{ is: 'unknown', what: 'its role' }]
  const shown = JSON.stringify(name ?? id)
  const listed = allowed.length === 0 ? 'no role' : allowed.map(each => JSON.stringify(each)).join(', ')
  return [{ is: 'refused', what: `the role ${shown} gets a grant, but only ${listed} may have one` }]
}

function checkLevel(atMost: string, level: string | undefined): Verdict[] {
  if (level === undefined) return [{ is: 'unknown', what: 'its level' }]
  return accessLevels.indexOf(level) > accessLevels.indexOf(atMost)
    ? [
        {
          is: 'refused',
          what: `the level is ${JSON.stringify(level)}, but at most ${JSON.stringify(atMost)} is allowed`,
        },
      ]
    : []
}

/** A violation of a schema. The pointer is relative to the object. */
export interface Misfit {
  readonly pointer: string
  readonly message: string
}

/** The compiled schemas of a team, by file name. Unusable schemas are missing. */
export type SchemaFiles = ReadonlyMap<string, (sent: Json) => readonly Misfit[]>

/** An object must match the schema of its kind, in the form sent to the service. */
function checkOwnSchema(
  { files }: RuleOf<'OwnSchemas'>,
  { kind, sent }: PolicedObject,
  schemas: SchemaFiles,
): Verdict[] {
  const file = files[kind.title]
  if (file === undefined) return []
  if (!sent) return [{ is: 'unknown', what: `whether it matches ${file}` }]
  const misfits = schemas.get(file)?.(sent()) ?? []
  return misfits.map(({ pointer, message }) => ({
    is: 'refused',
    what: `${pointer === '' ? 'the object' : JSON.stringify(pointer)} ${message}, by ${file}`,
    ...(pointer === '' ? {} : { pointer }),
  }))
}

/** No condition may contain a person's e-mail address: files, plans and records would contain it too. */
function checkPersonalEmail(_: RuleOf<'NoPersonalEmail'>, flag: PolicedObject): Verdict[] {
  if (!hasTargeting(flag.kind)) return []
  const release = flag.release()
  if (release === 'undeclared') return []
  if (release === 'unknown') return [{ is: 'unknown', what: 'its release' }]
  return release.flatMap(({ properties, words }, condition): Verdict[] => {
    if (properties === undefined) return [{ is: 'unknown', what: `who is in ${words}` }]
    return properties.flatMap((property, at): Verdict[] => {
      const pointer = pointerOf(targetingField(flag.kind) ?? '', 'groups', condition, 'properties', at)
      if (hasAddress(property)) {
        const what = `condition ${condition + 1} contains a person's e-mail address, in the values of ${JSON.stringify(property.key)}`
        return [{ is: 'refused', what, pointer }]
      }
      const what = `the value of ${JSON.stringify(property.key)} in condition ${condition + 1}`
      return property.values.includes(undefined) ? [{ is: 'unknown', what, pointer }] : []
    })
  })
}

function hasAddress({ operator, values }: DeclaredProperty): boolean {
  const isPattern = isOperatorName(operator) && operators[operator].value === 'pattern'
  return values.some(value => typeof value === 'string' && address.test(isPattern ? literal(value) : value))
}

/** A name, a sign and a domain with a dot. `@example.com` alone is a domain, not a person. */
const address = /[\p{L}\p{N}][\p{L}\p{N}._%+'-]*@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/u

/** The plain text in a pattern: without character classes, group brackets, and backslashes before signs. */
function literal(pattern: string): string {
  return pattern
    .replaceAll(/\\[a-z]/gi, '\n')
    .replaceAll(/\[(?:\\.|[^\]])*\]/g, '\n')
    .replaceAll(/[()]/g, '')
    .replaceAll(/\\(.)/g, '$1')
}

/** No condition of a flag may exceed the limit. */
function checkMaxRollout({ ceiling, everyoneOnly }: RuleOf<'MaxRollout'>, flag: PolicedObject): Verdict[] {
  if (!isReleased(flag)) return []
  const most = typeof ceiling === 'number' ? ceiling : memberOf(ceiling, flag.stack)
  if (most === undefined) {
    const what = `MaxRollout has no ceiling for the stack "${flag.stack}"; add one (100 for no limit)`
    return [{ is: 'refused', what }]
  }
  if (most >= 100) return []
  return checkConditions(flag, {
    isAbout: ({ isForEveryone }) => (everyoneOnly ? isForEveryone : true),
    limit: most,
    isWithin: 'at most',
    why: `%; the ceiling is ${most}%`,
  })
}

/** No condition may give a flag to everybody without a percentage. */
function checkNoReleaseToEveryone(_: RuleOf<'NoReleaseToEveryone'>, flag: PolicedObject): Verdict[] {
  if (!isReleased(flag)) return []
  return checkConditions(flag, {
    isAbout: ({ isForEveryone }) => isForEveryone,
    limit: 100,
    isWithin: 'below',
    why: '% of everybody; add properties, or a lower percentage',
  })
}

/** A flag above the limit needs a tag that shows the review by a second person. */
function checkTwoPerson({ above, everyoneOnly, tag }: RuleOf<'TwoPerson'>, flag: PolicedObject): Verdict[] {
  if (!isReleased(flag)) return []
  const isReviewed = nameGlob(tag)
  if (flag.tags.some(each => each !== undefined && isReviewed(each))) return []
  const found = checkConditions(flag, {
    isAbout: ({ isForEveryone }) => (everyoneOnly ? isForEveryone : true),
    limit: above,
    isWithin: 'at most',
    why: `%; above ${above}% it needs the tag ${JSON.stringify(tag)}`,
  })
  if (found.length === 0 || !flag.tags.includes(undefined)) return found
  return [{ is: 'unknown', what: 'one of its tags' }]
}

interface ConditionRule extends Pick<LaterShare, 'limit' | 'isWithin' | 'why'> {
  /** Whether the policy applies to a condition; undefined if that is known only at plan time. */
  readonly isAbout: (condition: DeclaredCondition) => boolean | undefined
}

/** Whether the flag can reach anybody: a flag that is off reaches nobody. */
function isReleased({ kind, isOff }: PolicedObject): boolean {
  return hasTargeting(kind) && !isOff
}

function checkConditions(flag: PolicedObject, rule: ConditionRule): Verdict[] {
  const release = flag.release()
  if (release === 'unknown') return [{ is: 'unknown', what: 'its release' }]
  if (release === 'undeclared') {
    const what = 'its release is not declared; a flag that the service creates reaches everybody'
    return [{ is: 'refused', what }]
  }
  return release.flatMap((condition, index) =>
    checkCondition(condition, index, rule).map(verdict => ({
      ...verdict,
      pointer: conditionPointer(flag.kind, index),
    })),
  )
}

function conditionPointer(kind: DeclarableKind, index: number): string {
  return pointerOf(targetingField(kind) ?? '', 'groups', index)
}

function checkCondition(
  condition: DeclaredCondition,
  index: number,
  { isAbout, limit, isWithin, why }: ConditionRule,
): Verdict[] {
  const concerned = isAbout(condition)
  if (concerned === false) return []
  const { percent, words } = condition
  if (percent === undefined) {
    const share = { condition: index, words, limit, isWithin, why }
    return [{ is: 'unknown', what: `the share of ${words}`, ...(concerned === true ? { share } : {}) }]
  }
  if (isWithin === 'at most' ? percent <= limit : percent < limit) return []
  return concerned === undefined
    ? [{ is: 'unknown', what: `who is in ${words}` }]
    : [{ is: 'refused', what: `${words} goes to ${percent}${why}` }]
}

function memberOf(ceilings: Readonly<Record<string, number>>, stack: string): number | undefined {
  return Object.hasOwn(ceilings, stack) ? ceilings[stack] : undefined
}
