import type { Sent } from './transport-error.ts'

export interface TransportFailure {
  readonly sent: Sent
  readonly code?: string
  readonly reason: string
  readonly cause: unknown
}

/**
 * What a failed request means.
 *
 * | failure                                        | sent  | sending it again may help        |
 * |------------------------------------------------|-------|----------------------------------|
 * | name not found, certificate refused            | no    | no: somebody has to act          |
 * | no connection: refused, unreachable, timed out | no    | yes                              |
 * | the proxy did not let it through               | no    | no                               |
 * | the client was closed                          | no    | no                               |
 * | anything later: reset, silence, garbage        | maybe | yes, where twice is no harm      |
 */
export function explainFailure(error: unknown, origin: string): TransportFailure {
  const code = codeOf(error)
  const failure = (sent: Sent, reason: string) => ({ sent, ...(code ? { code } : {}), reason, cause: error })
  if (code === 'ENOTFOUND')
    return failure('no', `there is no host of the name in ${origin}; check the base URL`)
  if (code !== undefined && isCertificateCode(code)) {
    return failure('no', `the certificate of ${origin} was not accepted (${code})`)
  }
  if (isProxyRefusal(error))
    return failure('no', `the proxy did not connect to ${origin}: ${messageOf(error)}`)
  if (code === 'UND_ERR_CLOSED') return failure('no', 'the client is closed')
  if (code === 'UND_ERR_INVALID_ARG') return failure('no', messageOf(error))
  if (isConnectFailure(error, code)) {
    return failure(
      'no',
      `no connection to ${origin} (${code}); is the service there, and the base URL right?`,
    )
  }
  if (code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT') {
    return failure('maybe', `${origin} stayed silent for too long`)
  }
  return failure('maybe', `the connection to ${origin} was lost (${code ?? messageOf(error)})`)
}

/** Whether the same request could fare better a moment later. */
export function isPassing(code: string | undefined): boolean {
  if (code === undefined) return true
  return !(finalCodes.has(code) || isCertificateCode(code))
}

/** Whether no connection was made to where the base URL leads, for no reason but that. */
export function isNotReached({
  sent,
  code,
}: Pick<TransportFailure, 'sent'> & { code: string | undefined }): boolean {
  return sent === 'no' && code !== undefined && (code === 'ENOTFOUND' || isPassing(code))
}

const finalCodes = new Set([
  'ENOTFOUND',
  // Each repetition would hold the command as long again.
  'ERR_TOO_SLOW',
  'UND_ERR_ABORTED',
  'UND_ERR_CLOSED',
  'UND_ERR_DESTROYED',
  'UND_ERR_INVALID_ARG',
  'UND_ERR_PRX_TLS',
])

const connectCodes = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

function isConnectFailure(error: unknown, code: string | undefined): boolean {
  if (code !== undefined && connectCodes.has(code)) return true
  return error instanceof Error && 'syscall' in error && error.syscall === 'connect'
}

/** Our own signals are looked at before; what else aborts a request is a proxy that refuses its tunnel. */
function isProxyRefusal(error: unknown): boolean {
  const code = codeOf(error)
  return (
    code === 'UND_ERR_PRX_TLS' || (code === 'UND_ERR_ABORTED' && /^Proxy response/.test(messageOf(error)))
  )
}

function isCertificateCode(code: string): boolean {
  return /^(CERT_|DEPTH_ZERO_|ERR_TLS_|ERR_SSL_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH)/.test(code)
}

/** Several addresses may have been tried; what the first one said stands for all. */
function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  if ('code' in error && typeof error.code === 'string') return error.code
  return error instanceof AggregateError ? codeOf(error.errors[0]) : undefined
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
