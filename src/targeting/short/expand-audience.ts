import { isJsonArray, isSameJson, type Json } from '../../model/json/json.ts'
import { type FilterProblem, filterError } from '../check/filter-problem.ts'
import type { ExpandedProperty } from './expand-properties.ts'
import type { AudiencePart, ShortContext } from './short-context.ts'

/** The audience of a condition. */
export interface ExpandedAudience {
  readonly name: string
  readonly properties: readonly ExpandedProperty[]
  readonly parts: readonly AudiencePart[]
  readonly problems: readonly FilterProblem[]
  /** It is not known who is meant. */
  readonly isBroken: boolean
}

/** The properties that a condition takes from its audience; all of them stand where that is named. */
export function expandAudience(
  written: Json,
  groupType: Json,
  pointer: string,
  { audience, audienceHint }: ShortContext,
): ExpandedAudience {
  const name = typeof written === 'string' ? written : ''
  const broken = (...problems: FilterProblem[]) => ({
    name,
    properties: [],
    parts: [],
    problems,
    isBroken: true,
  })
  if (typeof written !== 'string')
    return broken(filterError(pointer, 'wrong-shape', 'an audience is named by a text', hintFor(written)))
  const shared = audience(written)
  if (!shared)
    return broken(
      filterError(
        pointer,
        'unknown-audience',
        `${JSON.stringify(written)} is not an audience`,
        audienceHint(written),
      ),
    )
  if (shared.isBroken) return broken()
  if (shared.groupType !== undefined && !isSameJson(shared.groupType, groupType))
    return broken(otherGroups(written, shared.groupType, groupType, pointer))
  const properties = shared.properties.map(property => ({ property, pointer, isFull: false }))
  return { name, properties, parts: shared.parts, problems: [], isBroken: false }
}

function hintFor(written: Json): string {
  return isJsonArray(written)
    ? 'for either of several write a condition each; for all of them let one audience build on another'
    : 'write the name of one audience'
}

function otherGroups(name: string, theirs: Json, ours: Json, pointer: string): FilterProblem {
  const message = `the audience ${JSON.stringify(name)} is one of ${counted(theirs)}, and ${counted(ours)} are counted here`
  const hint =
    theirs === null
      ? 'use an audience of these groups, or count persons here'
      : `write "group_type_index: ${JSON.stringify(theirs)}" beside it, or use an audience of persons`
  return filterError(pointer, 'audience-groups', message, hint)
}

function counted(groupType: Json): string {
  return groupType === null ? 'persons' : `groups of type ${JSON.stringify(groupType)}`
}
