import type { Profile, Services } from '../../model/connection/profile.ts'
import { enginesOf, type PropertyMatchingVersion, serviceEngine } from '../../services/engines.ts'
import { byService } from '../obeyed.ts'
import { readRelease } from '../release.ts'
import { evaluateByEngines } from './evaluate-by-engines.ts'
import type { AnySubject, Evaluation, EvaluationContext } from './evaluate-flag.ts'
import type { EvaluatedFlag } from './known-flags.ts'

/** What somebody else says who evaluates: a value, or why none can be told. */
export interface OtherAnswer {
  readonly by: string
  readonly value?: boolean | string
  readonly undecided?: string
}

export interface EvaluationOnServices extends Evaluation {
  /** Who it is that says so. */
  readonly by: string
  /** Those who do not say the same. */
  readonly others: readonly OtherAnswer[]
  /** Every SDK that evaluates by itself beside the newest service; one without a value asks it. */
  readonly sdks: readonly Pick<OtherAnswer, 'by' | 'value'>[]
}

/**
 * What the newest of several services gives somebody, beside what the others and the SDKs give that do not give the
 * same. The version is that of the project, where it is known; what it is not known of is reckoned with the usual one.
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
