import { didYouMean } from '../model/did-you-mean.ts'
import { isEmptyJson, type Json, type JsonObject } from '../model/json.ts'

/** A mistake in filters. The pointer leads to it inside them: `/groups/0/rollout_percentage`. */
export interface FilterProblem {
  readonly pointer: string
  /** A stable name, such as `percentage-range`. */
  readonly code: string
  readonly severity: 'error' | 'warning'
  /** One line, lower case, values quoted. */
  readonly message: string
  readonly hint?: string
}

export function filterError(pointer: string, code: string, message: string, hint?: string): FilterProblem {
  return { pointer, code, severity: 'error', message, ...(hint !== undefined && { hint }) }
}

export function filterWarning(pointer: string, code: string, message: string, hint?: string): FilterProblem {
  return { pointer, code, severity: 'warning', message, ...(hint !== undefined && { hint }) }
}

/** A JSON pointer one step further down. */
export function pointerTo(pointer: string, member: string | number): string {
  return `${pointer}/${String(member).replaceAll('~', '~0').replaceAll('/', '~1')}`
}

/**
 * Members that look like a slip of a known name. The service keeps every member without a word, so that a slip
 * would silently release to more people than meant; an unknown name that resembles nothing may be a newer service's.
 */
export function misspeltMembers(
  value: JsonObject,
  known: readonly string[],
  pointer: string,
): FilterProblem[] {
  return Object.keys(value).flatMap(name => {
    const meant = known.includes(name) ? undefined : (didYouMean(name, known) ?? partOf(name, known))
    if (meant === undefined) return []
    const message = `"${name}" means nothing to the service`
    return [filterWarning(pointerTo(pointer, name), 'misspelt-member', message, `did you mean "${meant}"?`)]
  })
}

/** A percentage of a condition or variant. */
export function percentageProblems(percent: Json | undefined, pointer: string): FilterProblem[] {
  if (typeof percent !== 'number')
    return [
      filterError(
        pointer,
        'percentage-type',
        'the percentage is not a number',
        'write it as 25, without % or quotes',
      ),
    ]
  if (percent >= 0 && percent <= 100) return []
  return [filterError(pointer, 'percentage-range', `${percent} is not a percentage`, 'it goes from 0 to 100')]
}

/** The problem of something that is there but has another shape. */
export function shapeProblem(
  pointer: string,
  name: string,
  shape: 'a list' | 'an object' | 'text',
): FilterProblem {
  return filterError(pointer, 'wrong-shape', `${name} must be ${shape}`)
}

/** Null, `{}` and `[]` stand for nothing, as in the canonical form. */
export function isGiven(value: Json | undefined): value is Json {
  return !isEmptyJson(value)
}

/** `percentage` for `rollout_percentage`: too far for a slip, and still no accident. */
function partOf(name: string, known: readonly string[]): string | undefined {
  return name.length < 5 ? undefined : known.find(candidate => candidate.includes(name.toLowerCase()))
}
