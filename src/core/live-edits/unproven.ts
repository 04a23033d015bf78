import type { Json } from '../../model/json/json.ts'
import { type DeclarableKind, switchField } from '../../model/kind.ts'
import type { Situation } from './treatment.ts'

/** A field without a base that is not live as declared. */
export interface Unproven {
  readonly kind: DeclarableKind
  readonly field: string
  readonly declared: Json
  readonly live: Json
  /** Whether the newest row of the activity trail for it is by somebody who is no automation. */
  readonly isByPerson: boolean
  /** Whether the environment has a run on record. */
  readonly isOnRecord: boolean
}

/**
 * What speaks for a live edit where there is no base.
 *
 * | the field                                          | evidence | under `hold` |
 * |----------------------------------------------------|----------|--------------|
 * | was changed last by a person, as the trail has it  | `trail`  | held         |
 * | is the switch, off, and would be turned on, in an  | `off`    | held         |
 * | environment that has a run on record               |          |              |
 * | is any other                                       | none     | a change     |
 *
 * A flag that somebody turned off in an incident is what must not come back by chance. In an environment without runs the
 * repository is being set up, and there nobody would know what to do with it.
 */
export function unprovenEvidence({
  kind,
  field,
  declared,
  live,
  isByPerson,
  isOnRecord,
}: Unproven): Situation['evidence'] {
  if (isByPerson) return 'trail'
  const isTurnedOn = field === switchField(kind) && live === false && declared === true
  return isTurnedOn && isOnRecord ? 'off' : undefined
}
