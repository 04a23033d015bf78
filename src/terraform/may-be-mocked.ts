import { memberOf, type ObjectValue } from '../hcl/values.ts'

import { looksMadeUp } from '../schema/terraform/targeting-attributes.ts'
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
