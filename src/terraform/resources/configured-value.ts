import { memberOf, type ObjectValue, type Value } from '../../hcl/values.ts'

import { type DeclarableKind, isTargeting } from '../../model/kind.ts'
import { givenTyped, targetingText } from '../../schema/terraform/targeting-attributes.ts'

/**
 * What a configuration says of a managed field, as a plan or a state has it; undefined where it says nothing. That
 * `filters` and typed attributes are there both is so only where changes of them are ignored. An apply is told the
 * configuration as it is written: what is ignored of it shows in the values alone.
 */
export function configuredValue(
  kind: DeclarableKind,
  name: string,
  values: ObjectValue,
  config: ObjectValue,
): Value | undefined {
  const isGiven = memberOf(config, name) !== null
  if (!isTargeting(kind, name) || givenTyped(config).length === 0)
    return isGiven ? memberOf(values, name) : undefined
  return isGiven || isIgnored(name, values) ? undefined : targetingText(name, values)
}

/** Whether values are not what typed attributes of a configuration amount to, but what is there. */
function isIgnored(field: string, values: ObjectValue): boolean {
  return givenTyped(values).length === 0 || typeof memberOf(values, field) === 'string'
}
