import type { ObjectValue, Value } from '../cty/value.ts'
import { memberOf } from '../cty/walk-type.ts'
import type { Diagnostic } from './diagnostic.ts'

/**
 * Whether what is wrong is a text that `mock_provider` may have made up in a `terraform test`: there every computed
 * text is made up, also an id, and whatever refers to it is validated, though never planned. So what is wrong with such a
 * text is told by the plan, where there are no mocks.
 */
export function isMadeUp(config: ObjectValue, { attribute: [name] = [] }: Diagnostic): boolean {
  return typeof name === 'string' && looksMadeUp(memberOf(config, name))
}

/** Whether a configuration has any text of that form. */
export function hasMadeUp(config: ObjectValue): boolean {
  return Object.values(config).some(looksMadeUp)
}

function looksMadeUp(value: Value): boolean {
  return typeof value === 'string' && (ofTerraform.test(value) || ofOpenTofu.test(value))
}

/** Terraform makes up eight small letters and digits. */
const ofTerraform = /^[a-z0-9]{8}$/

/**
 * OpenTofu makes up 4 to 15 letters and digits. Those that are small letters alone, or digits alone, are more often a name
 * or a number that somebody wrote, and are told of at once.
 */
const ofOpenTofu = /^(?![a-z]+$|\d+$)[A-Za-z0-9]{4,15}$/
