import type { Json, JsonObject } from '../model/json/json.ts'
import { type DeclarableKind, targetingField } from '../model/kind.ts'
import type { FilterProblem } from '../targeting/check/filter-problem.ts'
import { type ShortForm, shortMembers } from '../targeting/short/short-form.ts'

/** What the short form of a layer amounts to, together with what it is laid over. */
export interface ExpandedLayer {
  /** The field that it amounts to. */
  readonly field: string
  /** What is wrong with the short form itself; pointers lead into the file. */
  readonly problems: readonly FilterProblem[]
  /** Where in the file that stands which is at a pointer inside of the field. */
  readonly placeOf: (inside: string) => string
  /** Where in the field that is which stands at a pointer inside of the short form; undefined where nothing does. */
  readonly insideOf: (pointer: string) => string | undefined
}

/** Of the members of a layer those in the short form. */
export function shortIn(kind: DeclarableKind, members: JsonObject): ShortForm | undefined {
  if (targetingField(kind) === undefined) return undefined
  let short: Record<string, Json> | undefined
  for (const name of shortMembers) {
    const said = members[name]
    if (said === undefined) continue
    short ??= {}
    short[name] = said
  }
  return short
}
