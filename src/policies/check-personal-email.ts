import { pointerOf } from '../model/json/pointer.ts'
import { hasTargeting, targetingField } from '../model/kind.ts'
import { isOperatorName, operators } from '../targeting/operator-table.ts'
import type { DeclaredProperty } from './declared-release.ts'
import type { PolicedObject, Verdict } from './policy.ts'

/** No condition names a person by an e-mail address: the files, plans and records of runs would keep it. */
export function checkPersonalEmail(flag: PolicedObject): Verdict[] {
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

/** A name, a sign and a domain with a point in it; `@example.com` is the domain of many people, and names nobody. */
const address = /[\p{L}\p{N}][\p{L}\p{N}._%+'-]*@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/u

/** The letters that a pattern asks for: without classes of letters, brackets of groups, and backslashes before signs. */
function literal(pattern: string): string {
  return pattern
    .replaceAll(/\\[a-z]/gi, '\n')
    .replaceAll(/\[(?:\\.|[^\]])*\]/g, '\n')
    .replaceAll(/[()]/g, '')
    .replaceAll(/\\(.)/g, '$1')
}
