import type { TerraformResource } from 'cdktf'
import type { LaterShare } from '../../policies/policy.ts'
import { escapeText } from '../synthesized/escape-template.ts'
import { expressionIn } from '../synthesized/resolve-in-stack.ts'
import { isReference } from '../synthesized/terraform-references.ts'
import type { PolicySubject } from './policy-subject.ts'

/**
 * Lets Terraform decide about a share that it evaluates, if a condition of typed attributes contains it. A
 * precondition stops the plan if the share is too large, or else the apply, before anything is sent. False if
 * the share is somewhere else, as in JSON, or in conditions that are known as a whole only later.
 */
export function holdByPrecondition(
  { resource, attributes }: PolicySubject,
  { condition: index, words, limit, isWithin, why }: LaterShare,
  policy: string,
): boolean {
  const { release, rollout_percentage: ofEverybody, active } = attributes
  if (isReference(release)) return false
  const percentage = Array.isArray(release) ? release[index]?.rollout_percentage : ofEverybody
  const share = expressionIn(resource, percentage)
  const isOn = isReference(active) ? expressionIn(resource, active) : 'true'
  if (share === undefined || isOn === undefined) return false
  // A missing share means everybody.
  const percent = `coalesce(${share}, 100)`
  const inBounds = `${percent} ${isWithin === 'at most' ? '<=' : '<'} ${limit}`
  const precondition = {
    condition: isOn === 'true' ? `\${${inBounds}}` : `\${!coalesce(${isOn}, true) || ${inBounds}}`,
    errorMessage: `${escapeText(words)} goes to \${${percent}}${escapeText(why)} (${policy})`,
  }
  const { precondition: all = [], ...lifecycle } = resource.lifecycle ?? {}
  const ours = held.get(resource) ?? new Map<string, object>()
  const key = JSON.stringify([policy, index, limit])
  // A stack may be synthesized again, with another share.
  const others = all.filter(each => each !== ours.get(key))
  resource.lifecycle = { ...lifecycle, precondition: [...others, precondition] }
  held.set(resource, ours.set(key, precondition))
  return true
}

const held = new WeakMap<TerraformResource, Map<string, object>>()
