import type { Secrets } from '../../api/index.ts'
import type { Runtime } from '../../model/runtime.ts'
import { messageOf } from '../../model/text/message-of.ts'
import { type Diagnostic, DiagnosticError, diagnosticsFrom, errorDiagnostic } from '../provider.ts'
import { decodeMessage, encodeMessage } from './codec.ts'
import type { Handlers, StreamHandlers } from './handlers.ts'
import type { Logger } from './logger.ts'
import {
  type Draft,
  type EventName,
  eventName,
  type ResponseName,
  type RpcName,
  requestName,
  responseName,
  type StreamName,
} from './messages.ts'
import { diagnosticsToWire } from './to-wire.ts'

/** The calls of a provider, with encoded requests and answers. */
export interface Calls {
  readonly names: readonly RpcName[]
  /** Never rejects: an error is part of the answer. */
  answer(name: RpcName, request: Uint8Array): Promise<Buffer>
  readonly streamNames: readonly StreamName[]
  /** A call with any number of events, each created on demand. `gone`: the caller has stopped reading. */
  events(name: StreamName, request: Uint8Array, gone: AbortSignal): AsyncIterable<Buffer>
  /** Resolves when no call is running. */
  settled(): Promise<void>
}

interface Surroundings {
  readonly logger: Logger
  readonly runtime: Runtime
  readonly secrets: Secrets
}

export function answerCalls(
  handlers: Handlers,
  surroundings: Surroundings,
  streams: StreamHandlers = {},
): Calls {
  const underWay = new Set<Promise<unknown>>()
  return {
    // The handlers are keyed by the names of calls.
    names: Object.keys(handlers) as RpcName[],
    answer(name, request) {
      const answer = answerCall(handlers, name, request, surroundings)
      underWay.add(answer)
      return answer.finally(() => underWay.delete(answer))
    },
    streamNames: Object.keys(streams) as StreamName[],
    async *events(name, request, gone) {
      const { promise, resolve } = withResolvers()
      underWay.add(promise)
      try {
        yield* eventsOf(streams, name, request, gone, surroundings)
      } finally {
        underWay.delete(promise)
        resolve()
      }
    },
    async settled() {
      while (underWay.size > 0) await Promise.all(underWay)
    },
  }
}

async function answerCall<Rpc extends RpcName>(
  handlers: Handlers,
  name: Rpc,
  request: Uint8Array,
  { logger, runtime, secrets }: Surroundings,
): Promise<Buffer> {
  const startMs = runtime.now()
  const response = responseName(name)
  try {
    const asked = decodeMessage(requestName(name), request)
    const answer = await handlers[name]?.(asked)
    if (!answer) throw new Error(`the provider does not answer "${name}"`)
    return encodeWithoutKey(name, answer, secrets)
  } catch (error) {
    logger.error(messageOf(error), { rpc: name, stack: (error instanceof Error && error.stack) || null })
    // Every answer has members for errors.
    const failed = hideTexts(failure(name, error), secrets) as Draft<ResponseName<Rpc>>
    return encodeMessage(response, failed)
  } finally {
    logger.trace('answered', { rpc: name, ms: runtime.now() - startMs })
  }
}

/** After an event that fails there are no more events. */
async function* eventsOf<Rpc extends StreamName>(
  streams: StreamHandlers,
  name: Rpc,
  request: Uint8Array,
  gone: AbortSignal,
  { logger, runtime, secrets }: Surroundings,
): AsyncGenerator<Buffer> {
  const startMs = runtime.now()
  const event = eventName(name)
  try {
    const events = streams[name]?.(decodeMessage(requestName(name), request), gone)
    if (!events) throw new Error(`the provider does not answer "${name}"`)
    for await (const each of events) yield encodeEventWithoutKey(event, each, secrets)
  } catch (error) {
    logger.error(messageOf(error), { rpc: name, stack: (error instanceof Error && error.stack) || null })
    const diagnostic = diagnosticsToWire(diagnosticsFrom(error))
    // Every event has a member for errors.
    yield encodeMessage(event, hideTexts({ diagnostic }, secrets) as Draft<EventName<Rpc>>)
  } finally {
    logger.trace('answered', { rpc: name, ms: runtime.now() - startMs })
  }
}

function withResolvers(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = () => {}
  const promise = new Promise<void>(done => {
    resolve = done
  })
  return { promise, resolve }
}

function failure(name: RpcName, error: unknown): object {
  if (name === 'StopProvider') return { Error: messageOf(error) }
  if (name === 'CallFunction') return { error: { text: messageOf(error) } }
  return { diagnostics: diagnosticsToWire(diagnosticsFrom(error)) }
}

/**
 * Encodes an answer so that it contains no key in clear text. Terraform stores values in its state and in
 * plan files, and prints them.
 *
 * | a key is in                         | the answer                                                              |
 * |-------------------------------------|-------------------------------------------------------------------------|
 * | a diagnostic                        | has a mark instead of the key                                           |
 * | a value that was read or is planned | is an error: a mark would be a value, and a difference for ever         |
 * | a value that was applied            | has the key overwritten, with a warning: the object exists and is kept; |
 * |                                     | the next refresh ends in the error above                                |
 */
function encodeWithoutKey<Rpc extends RpcName>(
  name: Rpc,
  answer: Draft<ResponseName<Rpc>>,
  secrets: Secrets,
): Buffer {
  const response = responseName(name)
  const shown = hideTexts(answer, secrets)
  const bytes = encodeMessage(response, shown)
  if (!secrets.isIn(bytes.toString('latin1'))) return bytes
  if (name !== 'ApplyResourceChange') throw new DiagnosticError(errorDiagnostic(summary, remedy))
  const before = 'diagnostics' in shown && Array.isArray(shown.diagnostics) ? shown.diagnostics : []
  const diagnostics = [...before, ...diagnosticsToWire([warning])]
  return Buffer.from(secrets.overwrite(encodeMessage(response, { ...shown, diagnostics })))
}

/** Encodes an event without any key in clear text. A value with a key was read, so it is an error. */
function encodeEventWithoutKey<Rpc extends StreamName>(
  event: EventName<Rpc>,
  draft: Draft<EventName<Rpc>>,
  secrets: Secrets,
): Buffer {
  const bytes = encodeMessage(event, hideTexts(draft, secrets))
  if (secrets.isIn(bytes.toString('latin1'))) throw new DiagnosticError(errorDiagnostic(summary, remedy))
  return bytes
}

/** Removes all keys from an answer's texts for people. */
function hideTexts<Answer extends object>(answer: Answer, secrets: Secrets): Answer {
  const hasTexts = Object.entries(answer).some(([name, member]) => texts.has(name) && !isEmptyList(member))
  if (!hasTexts) return answer
  const hidden = Object.entries(answer).map(([name, member]) =>
    texts.has(name) ? [name, hideIn(member, secrets)] : [name, member],
  )
  return Object.fromEntries(hidden)
}

/** The members of answers that contain only texts for people. */
const texts = new Set(['diagnostics', 'diagnostic', 'Error', 'error'])

function isEmptyList(value: unknown): boolean {
  return value === undefined || (Array.isArray(value) && value.length === 0)
}

function hideIn(value: unknown, secrets: Secrets): unknown {
  if (typeof value === 'string') return secrets.hide(value)
  if (Array.isArray(value)) return value.map(each => hideIn(each, secrets))
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, hideIn(member, secrets)]))
}

const summary = "a value contains the service's key in clear text"
const remedy =
  'Terraform would store the key in its state. Create a new key, because this one is exposed in the value, or remove it from the value.'
const warning: Diagnostic = { severity: 'warning', summary, detail: remedy }
