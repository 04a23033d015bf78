import type { ClientRequest } from 'node:http'
import { onAbort } from './on-abort.ts'

/**
 * Requests that have no whole answer yet; the abort of its signal cuts one off. Those with the same signal share a
 * listener, which is gone with the last of them: one for each, as Node adds them, takes a tenth of a request.
 */
export class RequestsUnderWay {
  readonly #bySignal = new Map<AbortSignal | null, SameSignal>()

  add(asked: ClientRequest, signal: AbortSignal | null): void {
    if (signal?.aborted) cutOff(asked, signal.reason)
    const same = this.#bySignal.get(signal) ?? this.#listenTo(signal)
    same.requests.add(asked)
    asked.on('close', () => {
      same.requests.delete(asked)
      if (same.requests.size > 0) return
      same.stopListening()
      this.#bySignal.delete(signal)
    })
  }

  all(): ClientRequest[] {
    return [...this.#bySignal.values()].flatMap(({ requests }) => [...requests])
  }

  #listenTo(signal: AbortSignal | null): SameSignal {
    const requests = new Set<ClientRequest>()
    const stopListening = onAbort(signal ?? undefined, reason => {
      for (const asked of requests) cutOff(asked, reason)
    })
    const same = { requests, stopListening }
    this.#bySignal.set(signal, same)
    return same
  }
}

/** The reason may be anything, and whoever asked has the signal. */
function cutOff(asked: ClientRequest, cause: unknown): void {
  asked.destroy(new Error('the request was cut off', { cause }))
}

interface SameSignal {
  readonly requests: Set<ClientRequest>
  readonly stopListening: () => void
}
