import type { Services } from '../../model/connection/profile.ts'
import type { JsonObject } from '../../model/json/json.ts'
import type { PropertyMatchingVersion } from '../../services/engines.ts'
import {
  type AnySubject,
  type EvaluatedFlag,
  type EvaluationOnServices,
  evaluateOnServices,
  type KnownFlags,
} from '../../targeting/index.ts'
import type { Desired } from '../desired.ts'

/** A declared flag as it is evaluated. */
export function evaluatedFlag({ identity: key, ensure, fields }: Desired): EvaluatedFlag {
  const { active } = fields
  return {
    key,
    deleted: ensure === 'absent',
    ...(typeof active === 'boolean' ? { active } : {}),
    ...deciding(fields),
  }
}

/** A live flag as it is evaluated. */
export function evaluatedRecord(record: JsonObject): EvaluatedFlag {
  const { id, key, active, deleted } = record
  return {
    ...(typeof id === 'number' ? { id } : {}),
    key: String(key),
    active: active !== false,
    deleted: deleted === true,
    ...deciding(record),
  }
}

function deciding({
  filters,
  bucketing_identifier,
  ensure_experience_continuity,
}: JsonObject): Omit<EvaluatedFlag, 'key'> {
  return {
    ...(filters === undefined ? {} : { filters }),
    ...(bucketing_identifier === undefined ? {} : { bucketing_identifier }),
    ...(ensure_experience_continuity === undefined ? {} : { ensure_experience_continuity }),
  }
}

/** What is not declared, the service decides. */
export function asFarAsDeclared(
  { ensure, fields: { filters, active } }: Desired,
  evaluation: EvaluationOnServices,
): EvaluationOnServices {
  if (ensure === 'absent' || active === false) return evaluation
  const { by, reason, value } = evaluation
  if (filters === undefined)
    return { by, reason, value: false, others: [], sdks: [], undecided: 'who gets it is not declared here' }
  const isOpen = active === undefined && value !== false && evaluation.undecided === undefined
  return isOpen ? { ...evaluation, undecided: 'whether it is on is not declared here' } : evaluation
}

export interface EvaluationPlace {
  /** Milliseconds since 1970. */
  readonly now: number
  readonly services: Services
  /** That of the project, where it is known. */
  readonly version?: PropertyMatchingVersion | undefined
}

/**
 * What somebody gets of a flag, whose groups go by the numbers of their types. Where a flag keeps what people had under an id
 * from before, what depends on the id is undecided: nobody here knows of the other one.
 */
export function evaluateAt(
  { now, services, version }: EvaluationPlace,
  flag: EvaluatedFlag,
  subject: AnySubject,
  flags: KnownFlags,
): EvaluationOnServices {
  const context = { now, groupTypes: numberedGroupTypes, flags }
  const evaluation = evaluateOnServices(flag, subject, context, services, version)
  const { distinctId, ...unnamed } = subject
  if (flag.ensure_experience_continuity !== true || evaluation.undecided !== undefined) return evaluation
  if (distinctId === undefined) return evaluation
  const properties = { distinct_id: distinctId, ...unnamed.properties }
  const open = evaluateOnServices(flag, { ...unnamed, properties }, context, services, version)
  return open.undecided === undefined ? evaluation : { ...evaluation, undecided: continued }
}

const continued =
  'whoever was counted under another id before keeps what they had (ensure_experience_continuity)'

/** Whatever types of groups are called, their numbers name them here. */
export const numberedGroupTypes: Readonly<Record<string, string>> = Object.fromEntries(
  [0, 1, 2, 3, 4].map(index => [index, String(index)]),
)
