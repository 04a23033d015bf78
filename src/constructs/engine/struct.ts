import { didYouMean } from '../../model/text/did-you-mean.ts'
import { markedForm } from './engine-marks.ts'

/**
 * Whether a generated construct writes a value member by member. A reference in any form is passed to
 * Terraform as a whole: it seems to have no members, and a condition without members means everybody. A value
 * with misspelt members would do the same, and TypeScript finds that only if it knows the type.
 */
export function isStruct(value: unknown, type: string, members: readonly string[]): boolean {
  if (typeof value !== 'object' || value === null || markedForm(value) !== undefined) return false
  const stray = Object.entries(value).find(
    ([name, member]) => member !== undefined && !members.includes(name),
  )
  if (stray === undefined) return true
  const [name] = stray
  const camel = name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
  const meant = members.includes(camel) ? camel : didYouMean(name, members)
  const hint = meant === undefined ? `there are ${members.join(', ')}` : `did you mean "${meant}"?`
  throw new TypeError(`"${name}" is no member of ${type}; ${hint}`)
}
