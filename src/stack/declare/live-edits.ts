import { type ExactJson, invalid, isExactObject } from '../../hcl/index.ts'

import type { DeclarableKind } from '../../model/kind.ts'
import {
  defaultMember,
  existsField,
  isLiveEditWay,
  liveEditFields,
  liveEditWays,
  type SaidLiveEdits,
} from '../../model/live-edit-policy.ts'

/**
 * What a block says of changes in the product, in the comment that constructs write: `"//": { "vexil": { "live_edits": ... } }`.
 * Throws a refusal where it says something else: nothing is held or reverted by a slip.
 */
export function liveEditsIn(said: ExactJson | undefined, kind: DeclarableKind): SaidLiveEdits | undefined {
  if (said === undefined || isLiveEditWay(said)) return said
  if (!isExactObject(said) || Array.isArray(said)) throw notAWay('it')
  const known = [defaultMember, existsField, ...liveEditFields(kind)]
  const ways = Object.entries(said).map(([name, way]) => {
    if (!known.includes(name)) throw invalid(`it names "${name}", which is no field of a ${kind.title}`)
    if (!isLiveEditWay(way)) throw notAWay(`"${name}"`)
    return [name, way] as const
  })
  return Object.fromEntries(ways)
}

function notAWay(what: string) {
  return invalid(`${what} has to be one of ${liveEditWays.map(way => `"${way}"`).join(', ')}`)
}
