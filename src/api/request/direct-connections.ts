import { once } from 'node:events'
import * as http from 'node:http'
import * as https from 'node:https'
import { urlToHttpOptions } from 'node:url'
import type {
  CarriedAnswer,
  CarriedRequest,
  ConnectionOptions,
  RequestDispatcher,
} from './request-dispatcher.ts'
import { RequestsUnderWay } from './requests-under-way.ts'

/**
 * Kept-alive connections straight to an origin, over Node's own HTTP. The parser of undici is WebAssembly, which Node 20
 * takes a tenth of a second of processor time to optimize for the first answer. What fails has the codes of undici, which
 * carries what goes through a proxy.
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
      // What ends in an error has told whoever asked.
      await Promise.all(underWay.all().map(asked => once(asked, 'close').catch(() => undefined)))
      agent.destroy()
    },
  }
}

/** How long a connection may rest: few services close one sooner, and a request on one that is being closed is lost. */
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
    // Whatever comes begins the same wait anew by itself.
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
    // Nor may headers that come byte by byte go on without end.
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
