import { hasTargeting } from '../model/kind.ts'
import { conditionPointer, isReleased } from './check-release.ts'
import type { DeclaredCondition } from './declared-release.ts'
import type { PolicedObject, PolicyRule, Verdict } from './policy.ts'

type FirstIn = Extract<PolicyRule, { readonly policy: 'FirstIn' }>

/**
 * All of those who match a condition get a flag here only where another environment declares the same of it: on, with a
 * condition for all who match it, and for everyone where it is so here.
 */
export function checkFirstIn({ environment }: FirstIn, flag: PolicedObject): Verdict[] {
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
  const said = there && isReleased(there) ? there.release() : []
  const before = typeof said === 'string' ? [] : said.filter(({ percent }) => percent === 100)
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
