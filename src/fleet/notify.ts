import { isLoopbackHost } from '../api/base-url.ts'
import { openDispatcher, type ProxyEnvironment } from '../api/connection.ts'
import { explainFailure, isPassing } from '../api/errors.ts'
import { parseRetryAfter } from '../api/operation.ts'
import type { Redact } from '../api/redact.ts'
import type { NotificationFormat, NotifiedState } from '../model/connection.ts'
import type { Runtime } from '../model/runtime.ts'
import { definedMembers } from '../model/text/defined-members.ts'
import type { JsonObject } from '../model/text/json.ts'
import { writeJson } from '../model/text/json-text.ts'
import { escapeText } from '../model/text/printable.ts'
import { version } from '../model/version.ts'
import type { ObjectOf } from '../schema/json-schema.ts'
import type { notificationMembers } from '../schema/run-schemas.ts'

/** A state of an environment has begun or ended. */
export interface StateChange {
  readonly environment: string
  readonly state: NotifiedState
  readonly is: 'begun' | 'ended'
  readonly atMs: number
  readonly objects: number
  readonly reason?: string
  readonly commit?: string
  /** The service, and the project or organization, for people. */
  readonly place: string
}

/** Slack accepts only its own form. */
export function defaultFormat(url: string): NotificationFormat {
  return URL.canParse(url) && new URL(url).hostname === 'hooks.slack.com' ? 'slack' : 'json'
}

/** The message about a change, as the body of a request. */
export function notification(change: StateChange, format: NotificationFormat): JsonObject {
  if (format === 'slack') return { text: escapeForSlack(escapeText(summarizeChange(change))) }
  const { environment, state, is, atMs, objects, reason, commit, place } = change
  const members: ObjectOf<typeof notificationMembers> = {
    format_version: '1.0',
    ...{ environment, state, is, at: new Date(atMs).toISOString(), objects, reason, commit, place },
  }
  return definedMembers(members)
}

/** `production: drift in 2 objects (project 1 at https://flags.example.com, commit 0a1b2c3d4e)`. */
function summarizeChange({ environment, place, commit, reason, ...change }: StateChange): string {
  const where = commit === undefined ? place : `${place}, commit ${commit.slice(0, 10)}`
  return `${environment}: ${describeState(change)} (${where})${reason === undefined ? '' : `: ${reason}`}`
}

function describeState({ state, is, objects }: Pick<StateChange, 'state' | 'is' | 'objects'>): string {
  const hasEnded = is === 'ended'
  if (state === 'failed') return hasEnded ? 'no longer fails' : 'failed'
  return hasEnded ? `no more ${state}` : `${state} in ${objects} object${objects === 1 ? '' : 's'}`
}

/** Slack reads these three characters as the beginning of links and mentions. */
function escapeForSlack(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

export interface SendOptions {
  readonly url: string
  readonly body: JsonObject
  readonly runtime: Runtime
  /** Removes keys from the body: a reason may quote the service. */
  readonly hide: Redact
  /** Ends the wait for another attempt. A message on its way is not cut off. */
  readonly signal?: AbortSignal | undefined
  readonly proxyEnvironment?: ProxyEnvironment
}

const attempts = 3
/** To connect, and then for the answer: ten seconds together. */
const timeoutMs = 5_000
const longestWaitMs = 60_000
const usualWaitMs = 1_000

/** The result of one attempt. Only a message that was certainly not accepted may be sent again. */
type Sent =
  | { readonly is: 'delivered' }
  | { readonly is: 'failed'; readonly why: string; readonly waitMs?: number | undefined }

/**
 * Sends a message to a webhook. Never throws; returns a warning if the message may not have arrived. The
 * warning has no part of the address, which is a secret.
 *
 * | result                                       | sent again, up to three times       |
 * |----------------------------------------------|-------------------------------------|
 * | any 2xx                                      | no, it has arrived                  |
 * | no connection                                | after 1 s                           |
 * | 429, 503                                     | after `Retry-After` (at most 60 s)  |
 * | connection lost, no answer, any other status | no, it may have arrived             |
 */
export async function sendNotification(options: SendOptions): Promise<string | undefined> {
  const { url, runtime, signal, proxyEnvironment } = options
  if (!URL.canParse(url)) return warning('its address is not valid')
  const { origin, hostname } = new URL(url)
  try {
    const base = { origin, hostname, prefix: '', isLoopback: isLoopbackHost(hostname) }
    const connections = { parallelism: 1, connectTimeoutMs: timeoutMs, proxyEnvironment }
    const dispatcher = openDispatcher(base, connections)
    try {
      for (let attempt = 1; ; attempt++) {
        const sent = await sendOnce(options, dispatcher)
        if (sent.is === 'delivered') return undefined
        if (attempt === attempts || sent.waitMs === undefined) return warning(sent.why)
        await runtime.sleep(sent.waitMs, signal)
      }
    } finally {
      await dispatcher.close().catch(() => undefined)
    }
  } catch {
    // The errors of a connection name its host.
    return warning(signal?.aborted ? 'it was stopped' : 'the connection cannot be opened')
  }
}

async function sendOnce(
  { url, body, hide, runtime }: SendOptions,
  dispatcher: Pick<ReturnType<typeof openDispatcher>, 'request'>,
): Promise<Sent> {
  const { origin, pathname, search } = new URL(url)
  try {
    const {
      statusCode,
      headers,
      body: answer,
    } = await dispatcher.request({
      origin,
      path: pathname + search,
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': `vexil/${version}` },
      body: hide(writeJson(body)),
      signal: null,
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
    })
    // Only the status counts. Its end is an error for whoever listens.
    answer.on('error', () => {}).destroy()
    if (statusCode >= 200 && statusCode < 300) return { is: 'delivered' }
    const why = `the webhook answered ${statusCode}`
    if (statusCode !== 429 && statusCode !== 503) return { is: 'failed', why }
    const given = headers['retry-after']
    const waitMs = parseRetryAfter(String(given ?? ''), runtime.now()) ?? usualWaitMs
    return { is: 'failed', why, waitMs: waitMs > longestWaitMs ? undefined : waitMs }
  } catch (error) {
    const { sent, code = 'no code' } = explainFailure(error, origin)
    if (sent === 'maybe')
      return { is: 'failed', why: `the webhook gave no answer (${code}); the message may have arrived` }
    const waitMs = isPassing(code) ? usualWaitMs : undefined
    return { is: 'failed', why: `no connection to the webhook (${code})`, waitMs }
  }
}

function warning(why: string): string {
  return `a notification was not confirmed: ${why}`
}
