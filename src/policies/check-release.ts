import { pointerOf } from '../model/json/pointer.ts'
import { type DeclarableKind, hasTargeting, targetingField } from '../model/kind.ts'
import { nameGlob } from '../model/text/name-glob.ts'
import type { DeclaredCondition } from './declared-release.ts'
import type { LaterShare, PolicedObject, PolicyRule, Verdict } from './policy.ts'

type MaxRollout = Extract<PolicyRule, { readonly policy: 'MaxRollout' }>
type TwoPerson = Extract<PolicyRule, { readonly policy: 'TwoPerson' }>

/** No condition of a flag goes to more than so many percent. */
export function checkMaxRollout({ ceiling, everyoneOnly }: MaxRollout, flag: PolicedObject): Verdict[] {
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

/** No condition gives a flag to all of them without a share. */
export function checkNoReleaseToEveryone(flag: PolicedObject): Verdict[] {
  if (!isReleased(flag)) return []
  return checkConditions(flag, {
    isAbout: ({ isForEveryone }) => isForEveryone,
    limit: 100,
    isWithin: 'below',
    why: '%, all of them; name people, or say how many',
  })
}

/** What goes to more than so many percent has a tag that says that a second person looked at it. */
export function checkTwoPerson({ above, everyoneOnly, tag }: TwoPerson, flag: PolicedObject): Verdict[] {
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
  /** Whether the policy is about such conditions; undefined when that is known only once a plan is made. */
  readonly isAbout: (condition: DeclaredCondition) => boolean | undefined
}

/** A flag that is off gives nothing to anybody. */
export function isReleased({ kind, isOff }: PolicedObject): boolean {
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

/** Where a condition stands in the fields of its flag. */
export function conditionPointer(kind: DeclarableKind, index: number): string {
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
