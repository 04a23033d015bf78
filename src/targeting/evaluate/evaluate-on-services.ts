import type { Profile, Services } from '../../model/connection.ts'
import {
  type Engine,
  type EvaluationRules,
  enginesOf,
  type PropertyMatchingVersion,
  serviceEngine,
} from '../../services/engines.ts'
import { byService } from '../operators.ts'
import { readRelease } from '../release.ts'
import { type AnySubject, type Evaluation, type EvaluationContext, evaluateFlag } from './evaluate-flag.ts'
import type { EvaluatedFlag } from './known-flags.ts'

/** The answer of another engine: a value, or why there is none. */
export interface OtherAnswer {
  readonly by: string
  readonly value?: boolean | string
  readonly undecided?: string
}

export interface EvaluationOnServices extends Evaluation {
  /** The engine that gives the answer. */
  readonly by: string
  /** Those with a different answer. */
  readonly others: readonly OtherAnswer[]
  /** Every SDK with local evaluation, beside the newest service; an SDK without a value asks it. */
  readonly sdks: readonly Pick<OtherAnswer, 'by' | 'value'>[]
}

/**
 * What the newest of several services gives somebody, with the different answers of the other services and
 * the SDKs. The version of an SDK is that of the project, if known; otherwise the usual one.
 */
export function evaluateOnServices(
  flag: EvaluatedFlag,
  subject: AnySubject,
  context: Omit<EvaluationContext, 'rules'>,
  services: Services,
  version?: PropertyMatchingVersion,
): EvaluationOnServices {
  const { release = readRelease(flag.filters ?? null) } = flag
  const { sdks } = services
  const read = { ...flag, release }
  const answerOf = (profile: Profile) => {
    const sent = byService.toWire(flag.filters ?? null, [profile])
    const asSent = sent === flag.filters ? read : { ...flag, filters: sent, release: undefined }
    return {
      by: services.length > 1 ? `${serviceEngine} with profile ${profile}` : serviceEngine,
      ...evaluateByEngines(
        asSent,
        subject,
        context,
        enginesOf(profile, { version: profile === 'posthog-2026' ? version : undefined, sdks }),
      ),
    }
  }
  const last = services.at(-1) ?? 'documented'
  const { differs = [], asks = [], ...newest } = answerOf(last)
  const [, ...engines] = enginesOf(last, { sdks })
  const answers = newest.undecided === undefined ? engines : []
  const older = services
    .slice(0, -1)
    .map(answerOf)
    .filter(({ value, undecided }) => value !== newest.value || undecided !== newest.undecided)
  return {
    ...newest,
    others: [
      ...older.map(({ by, value, undecided }) =>
        undecided === undefined ? { by, value } : { by, undecided },
      ),
      ...differs.map(({ engine: by, value }) => ({ by, value })),
    ],
    sdks: answers.map(({ name: by }) =>
      asks.includes(by)
        ? { by }
        : { by, value: differs.find(one => one.engine === by)?.value ?? newest.value },
    ),
  }
}

/** The value from one engine. */
export interface EngineValue {
  readonly engine: string
  readonly value: boolean | string
}

export interface EvaluationByEngines extends Evaluation {
  /** Engines that give another value than the service, and the value. Absent if there are none. */
  readonly differs?: readonly EngineValue[]
  /** Engines that ask the service, and so give its value. Absent if there are none. */
  readonly asks?: readonly string[]
}

/**
 * What the first engine, the service, gives somebody, and the engines with another value. One that cannot
 * decide asks the service and does not differ. If the service's own value is open, nothing is compared.
 */
export function evaluateByEngines(
  flag: EvaluatedFlag,
  subject: AnySubject,
  context: Omit<EvaluationContext, 'rules'>,
  [service, ...others]: readonly [Engine, ...Engine[]],
): EvaluationByEngines {
  const evaluation = evaluateFlag(flag, subject, contextBy(context, service.rules, context.isComplete))
  if (evaluation.undecided !== undefined) return evaluation
  const differs: EngineValue[] = []
  const asks: string[] = []
  for (const { name, rules } of others) {
    // An SDK knows only the properties that it is given; it cannot know that another one does not exist.
    const { value, undecided } = evaluateFlag(flag, subject, contextBy(context, rules, false))
    if (undecided !== undefined) asks.push(name)
    else if (value !== evaluation.value) differs.push({ engine: name, value })
  }
  return {
    ...evaluation,
    ...(differs.length === 0 ? {} : { differs }),
    ...(asks.length === 0 ? {} : { asks }),
  }
}

/** Member by member: copying an object for each engine and test would take ten times as long. */
function contextBy(
  { now, groupTypes, cohorts, flags, zoneOffsetMinutes }: Omit<EvaluationContext, 'rules'>,
  rules: EvaluationRules,
  isComplete: boolean | undefined,
): EvaluationContext {
  // The zone is that of the project; an SDK does not know it.
  const zone = rules.definitions === undefined ? zoneOffsetMinutes : undefined
  return { now, groupTypes, cohorts, flags, isComplete, rules, zoneOffsetMinutes: zone }
}
