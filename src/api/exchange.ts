import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { Method } from '../model/endpoint.ts'
import { largestAnswer } from '../model/limits.ts'
import type { Runtime } from '../model/runtime.ts'
import type { BaseUrl } from './base-url.ts'
import { explainFailure, TransportError, UnexpectedAnswerError } from './errors.ts'
import type { Redact } from './redact.ts'

/** One request, ready to be sent. */
export interface Outgoing {
  readonly requestLine: string
  readonly method: Method
  /** Path and query, without the prefix of the base URL. */
  readonly target: string
  readonly body?: string
  readonly signal?: AbortSignal
}

/** An answer as received, not checked yet. */
export interface Incoming {
  readonly status: number
  readonly header: (name: string) => string | undefined
  readonly text: string
  /** The length of the body as it was received. */
  readonly bytes: number
  /** Whether the connection ended before the end of the answer. */
  readonly isTruncated: boolean
}

export interface ExchangeOptions {
  readonly baseUrl: BaseUrl
  readonly dispatcher: Pick<RequestDispatcher, 'request'>
  readonly apiKey: string
  readonly userAgent: string
  readonly runtime: Runtime
  readonly redact: Redact
  /** How long the service may stay silent; a whole answer may take twice as long. */
  readonly timeoutMs: number
  readonly maxBytes?: number
}

export type Exchange = (outgoing: Outgoing) => Promise<Incoming>

/**
 * Sends a request once, only to the configured origin. Throws if there is no answer, or if it is too large or
 * cannot be decoded. After an abort, throws the reason of the signal.
 */
export function createExchange(options: ExchangeOptions): Exchange {
  const { baseUrl, dispatcher, runtime, redact, timeoutMs } = options
  return async outgoing => {
    const { method, body, signal, requestLine } = outgoing
    signal?.throwIfAborted()
    const giveUpAt = runtime.now() + 2 * timeoutMs
    let response: CarriedAnswer
    try {
      response = await dispatcher.request({
        origin: baseUrl.origin,
        path: `${baseUrl.prefix}${outgoing.target}`,
        method,
        headers: headersOf(options, body),
        body: body ?? null,
        signal: signal ?? null,
        headersTimeout: timeoutMs,
        bodyTimeout: timeoutMs,
      })
    } catch (error) {
      signal?.throwIfAborted()
      throw new TransportError({ requestLine, ...explainFailure(error, baseUrl.origin) }, redact)
    }
    const header = headerReader(response.headers)
    const read = await readBody(response, outgoing, { ...options, giveUpAt })
    const text = await decode(read, header('content-encoding'), outgoing, options)
    return { status: response.statusCode, header, bytes: read.bytes.length, ...text }
  }
}

function headersOf({ apiKey, userAgent }: ExchangeOptions, body: string | undefined): Record<string, string> {
  return {
    authorization: `Bearer ${apiKey}`,
    accept: 'application/json, */*;q=0.5',
    'accept-encoding': 'gzip',
    'user-agent': userAgent,
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  }
}

function headerReader(headers: CarriedAnswer['headers']): Incoming['header'] {
  return name => {
    const value = headers[name]
    return typeof value === 'object' ? value[0] : value
  }
}

interface Read {
  readonly bytes: Buffer
  readonly isTruncated: boolean
}

/** Uses events: async iteration would double the time of an exchange. */
function readBody(
  { statusCode: status, body }: CarriedAnswer,
  { requestLine, signal }: Outgoing,
  { runtime, redact, giveUpAt, maxBytes = largestAnswer }: ExchangeOptions & { readonly giveUpAt: number },
): Promise<Read> {
  const chunks: Buffer[] = []
  let size = 0
  const read = (isTruncated: boolean): Read => ({ bytes: joined(chunks), isTruncated })
  return new Promise((resolve, reject) => {
    const refuse = (failure: Error) => {
      reject(failure)
      body.destroy()
    }
    const breakOff = () => (signal?.aborted ? reject(signal.reason) : resolve(read(true)))
    // This has no effect after the end.
    body.on('error', breakOff).on('close', breakOff)
    body.on('end', () => resolve(read(false)))
    body.on('data', (chunk: Buffer) => {
      size += chunk.byteLength
      if (size > maxBytes) return refuse(tooLarge(requestLine, status, maxBytes, redact))
      if (runtime.now() > giveUpAt) {
        const reason = 'it came too slowly and never ended'
        return refuse(
          new TransportError({ requestLine, sent: 'maybe', code: 'ERR_TOO_SLOW', reason }, redact),
        )
      }
      chunks.push(chunk)
    })
    if (body.closed) breakOff()
  })
}

function joined(chunks: readonly Buffer[]): Buffer {
  const [first] = chunks
  return first && chunks.length === 1 ? first : Buffer.concat(chunks)
}

async function decode(
  { bytes, isTruncated }: Read,
  encoding: string | undefined,
  { requestLine }: Outgoing,
  { redact, maxBytes = largestAnswer }: ExchangeOptions,
): Promise<Pick<Incoming, 'text' | 'isTruncated'>> {
  if (bytes.length === 0 || encoding === undefined || encoding === 'identity') {
    return { text: bytes.toString('utf8'), isTruncated }
  }
  if (encoding !== 'gzip' && encoding !== 'x-gzip') {
    const reason = `is encoded as "${encoding}", which was not requested; is a proxy in between?`
    throw new UnexpectedAnswerError({ requestLine, code: 'encoding', reason }, redact)
  }
  try {
    const plain = await unzip(bytes, { maxOutputLength: maxBytes })
    return { text: plain.toString('utf8'), isTruncated }
  } catch (error) {
    if (error instanceof RangeError) throw tooLarge(requestLine, undefined, maxBytes, redact)
    return { text: '', isTruncated: true }
  }
}

const unzip = promisify(gunzip)

function tooLarge(
  requestLine: string,
  status: number | undefined,
  maxBytes: number,
  redact: Redact,
): UnexpectedAnswerError {
  const reason = `is larger than ${Math.floor(maxBytes / (1024 * 1024))} MB and was not read; ask for less at once`
  return new UnexpectedAnswerError({ requestLine, status, code: 'too_large', reason }, redact)
}

/** A request to send. */
export interface CarriedRequest {
  readonly origin: string
  readonly path: string
  readonly method: Method
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
  readonly signal: AbortSignal | null
  /** How long the service may stay silent before and within its answer. */
  readonly headersTimeout: number
  readonly bodyTimeout: number
}

/** The beginning of an answer. */
export interface CarriedAnswer {
  readonly statusCode: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Readable
}

/** Sends requests: by undici, by Node's own connections, or by connections that are opened on first use. */
export interface RequestDispatcher {
  request(request: CarriedRequest): Promise<CarriedAnswer>
  close(): Promise<void>
}

export interface ConnectionOptions {
  readonly origin: string
  readonly parallelism: number
  readonly connectTimeoutMs: number
  readonly proxy?: { readonly url: string; readonly exceptFor: string }
}
