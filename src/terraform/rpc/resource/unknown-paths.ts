import { type AttributePath, mapElements, type Type, Unknown, type Value } from '../../../hcl/values.ts'

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
