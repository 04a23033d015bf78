import { once } from 'node:events'
import type { ClientRequest } from 'node:http'
import * as http from 'node:http'
import * as https from 'node:https'
import { urlToHttpOptions } from 'node:url'
import type { CarriedAnswer, CarriedRequest, ConnectionOptions, RequestDispatcher } from './exchange.ts'
import { onAbort } from './send.ts'

/** Keep-alive connections to an origin, one for each parallel request; through a proxy if there is one. */
export async function openConnections(options: ConnectionOptions): Promise<RequestDispatcher> {
  const { proxy } = options
  if (!proxy) return openDirectly(options)
  const { openThroughProxy } = await import('./proxy-connections.ts')
  return openThroughProxy(options, proxy)
}

/**
 * Keep-alive connections to an origin, with Node's own HTTP. The parser of undici is WebAssembly, which costs
 * Node 20 a tenth of a second for the first answer. Failures have the codes of undici, which is used with a
 * proxy.
 */
export function openDirectly({
  origin,
  parallelism,
  connectTimeoutMs,
}: ConnectionOptions): RequestDispatcher {
  const { protocol, hostname, port } = urlToHttpOptions(new URL(origin))
  const { Agent, request } = protocol === 'https:' ? https : http
  const agent = new Agent({ keepAlive: true, maxSockets: parallelism, timeout: idleMs })
  const underWay = new RequestsUnderWay()
  return {
    request(carried) {
      const { path, method, headers, body, signal } = carried
      const asked = request({
        agent,
        protocol,
        hostname,
        port,
        path,
        method,
        headers: body === null ? headers : { ...headers, 'content-length': Buffer.byteLength(body) },
      })
      underWay.add(asked, signal)
      asked.end(body)
      return answerTo(asked, connectTimeoutMs, carried)
    },
    async close() {
      // Failed requests have already reported their errors.
      await Promise.all(underWay.all().map(asked => once(asked, 'close').catch(() => undefined)))
      agent.destroy()
    },
  }
}

/** How long a connection may stay idle. Few services close one sooner, which would lose the next request. */
const idleMs = 4_000

function answerTo(
  asked: http.ClientRequest,
  connectTimeoutMs: number,
  { headersTimeout, bodyTimeout }: CarriedRequest,
): Promise<CarriedAnswer> {
  let silence: Silence = 'UND_ERR_CONNECT_TIMEOUT'
  let waitMs: number | undefined
  let answer: http.IncomingMessage | undefined
  const wait = (next: Silence, ms: number) => {
    silence = next
    // Received data restarts the timeout.
    if (ms !== waitMs) asked.setTimeout(ms)
    waitMs = ms
  }
  const giveUp = () => {
    const failure = Object.assign(new Error(silences[silence]), { code: silence })
    if (answer) answer.destroy(failure)
    else asked.destroy(failure)
  }
  let headersTimer: NodeJS.Timeout | undefined
  const sent = () => {
    wait('UND_ERR_HEADERS_TIMEOUT', headersTimeout)
    // Limits slow headers too, which restart the other timeout.
    headersTimer = setTimeout(giveUp, headersTimeout)
  }
  return new Promise((resolve, reject) => {
    asked
      .on('error', reject)
      .on('timeout', giveUp)
      .on('close', () => clearTimeout(headersTimer))
      .on('socket', socket => {
        if (asked.reusedSocket) return sent()
        wait('UND_ERR_CONNECT_TIMEOUT', connectTimeoutMs)
        socket.once(asked.protocol === 'https:' ? 'secureConnect' : 'connect', sent)
      })
      .on('response', response => {
        answer = response
        clearTimeout(headersTimer)
        wait('UND_ERR_BODY_TIMEOUT', bodyTimeout)
        resolve({ statusCode: response.statusCode ?? 0, headers: response.headers, body: response })
      })
  })
}

type Silence = keyof typeof silences

const silences = {
  UND_ERR_CONNECT_TIMEOUT: 'no connection was made in time',
  UND_ERR_HEADERS_TIMEOUT: 'no answer came in time',
  UND_ERR_BODY_TIMEOUT: 'the answer did not go on',
} as const

/**
 * Running requests, which their signals can abort. Requests with the same signal share a listener, because
 * one for each would cost a tenth of a request.
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

/** Aborts a request with an error. Its cause may be any value. */
function cutOff(asked: ClientRequest, cause: unknown): void {
  asked.destroy(new Error('the request was cut off', { cause }))
}

interface SameSignal {
  readonly requests: Set<ClientRequest>
  readonly stopListening: () => void
}
