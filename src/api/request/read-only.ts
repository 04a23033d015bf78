import { declarableKinds } from '../../kinds/index.ts'
import type { Endpoint } from '../../model/endpoint.ts'

/** A client that may not write was asked to. Nothing was sent. */
export class ReadOnlyError extends Error {
  override readonly name = 'ReadOnlyError'
  readonly requestLine: string

  constructor(requestLine: string) {
    super(`${requestLine} was not sent: this client only reads`)
    this.requestLine = requestLine
  }
}

/** Whether calling an endpoint leaves everything as it is. One POST does: it estimates how many people match. */
export function isReading({ method, path }: Pick<Endpoint, 'method' | 'path'>): boolean {
  return method === 'GET' || (method === 'POST' && estimatePaths.has(path))
}

const estimatePaths: ReadonlySet<string | undefined> = new Set(
  declarableKinds.map(({ endpoints, lifecycle }) => endpoints[lifecycle.estimate ?? '']?.path),
)
