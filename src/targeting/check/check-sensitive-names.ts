import { Suggestions } from '../../model/text/did-you-mean.ts'
import { listSome } from '../../model/text/list-names.ts'

/** A name in `sensitive` that no payload has: its place in the list, and what to do about it. */
export interface StrangeName {
  readonly index: number
  readonly name: string
  readonly hint: string
}

/** The names in `sensitive` that no payload of the filters has. Such a slip would show what was to be hidden. */
export function strangeNames(names: readonly string[], payloads: object = {}): readonly StrangeName[] {
  const known = Object.keys(payloads)
  const suggestions = new Suggestions(known)
  const listed = known.length === 0 ? 'it has no payloads' : `there are: ${listSome(known, 'and')}`
  return names.flatMap((name, index) =>
    known.includes(name) ? [] : [{ index, name, hint: suggestions.hint(name, listed) }],
  )
}
