import { hasTargeting } from '../model/kind.ts'
import { isDay, memberOfTag } from '../model/tag-member.ts'
import type { PolicedObject, PolicyRule, Verdict } from './policy.ts'
import { dayMs } from './span.ts'

type RequireExpiry = Extract<PolicyRule, { readonly policy: 'RequireExpiry' }>

/** Every flag says how long it is wanted, unless it is here to stay; and that is not too far off. */
export function checkExpiry({ within }: RequireExpiry, flag: PolicedObject): Verdict[] {
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
  const said = memberOfTag(tag)
  return said?.member === 'expires' && isDay(said.value) ? [said.value] : []
}
