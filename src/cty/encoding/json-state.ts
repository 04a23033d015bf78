import type { Json } from '../../model/json/json.ts'
import { readStrictJson } from '../../model/json/strict-json.ts'
import { type AttributePath, ValueError } from '../attribute-path.ts'
import type { Type } from '../type.ts'
import { isNumberValue, type Value } from '../value.ts'
import { mapElements, pickKnown } from '../walk-type.ts'

/**
 * A value as Terraform keeps it in its state file. An attribute that the schema has gained since is null, one that
 * it has lost is passed over: neither is a reason to refuse what is already managed.
 */
export function decodeState(type: Type, text: string): Value {
  return stateValue(type, readStrictJson(text))
}

/** The same for JSON that is read already. */
export function stateValue(type: Type, json: Json, path: AttributePath = []): Value {
  if (json === null) return null
  switch (type) {
    case 'string':
      if (typeof json === 'string') return json
      break
    case 'bool':
      if (typeof json === 'boolean') return json
      break
    case 'number':
      if (isNumberValue(json)) return json
      break
    case 'dynamic':
      break
    default: {
      const known = type[0] === 'object' ? pickKnown(type, json) : json
      // JSON is made of values, so each element of it is JSON again.
      return mapElements<Value>(type, known, path, (of, element, at) => stateValue(of, element as Json, at))
    }
  }
  throw new ValueError(path, `a ${type} is needed in the state`)
}
