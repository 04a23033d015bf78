import { isSameType, type StructuredType, type Type } from './type.ts'

/**
 * Whether values of a type can be ones of another, as far as their types tell: a text may be a number, and then turn
 * out to be none.
 */
export function mayBecome(given: Type, wanted: Type): boolean {
  if (given === 'dynamic' || wanted === 'dynamic' || isSameType(given, wanted)) return true
  if (typeof given === 'string' || typeof wanted === 'string')
    return typeof given === typeof wanted && (given === 'string' || wanted === 'string')
  switch (wanted[0]) {
    case 'list':
    case 'set':
      return isOrdered(given) && innerTypes(given).every(type => mayBecome(type, wanted[1]))
    case 'map':
      return !isOrdered(given) && innerTypes(given).every(type => mayBecome(type, wanted[1]))
    case 'tuple':
      return (
        given[0] === 'tuple' &&
        given[1].length === wanted[1].length &&
        given[1].every((type, index) => mayBecome(type, wanted[1][index] ?? 'dynamic'))
      )
    case 'object':
      return Object.entries(wanted[1]).every(([name, type]) => {
        if (given[0] === 'map') return mayBecome(given[1], type)
        return given[0] === 'object' && Object.hasOwn(given[1], name)
          ? mayBecome(given[1][name] ?? 'dynamic', type)
          : false
      })
  }
}

/** The types of what is in a value of a type. */
export function innerTypes(type: StructuredType): readonly Type[] {
  switch (type[0]) {
    case 'tuple':
      return type[1]
    case 'object':
      return Object.values(type[1])
    default:
      return [type[1]]
  }
}

function isOrdered([is]: StructuredType): boolean {
  return is === 'list' || is === 'set' || is === 'tuple'
}
