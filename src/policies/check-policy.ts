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
 * The result of a policy for an object; empty if the object complies, or the policy is not about it.
 * `schemas` are those that the policy names, if any.
 */
export function checkPolicy(
  policy: Policy,
  policed: Policed,
  schemas: SchemaFiles = new Map(),
): readonly Verdict[] {
  const name = isGrant(policed) ? policed.flag : policed.name
  if (name !== undefined && fitsAnyGlob(policy.except, name)) return []
  if (isGrant(policed)) return policy.policy === 'GrantsOnlyTo' ? checkGrant(policy, policed) : []
  // The check of a name takes the rule of that name.
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

/** A regular expression as data. */
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
  // A pattern with the flag g continues from its last match; a search does not.
  if (tags.some(tag => tag !== undefined && tag.search(expression) >= 0)) return []
  if (tags.includes(undefined)) return [{ is: 'unknown', what: 'one of its tags' }]
  const what = `no tag names its owner, matching ${expression}`
  return [{ is: 'refused', what, pointer: pointerOf(ownedBy) }]
}

function expressionOf({ source, flags }: PatternText): RegExp {
  return new RegExp(source, flags)
}

/** Every flag has an expiry date within the limit, unless it is declared as permanent. */
function checkExpiry({ within }: RuleOf<'RequireExpiry'>, flag: PolicedObject): Verdict[] {
  const { kind, isPermanent = false, tags, today } = flag
  if (!hasTargeting(kind) || isPermanent) return []
  const days = tags.flatMap(tag => (tag === undefined ? [] : dayIn(tag)))
  const [day] = days
  if (day === undefined) {
    if (tags.includes(undefined)) return [{ is: 'unknown', what: 'one of its tags' }]
    return [{ is: 'refused', what: 'it does not say until when it is wanted' }]
  }
  if (within === undefined) return []
  if (today === undefined) return [{ is: 'unknown', what: `whether ${day} is at most ${within} days off` }]
  const off = Math.round((Date.parse(day) - Date.parse(today)) / dayMs)
  return off <= within
    ? []
    : [
        {
          is: 'refused',
          what: `it is wanted until ${day}, ${off} days from now; at most ${within} are allowed`,
        },
      ]
}

function dayIn(tag: string): string[] {
  const member = memberOfTag(tag)
  return member?.member === 'expires' && isDay(member.value) ? [member.value] : []
}

/**
 * All people of a condition get a flag here only if another environment declares the same: the flag is on,
 * with a condition for all of these people, and for everyone if it is for everyone here.
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
  if (!flag.elsewhere) return [{ is: 'unknown', what: `what is declared in ${environment}` }]
  const there = flag.elsewhere(environment)
  const conditions = there && isReleased(there) ? there.release() : []
  const before = typeof conditions === 'string' ? [] : conditions.filter(({ percent }) => percent === 100)
  return whole
    .filter(condition => !before.some(other => isAsWide(condition, other)))
    .map(({ words, index }) => ({
      is: 'refused',
      what: `${words} goes to 100%, and in ${environment} it does not`,
      pointer: conditionPointer(flag.kind, index),
    }))
}

function isAsWide(here: DeclaredCondition, there: DeclaredCondition): boolean {
  return here.isForEveryone === false || there.isForEveryone === true
}

/** The levels of a grant, the lowest first. */
export const accessLevels: readonly string[] = roleAccess.fields.access_level.oneOf

/** Only these roles get grants, and none above a level. */
function checkGrant({ roles, atMost }: RuleOf<'GrantsOnlyTo'>, { role, level }: PolicedGrant): Verdict[] {
  return [...checkRole(roles, role), ...(atMost === undefined ? [] : checkLevel(atMost, level))]
}

function checkRole(allowed: readonly string[], { id, name }: PolicedGrant['role']): Verdict[] {
  if (allowed.some(each => each === name || each.toLowerCase() === id?.toLowerCase())) return []
  if (id === undefined) return [{ is: 'unknown', what: 'its role' }]
  const shown = JSON.stringify(name ?? id)
  const listed = allowed.length === 0 ? 'no role' : allowed.map(each => JSON.stringify(each)).join(', ')
  return [{ is: 'refused', what: `the role ${shown} gets a grant; only ${listed} may` }]
}

function checkLevel(atMost: string, level: string | undefined): Verdict[] {
  if (level === undefined) return [{ is: 'unknown', what: 'its level' }]
  return accessLevels.indexOf(level) > accessLevels.indexOf(atMost)
    ? [
        {
          is: 'refused',
          what: `the level is ${JSON.stringify(level)}; at most ${JSON.stringify(atMost)} is allowed`,
        },
      ]
    : []
}

/** The parts of an object that do not fit a schema; the pointer is into the object. */
export interface Misfit {
  readonly pointer: string
  readonly message: string
}

/** The schemas of a team, ready for use, by file name. Schemas that cannot be used are skipped. */
export type SchemaFiles = ReadonlyMap<string, (sent: Json) => readonly Misfit[]>

/** An object, as it is sent to the service, fits the schema of its kind. */
function checkOwnSchema(
  { files }: RuleOf<'OwnSchemas'>,
  { kind, sent }: PolicedObject,
  schemas: SchemaFiles,
): Verdict[] {
  const file = files[kind.title]
  if (file === undefined) return []
  if (!sent) return [{ is: 'unknown', what: `whether it fits ${file}` }]
  const misfits = schemas.get(file)?.(sent()) ?? []
  return misfits.map(({ pointer, message }) => ({
    is: 'refused',
    what: `${pointer === '' ? 'it' : JSON.stringify(pointer)} ${message}, by ${file}`,
    ...(pointer === '' ? {} : { pointer }),
  }))
}

/** No condition contains a person's e-mail address: files, plans and records of runs would keep it. */
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
        const what = `condition ${condition + 1} names a person by an e-mail address, in the values of ${JSON.stringify(property.key)}`
        return [{ is: 'refused', what, pointer }]
      }
      const what = `what ${JSON.stringify(property.key)} of condition ${condition + 1} is compared with`
      return property.values.includes(undefined) ? [{ is: 'unknown', what, pointer }] : []
    })
  })
}

function hasAddress({ operator, values }: DeclaredProperty): boolean {
  const isPattern = isOperatorName(operator) && operators[operator].value === 'pattern'
  return values.some(value => typeof value === 'string' && address.test(isPattern ? literal(value) : value))
}

/** A name, a sign and a domain with a point in it. `@example.com` is a domain, not a person. */
const address = /[\p{L}\p{N}][\p{L}\p{N}._%+'-]*@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/u

/** The letters in a pattern: without classes of letters, brackets of groups, and backslashes before signs. */
function literal(pattern: string): string {
  return pattern
    .replaceAll(/\\[a-z]/gi, '\n')
    .replaceAll(/\[(?:\\.|[^\]])*\]/g, '\n')
    .replaceAll(/[()]/g, '')
    .replaceAll(/\\(.)/g, '$1')
}

/** No condition of a flag has a share above the limit. */
function checkMaxRollout({ ceiling, everyoneOnly }: RuleOf<'MaxRollout'>, flag: PolicedObject): Verdict[] {
  if (!isReleased(flag)) return []
  const most = typeof ceiling === 'number' ? ceiling : memberOf(ceiling, flag.stack)
  if (most === undefined) {
    const what = `MaxRollout has no ceiling for the stack "${flag.stack}"; give it one, 100 for none`
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

/** No condition gives a flag to all of its people without a share. */
function checkNoReleaseToEveryone(_: RuleOf<'NoReleaseToEveryone'>, flag: PolicedObject): Verdict[] {
  if (!isReleased(flag)) return []
  return checkConditions(flag, {
    isAbout: ({ isForEveryone }) => isForEveryone,
    limit: 100,
    isWithin: 'below',
    why: '%, all of them; name people, or say how many',
  })
}

/** A flag with a share above the limit has a tag for the review by a second person. */
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
  /** Whether the policy is about such conditions; undefined if that is only known at plan time. */
  readonly isAbout: (condition: DeclaredCondition) => boolean | undefined
}

/** A flag that is off gives nothing to anybody. */
function isReleased({ kind, isOff }: PolicedObject): boolean {
  return hasTargeting(kind) && !isOff
}

function checkConditions(flag: PolicedObject, rule: ConditionRule): Verdict[] {
  const release = flag.release()
  if (release === 'unknown') return [{ is: 'unknown', what: 'its release' }]
  if (release === 'undeclared') {
    const what = 'its release is not declared, and if the service has to create it, everybody gets it'
    return [{ is: 'refused', what }]
  }
  return release.flatMap((condition, index) =>
    checkCondition(condition, index, rule).map(verdict => ({
      ...verdict,
      pointer: conditionPointer(flag.kind, index),
    })),
  )
}

/** The place of a condition in the fields of its flag. */
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
