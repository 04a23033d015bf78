import { definedMembers } from '../../model/json/defined-members.ts'
import { escapeText } from '../../model/text/escape-text.ts'
import type { RequestEvent } from './send.ts'

/** One request that was sent, on one line: `GET /api/projects/1/feature_flags?limit 200 12 ms 3402 bytes`. */
export function requestText(event: RequestEvent): string {
  const { method, path, queryNames, status, failure, elapsedMs, bytes, attempt, retryInMs, requestId } = event
  const query = queryNames.length === 0 ? '' : `?${queryNames.join('&')}`
  return [
    `${method} ${escapeText(path + query)}`,
    ...(status === undefined ? [] : [String(status)]),
    ...(failure === undefined ? [] : [failure]),
    `${Math.round(elapsedMs)} ms`,
    ...(bytes === undefined ? [] : [`${bytes} bytes`]),
    ...(attempt === 1 ? [] : [`attempt ${attempt}`]),
    ...(retryInMs === undefined ? [] : [`again in ${Math.round(retryInMs)} ms`]),
    ...(requestId === undefined ? [] : [`request id ${escapeText(requestId.slice(0, longestId))}`]),
  ].join(' ')
}

/** The same for programs, by the names of a log line. */
export function requestFields(event: RequestEvent) {
  const { method, path, queryNames, status, failure, elapsedMs, bytes, attempt, retryInMs, requestId } = event
  return definedMembers({
    method,
    path,
    query: queryNames,
    status,
    error: failure,
    duration_ms: Math.round(elapsedMs),
    bytes,
    attempt,
    retry_in_ms: retryInMs === undefined ? undefined : Math.round(retryInMs),
    request_id: requestId?.slice(0, longestId),
  })
}

/** A name of a request is a UUID or the like; anything longer is something else. */
const longestId = 100
