/**
 * What the engines put in the place of a value that is known only once a plan is made, as `variable.stringValue` and
 * `flag.id` give it. They mark texts and lists by what is in them and numbers by being absurdly small; the same marks
 * in both engines, so that value objects can let them through without asking either.
 */
export function isReference(value: unknown): boolean {
  if (typeof value === 'number') return value < smallestNumber
  if (typeof value === 'string') return mark.test(value)
  return (
    typeof value === 'object' && value !== null && 'resolve' in value && typeof value.resolve === 'function'
  )
}

/** Whether a value is a reference or has one somewhere inside. */
export function hasReference(value: unknown): boolean {
  if (isReference(value)) return true
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([name, member]) => mark.test(name) || hasReference(member))
}

/** The pieces of a text in their order: references at the odd places, what people wrote at the even ones. */
export function splitReferences(text: string): readonly string[] {
  return text.split(/(\$\{TfToken\[[\w:.-]+\]\})/)
}

/** Marked numbers lie around -1e298 and -1e289. */
const smallestNumber = -1e280
const mark = /[$#&]\{TfToken\[[\w:.-]+\]\}/
