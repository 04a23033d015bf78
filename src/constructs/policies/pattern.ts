import { notA, notKnown, type Reader } from '../arguments/argument.ts'
import { isReference } from '../terraform-references.ts'

/** A regular expression of JavaScript. */
export const pattern: Reader<RegExp> = (value, name) => {
  if (value instanceof RegExp) return value
  throw isReference(value) ? notKnown(name) : notA('a regular expression', value, name)
}
