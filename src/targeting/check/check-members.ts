import type { JsonObject } from '../../model/json/json.ts'
import { didYouMean } from '../../model/text/did-you-mean.ts'
import { type FilterPartName, filterParts, memberNames } from '../filter-parts.ts'
import { type FilterProblem, filterError, filterWarning, pointerTo } from './filter-problem.ts'

/**
 * Members that are none. The service keeps every member without a word, so a slip would silently release to more
 * people than meant: the percentage of a condition would be 100%, its people everybody.
 *
 * | the member is                             | so it is  |
 * |-------------------------------------------|-----------|
 * | near one that is known here               | an error  |
 * | one that decides, or near it, elsewhere   | an error  |
 * | anything else, such as a newer service's  | a warning |
 */
export function checkMembers(value: JsonObject, part: FilterPartName, pointer: string): FilterProblem[] {
  const { members } = filterParts[part]
  return Object.keys(value).flatMap(name =>
    Object.hasOwn(members, name) ? [] : [strayMember(name, part, pointerTo(pointer, name))],
  )
}

function strayMember(name: string, part: FilterPartName, pointer: string): FilterProblem {
  const says = `${JSON.stringify(name)} means nothing to the service`
  const slip = nearest(name, memberNames(part), decidingNames(part))
  if (slip !== undefined) return filterError(pointer, 'misspelt-member', says, `did you mean "${slip}"?`)
  const { title } = filterParts[part]
  const others = partNames.filter(other => other !== part)
  const elsewhere = others.flatMap(decidingNames)
  const meant = elsewhere.includes(name)
    ? name
    : nearest(name, elsewhere.filter(isLong), elsewhere.filter(isLong))
  if (meant !== undefined) {
    const places = others.filter(other => decidingNames(other).includes(meant)).map(placeLine)
    const hint = `"${meant}" belongs into ${places.join(' or ')}`
    return filterError(pointer, 'misplaced-member', `${JSON.stringify(name)} means nothing in ${title}`, hint)
  }
  const hint = 'check its spelling; it is sent as it stands'
  return filterWarning(pointer, 'unknown-member', `${JSON.stringify(name)} is not known in ${title}`, hint)
}

// The table has these keys and no others.
const partNames = Object.keys(filterParts) as readonly FilterPartName[]

function decidingNames(part: FilterPartName): string[] {
  const { members } = filterParts[part]
  return Object.keys(members).filter(name => members[name]?.decides)
}

function placeLine(part: FilterPartName): string {
  return filterParts[part].title
}

/** Short names, such as `key`, are near to too much to be looked for everywhere. */
function isLong(name: string): boolean {
  return name.length >= 6
}

/** The name that was meant; `percentage` for `rollout_percentage` is too far for a slip, and still no accident. */
function nearest(name: string, names: readonly string[], deciding: readonly string[]): string | undefined {
  const slip = didYouMean(name, names)
  if (slip !== undefined || name.length < 5) return slip
  return deciding.find(candidate => candidate.includes(name.toLowerCase()))
}
