import type { Secrets } from '../../api/index.ts'
import type { Runtime } from '../../model/runtime.ts'
import { diagnosticsFrom, messageOf } from '../diagnostic.ts'
import type { Logger } from '../serve/logger.ts'
import { decodeMessage } from '../wire/decode.ts'
import { encodeMessage } from '../wire/encode.ts'
import {
  type Draft,
  type EventName,
  eventName,
  type ResponseName,
  type RpcName,
  requestName,
  responseName,
  type StreamName,
} from '../wire/messages.ts'
import { encodeEventWithoutKey, encodeWithoutKey, hideTexts } from './answer-without-key.ts'
import { diagnosticsToWire } from './diagnostic-to-wire.ts'
import type { Handlers, StreamHandlers } from './handlers.ts'

/** The calls of a provider, from bytes to bytes. */
export interface Calls {
  readonly names: readonly RpcName[]
  /** Never fails: what goes wrong is in the answer. */
  answer(name: RpcName, request: Uint8Array): Promise<Buffer>
  readonly streamNames: readonly StreamName[]
  /** The same in any number of messages, each made when it is taken. `gone`: nobody takes any more. */
  events(name: StreamName, request: Uint8Array, gone: AbortSignal): AsyncIterable<Buffer>
  /** Resolves when no call is under way. */
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
    // Each answer has the members in which it says what went wrong.
    const failed = hideTexts(failure(name, error), secrets) as Draft<ResponseName<Rpc>>
    return encodeMessage(response, failed)
  } finally {
    logger.trace('answered', { rpc: name, ms: runtime.now() - startMs })
  }
}

/** What goes wrong with one event is the last one. */
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
    // Each event has the member in which it says what went wrong.
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

/** How each answer says that something went wrong. */
function failure(name: RpcName, error: unknown): object {
  if (name === 'StopProvider') return { Error: messageOf(error) }
  if (name === 'CallFunction') return { error: { text: messageOf(error) } }
  return { diagnostics: diagnosticsToWire(diagnosticsFrom(error)) }
}
