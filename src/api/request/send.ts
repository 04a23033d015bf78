import type { World } from '../../model/world.ts'
import type { Redact } from '../errors/redact.ts'
import { isServiceError } from '../errors/service-error.ts'
import { type Answer, judgeAnswer } from './answer.ts'
import type { Exchange } from './exchange.ts'
import type { Pace } from './pace.ts'
import type { Request } from './request.ts'
import type { RetryPolicy } from './retry.ts'

/** One request that was sent, and what came of it. */
export interface RequestEvent {
  readonly requestLine: string
  /** Absent when there was no answer. */
  readonly status?: number
  /** Counts from 1. */
  readonly attempt: number
  readonly elapsedMs: number
}

export interface Sender {
  readonly exchange: Exchange
  readonly pace: Pace
  readonly retry: RetryPolicy
  readonly world: World
  readonly redact: Redact
  readonly onRequest: (event: RequestEvent) => void
}

/** Sends a request at the shared pace, and again as long as that is safe and may help. */
export async function send(request: Request, sender: Sender, signal?: AbortSignal): Promise<Answer> {
  const { pace, retry, world } = sender
  for (let attempt = 1; ; attempt++) {
    const slot = await pace.enter(signal, attempt > 1)
    let waitMs = 0
    try {
      const answer = await sendOnce(request, sender, attempt, signal)
      pace.succeeded()
      retry.succeeded()
      return answer
    } catch (error) {
      if (isServiceError(error) && error.status === 429) pace.throttled(slot)
      const { method, isReading } = request
      const decision = retry.decide(error, { method, isReading, attempt })
      if (decision.is === 'final') throw error
      if (decision.forAll) pace.pause(decision.waitMs)
      else waitMs = decision.waitMs
    } finally {
      // Only now: whoever comes next must meet the pause.
      pace.leave()
    }
    if (waitMs > 0) await world.sleep(waitMs, signal)
  }
}

async function sendOnce(
  request: Request,
  { exchange, world, redact, onRequest }: Sender,
  attempt: number,
  signal: AbortSignal | undefined,
): Promise<Answer> {
  const { requestLine, method, target, body } = request
  const startedAt = world.now()
  let status: number | undefined
  try {
    const incoming = await exchange({ requestLine, method, target, body, signal })
    status = incoming.status
    return judgeAnswer(request, incoming, world.now(), redact)
  } finally {
    const elapsedMs = world.now() - startedAt
    onRequest({
      requestLine: redact(requestLine),
      ...(status === undefined ? {} : { status }),
      attempt,
      elapsedMs,
    })
  }
}
