import { hasTargeting } from '../../model/kind.ts'
import type { DeclaredCondition } from './declared-release.ts'
import type { PolicedObject, PolicyRule, Verdict } from './policy.ts'

type MaxRollout = Extract<PolicyRule, { readonly policy: 'MaxRollout' }>

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
    reason: percent => (percent > most ? `goes to ${percent}%; the ceiling is ${most}%` : undefined),
  })
}

/** No condition gives a flag to all of them without a share. */
export function checkNoReleaseToEveryone(flag: PolicedObject): Verdict[] {
  if (!isReleased(flag)) return []
  return checkConditions(flag, {
    isAbout: ({ isForEveryone }) => isForEveryone,
    reason: percent =>
      percent >= 100 ? 'goes to all of them; name people, or say how many with at(...)' : undefined,
  })
}

interface ConditionRule {
  /** Whether the policy is about such conditions; undefined when that is known only once a plan is made. */
  readonly isAbout: (condition: DeclaredCondition) => boolean | undefined
  /** What is wrong with a condition that goes to so many percent, if anything is. */
  readonly reason: (percent: number) => string | undefined
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
  return release.flatMap(condition => checkCondition(condition, rule))
}

function checkCondition(condition: DeclaredCondition, { isAbout, reason }: ConditionRule): Verdict[] {
  const concerned = isAbout(condition)
  if (concerned === false) return []
  const { percent, words } = condition
  if (percent === undefined) return [{ is: 'unknown', what: `the share of ${words}` }]
  const why = reason(percent)
  if (why === undefined) return []
  return concerned === undefined
    ? [{ is: 'unknown', what: `who is in ${words}` }]
    : [{ is: 'refused', what: `${words} ${why}` }]
}

function memberOf(ceilings: Readonly<Record<string, number>>, stack: string): number | undefined {
  return Object.hasOwn(ceilings, stack) ? ceilings[stack] : undefined
}
