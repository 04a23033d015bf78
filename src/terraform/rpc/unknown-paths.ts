import type { AttributePath } from '../values/attribute-path.ts'
import type { Type } from '../values/type.ts'
import { Unknown } from '../values/unknown.ts'
import type { Value } from '../values/value.ts'
import { mapElements } from '../values/walk-type.ts'

/** Where a value is still open. */
export function unknownPaths(type: Type, value: Value, path: AttributePath): readonly AttributePath[] {
  if (value instanceof Unknown) return [path]
  if (value === null || typeof type === 'string') return []
  return Object.values(mapElements(type, value, path, unknownPaths)).flat()
}

/** The value with null where it is open. */
export function nullUnknowns(type: Type, value: Value): Value {
  if (value instanceof Unknown) return null
  return value === null || typeof type === 'string' ? value : mapElements(type, value, [], nullUnknowns)
}
