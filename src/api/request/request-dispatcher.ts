import type { Readable } from 'node:stream'
import type { Method } from '../../model/endpoint.ts'

/** A request, ready to be carried. */
export interface CarriedRequest {
  readonly origin: string
  readonly path: string
  readonly method: Method
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
  readonly signal: AbortSignal | null
  /** How long the service may stay silent before its answer, and while it comes. */
  readonly headersTimeout: number
  readonly bodyTimeout: number
}

/** The beginning of its answer. */
export interface CarriedAnswer {
  readonly statusCode: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Readable
}

/** What carries requests: undici's, one of Node's own connections, or one that is opened when it is first needed. */
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
