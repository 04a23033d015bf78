import type { Services } from '../../model/profile.ts'
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
  const { filters, active, bucketing_identifier } = fields
  return {
    key,
    deleted: ensure === 'absent',
    ...(filters === undefined ? {} : { filters }),
    ...(typeof active === 'boolean' ? { active } : {}),
    ...(bucketing_identifier === undefined ? {} : { bucketing_identifier }),
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
    return { by, reason, value: false, others: [], undecided: 'who gets it is not declared here' }
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

/** What somebody gets of a flag, whose groups go by the numbers of their types. */
export function evaluateAt(
  { now, services, version }: EvaluationPlace,
  flag: EvaluatedFlag,
  subject: AnySubject,
  flags: KnownFlags,
): EvaluationOnServices {
  return evaluateOnServices(flag, subject, { now, groupTypes: numberedGroupTypes, flags }, services, version)
}

/** Whatever types of groups are called, their numbers name them here. */
export const numberedGroupTypes: Readonly<Record<string, string>> = Object.fromEntries(
  [0, 1, 2, 3, 4].map(index => [index, String(index)]),
)
