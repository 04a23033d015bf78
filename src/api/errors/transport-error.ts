import { excerpt, type Redact, redactTokens } from './redact.ts'

/** Whether a request may have reached the service. What was not sent can be sent again. */
export type Sent = 'no' | 'maybe'

export interface TransportErrorFacts {
  readonly requestLine: string
  readonly sent: Sent
  /** A name for what went wrong: `ECONNREFUSED`, `UND_ERR_HEADERS_TIMEOUT`. */
  readonly code?: string
  readonly reason: string
  readonly cause?: unknown
}

/** There is no answer: the connection was not made, was lost, or stayed silent for too long. */
export class TransportError extends Error {
  override readonly name = 'TransportError'
  readonly requestLine: string
  readonly sent: Sent
  readonly code: string | undefined

  constructor(facts: TransportErrorFacts, redact: Redact = redactTokens) {
    const requestLine = excerpt(facts.requestLine, redact)
    const cause = facts.cause === undefined ? undefined : safeCause(facts.cause, redact)
    super(`${requestLine} got no answer: ${excerpt(facts.reason, redact)}`, cause && { cause })
    this.requestLine = requestLine
    this.sent = facts.sent
    this.code = facts.code === undefined ? undefined : excerpt(facts.code, redact, 100)
  }
}

export function isTransportError(error: unknown): error is TransportError {
  return error instanceof TransportError
}

/**
 * A cause that says what the original said and holds nothing else: errors of a transport carry sockets, headers
 * and pieces of the answer, and so perhaps the key.
 */
function safeCause(original: unknown, redact: Redact, depth = 0): Error {
  const { name, message, code, cause, errors } = factsOf(original)
  const inner = depth < 3 ? (cause ?? errors?.[0]) : undefined
  const safe = new Error(
    excerpt(message, redact),
    inner === undefined ? undefined : { cause: safeCause(inner, redact, depth + 1) },
  )
  safe.name = excerpt(name, redact, 100)
  safe.stack = `${safe.name}: ${safe.message}`
  return code === undefined ? safe : Object.assign(safe, { code: excerpt(code, redact, 100) })
}

interface CauseFacts {
  readonly name: string
  readonly message: string
  readonly code?: string
  readonly cause?: unknown
  readonly errors?: readonly unknown[]
}

function factsOf(original: unknown): CauseFacts {
  if (!(original instanceof Error)) return { name: 'Error', message: String(original) }
  const code = 'code' in original && typeof original.code === 'string' ? original.code : undefined
  const errors = original instanceof AggregateError ? original.errors : undefined
  return { name: original.name, message: original.message, code, cause: original.cause, errors }
}
