import type { ToldLimit } from '../../model/observed.ts'
import type { Runtime } from '../../model/runtime.ts'
import type { Redact } from '../errors/redact.ts'
import { isServiceError } from '../errors/service-error.ts'
import type { Exchange, Incoming } from './exchange.ts'
import { type Answer, judgeAnswer } from './judge-answer.ts'
import type { RateLimiter } from './rate-limiter.ts'
import type { Request } from './request.ts'
import type { RetryPolicy } from './retry.ts'
import { toldLimit } from './told-limit.ts'

/** One request that was sent, and what came of it. */
export interface RequestEvent {
  readonly requestLine: string
  /** Absent when there was no answer. */
  readonly status?: number
  /** Counts from 1. */
  readonly attempt: number
  readonly elapsedMs: number
  /** When the service says that it answered, in milliseconds since 1970; absent where it does not say. */
  readonly dateMs?: number
  readonly limit?: ToldLimit
}

export interface Sender {
  readonly exchange: Exchange
  readonly limiter: RateLimiter
  readonly retry: RetryPolicy
  readonly runtime: Runtime
  readonly redact: Redact
  readonly onRequest: (event: RequestEvent) => void
}

/** Sends a request at the shared pace, and again as long as that is safe and may help. */
export async function send(request: Request, sender: Sender, signal?: AbortSignal): Promise<Answer> {
  const { limiter, retry, runtime } = sender
  for (let attempt = 1; ; attempt++) {
    const slot = await limiter.enter(signal, attempt > 1)
    let waitMs = 0
    try {
      const answer = await sendOnce(request, sender, attempt, signal)
      limiter.succeeded()
      retry.succeeded()
      return answer
    } catch (error) {
      if (isServiceError(error) && error.status === 429) limiter.throttled(slot)
      const { method, isReading } = request
      const decision = retry.decide(error, { method, isReading, attempt })
      if (decision.is === 'final') throw error
      if (decision.forAll) limiter.pause(decision.waitMs)
      else waitMs = decision.waitMs
    } finally {
      // Only now: whoever comes next must meet the pause.
      limiter.leave()
    }
    if (waitMs > 0) await runtime.sleep(waitMs, signal)
  }
}

async function sendOnce(
  request: Request,
  { exchange, runtime, redact, onRequest }: Sender,
  attempt: number,
  signal: AbortSignal | undefined,
): Promise<Answer> {
  const { requestLine, method, target, body } = request
  const startedAt = runtime.now()
  let told: Pick<RequestEvent, 'status' | 'dateMs' | 'limit'> = {}
  try {
    const incoming = await exchange({ requestLine, method, target, body, signal })
    told = toldBy(incoming)
    return judgeAnswer(request, incoming, runtime.now(), redact)
  } finally {
    const elapsedMs = runtime.now() - startedAt
    onRequest({ requestLine: redact(requestLine), ...told, attempt, elapsedMs })
  }
}

function toldBy(incoming: Incoming): Pick<RequestEvent, 'status' | 'dateMs' | 'limit'> {
  const dateMs = Date.parse(incoming.header('date') ?? '')
  const limit = toldLimit(incoming)
  return {
    status: incoming.status,
    ...(Number.isNaN(dateMs) ? {} : { dateMs }),
    ...(Object.keys(limit).length === 0 ? {} : { limit }),
  }
}
