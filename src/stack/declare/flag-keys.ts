import {
  findUnknown,
  invalid,
  isListValue,
  isObjectValue,
  mapMembers,
  Unknown,
  type Value,
} from '../../hcl/index.ts'

import { placeText, type ServiceTarget } from '../evaluate/providers.ts'

/**
 * The key of a flag whose id a value is: nobody knows its number before it exists. Undefined for any other value; throws
 * a refusal where the flag lives somewhere else.
 */
export function keyOfFlag(value: Value, place: ServiceTarget): string | undefined {
  if (!(value instanceof Unknown) || !value.flag) return undefined
  if (value.flag.place === placeText(place)) return value.flag.key
  throw invalid(
    `${value.origin} is a flag of another project or service`,
    'take the provider that declares the flag',
  )
}

/** Conditions in which other flags are named by their keys where they were by their ids. */
export function withFlagKeys(value: Value, place: ServiceTarget): Value {
  if (!findUnknown(value)) return value
  if (isListValue(value)) return value.map(each => withFlagKeys(each, place))
  if (!isObjectValue(value)) return value
  const isAboutFlag = value.type === 'flag'
  return mapMembers(value, (member, name) =>
    isAboutFlag && name === 'key' ? (keyOfFlag(member, place) ?? member) : withFlagKeys(member, place),
  )
}
