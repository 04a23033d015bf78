import type { RequestEvent } from '../../../api/index.ts'
import type { ToldLimit } from '../../../model/connection/observed.ts'
import type { Profile } from '../../../model/connection/profile.ts'
import type { Runtime } from '../../../model/runtime/runtime.ts'
import type { Check, FoundLimits } from '../../../report/document.ts'
import { type Limit, limits } from '../../../services/facts.ts'

/** Looks at the headers of each answer of a session, whatever the answer was. */
export class AnswerObserver {
  readonly #runtime: Runtime
  #aheadMs: number | undefined
  #told: ToldLimit = {}
  #isThrottled = false

  constructor(runtime: Runtime) {
    this.#runtime = runtime
  }

  readonly onRequest = ({ status, dateMs, limit }: RequestEvent): void => {
    if (dateMs !== undefined) this.#aheadMs ??= dateMs - this.#runtime.now()
    this.#told = { ...this.#told, ...limit }
    this.#isThrottled ||= status === 429
  }

  /** How far the clock of the service is ahead of ours; undefined where no answer had a date. */
  get aheadMs(): number | undefined {
    return this.#aheadMs
  }

  limitsOf(profile: Profile): FoundLimits {
    return { known: limits[profile], told: this.#told, isThrottled: this.#isThrottled }
  }
}

/** Dates in journals, records and `Retry-After` are only as right as the clock. */
export function clockCheck(aheadMs: number | undefined, why: string): Check {
  const name = 'clock'
  if (aheadMs === undefined) return { name, verdict: 'not_checked', summary: why }
  if (Math.abs(aheadMs) <= toleranceMs) return { name, verdict: 'ok', summary: 'as the service has it' }
  const way = aheadMs > 0 ? 'behind' : 'ahead of'
  const seconds = Math.round(Math.abs(aheadMs) / 1000)
  return { name, verdict: 'note', summary: `this machine is ${seconds} seconds ${way} the service` }
}

/** Less is no fault of anybody's: the date of an answer has whole seconds, and an answer is under way for a while. */
export const toleranceMs = 60_000

/** How many requests the service is known to take, and what it says of it itself. */
export function limitsCheck({ known, told, isThrottled }: FoundLimits): Check {
  const documented = known.length === 0 ? 'none is known' : known.map(limitWords).join('; ')
  const said = toldWords(told)
  const asked = isThrottled ? '; the service has asked for fewer requests (429)' : ''
  const isNear = isThrottled || told.remaining === 0
  return { name: 'limits', verdict: isNear ? 'note' : 'ok', summary: `${documented}${said}${asked}` }
}

function limitWords({ of, perMinute, perHour, each }: Limit): string {
  const hourly = perHour === undefined ? '' : ` and ${perHour} per hour`
  return `${perMinute} ${of} per minute${hourly} for each ${each}`
}

function toldWords({ limit, remaining }: ToldLimit): string {
  if (remaining === undefined) return limit === undefined ? '' : `; the answers say ${limit}`
  return `; the answers say that ${remaining}${limit === undefined ? '' : ` of ${limit}`} are left`
}
