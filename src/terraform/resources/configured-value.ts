import type { ObjectValue, Value } from '../../cty/value.ts'
import { memberOf } from '../../cty/walk-type.ts'
import { type DeclarableKind, isTargeting } from '../../model/kind.ts'
import { givenTyped, targetingText } from './plan/typed-filters.ts'

/**
 * What a configuration says of a managed field, as a plan or a state has it; undefined where it says nothing. That
 * `filters` and typed attributes are there both is so only where changes of them are ignored.
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
  return isGiven ? undefined : targetingText(name, values)
}
