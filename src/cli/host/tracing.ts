import { AsyncLocalStorage } from 'node:async_hooks'
import type { Context, Span as OtelSpan } from '@opentelemetry/api'
import type { SpanExporter } from '@opentelemetry/sdk-trace-base'
import type { Runtime } from '../../model/runtime/runtime.ts'
import type { SpanAttributes, Tracer } from '../../model/runtime/tracer.ts'
import { version } from '../../model/version.ts'
import type { Document } from '../../report/document.ts'
import { type ExitCode, exitCode } from './exit-code.ts'
import type { Host } from './host.ts'

/** How long spans may take to be delivered, in milliseconds, where no variable says so; and at most. */
const usualWaitMs = 500
const longestWaitMs = 2000

/**
 * How long a command waits at its end for its spans to be delivered, in milliseconds: what the usual variables allow for
 * an export, but never longer than people like to wait for something that they have not asked for.
 */
export function waitForTraces(env: Host['env']): number {
  const given = Number(env.OTEL_EXPORTER_OTLP_TRACES_TIMEOUT || env.OTEL_EXPORTER_OTLP_TIMEOUT)
  return given > 0 ? Math.min(given, longestWaitMs) : usualWaitMs
}

/**
 * Runs a command as a span, with all that it does below it. What it tells and how it ends is the same with and without:
 * where a package is missing or the spans cannot be delivered, one line says so.
 */
export async function traced(host: Host, run: (host: Host) => Promise<ExitCode>): Promise<ExitCode> {
  const opened = await openTraces(host).catch(sayWhyNot(host))
  if (!opened) return run(host)
  const { tracer, close } = opened
  const runtime = withTracer(host.runtime, tracer)
  try {
    return await tracer.within(`vexil ${commandIn(host)}`.trim(), {}, async span => {
      const code = await run({ ...host, runtime, onTold: document => span.set(countsOf(document)) })
      span.set({ 'vexil.exit_code': code })
      if (!well.includes(code)) span.fail(String(code))
      return code
    })
  } finally {
    const failure = await close()
    if (failure !== undefined) host.log.warn(`the traces of this command were not delivered: ${failure}`)
  }
}

/** What a command ends with that has done what it is for. */
const well: readonly ExitCode[] = [exitCode.done, exitCode.changes, exitCode.drift]

interface OpenTraces {
  readonly tracer: Tracer
  /** Delivers what there is; answers with why it could not. */
  close(): Promise<string | undefined>
}

async function openTraces(host: Host): Promise<OpenTraces> {
  const [api, { BasicTracerProvider, BatchSpanProcessor }, resources, exporter] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace-base'),
    import('@opentelemetry/resources'),
    openExporter(host.env),
  ])
  const waitMs = waitForTraces(host.env)
  const own = resources.resourceFromAttributes({ 'service.name': 'vexil', 'service.version': version })
  // OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES; nothing of the command line, which may name people.
  const told = resources.detectResources({ detectors: [resources.envDetector] })
  const watched = watching(exporter)
  const provider = new BasicTracerProvider({
    resource: own.merge(told),
    spanProcessors: [new BatchSpanProcessor(watched.exporter)],
  })
  const otel = provider.getTracer('vexil', version)
  const current = new AsyncLocalStorage<Context>()
  const outermost = parentIn(host.env.TRACEPARENT, api)
  const clean = (attributes: SpanAttributes = {}) => hidden(attributes, host)
  const tracer: Tracer = {
    within(name, { isClient = false, attributes }, run) {
      const kind = isClient ? api.SpanKind.CLIENT : api.SpanKind.INTERNAL
      const parent = current.getStore() ?? outermost
      const span = otel.startSpan(host.secrets.hide(name), { kind, attributes: clean(attributes) }, parent)
      return current.run(api.trace.setSpan(parent, span), () =>
        ended(span, () =>
          run({
            set: more => void span.setAttributes(clean(more)),
            fail(type) {
              span.setAttributes({ 'error.type': host.secrets.hide(type) })
              span.setStatus({ code: api.SpanStatusCode.ERROR })
            },
          }),
        ),
      )
    },
  }
  return {
    tracer,
    async close() {
      const waiting = new AbortController()
      const late = host.runtime.sleep(waitMs, waiting.signal).then(
        () => true,
        () => false,
      )
      const isLate = await Promise.race([
        provider.shutdown().then(
          () => false,
          () => false,
        ),
        late,
      ])
      waiting.abort()
      // What is still under way would hold the process for as long as the exporter tries.
      if (isLate) host.onLeftOver?.()
      return isLate ? `no answer within ${waitMs / 1000} seconds` : watched.failure()
    },
  }
}

async function ended<T>(span: OtelSpan, run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } finally {
    span.end()
  }
}

/** By OTEL_EXPORTER_OTLP_PROTOCOL; where to and with which headers the exporter itself reads from the environment. */
async function openExporter(env: Host['env']): Promise<SpanExporter> {
  const protocol =
    env.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL || env.OTEL_EXPORTER_OTLP_PROTOCOL || 'http/protobuf'
  // Sending again begins after 0.8 seconds, so within the usual time a receiver that is down is given up at once.
  const options = { timeoutMillis: waitForTraces(env) }
  switch (protocol) {
    case 'http/protobuf':
      return new (await import('@opentelemetry/exporter-trace-otlp-proto')).OTLPTraceExporter(options)
    case 'http/json':
      return new (await import('@opentelemetry/exporter-trace-otlp-http')).OTLPTraceExporter(options)
    default:
      throw new Error(`the protocol "${protocol}" is not known here; there are http/protobuf and http/json`)
  }
}

/** The exporter says only to those who listen that it could not deliver something. */
function watching(inner: SpanExporter) {
  let failure: string | undefined
  const exporter: SpanExporter = {
    export: (spans, done) =>
      inner.export(spans, result => {
        if (result.error) failure = result.error.message
        done(result)
      }),
    shutdown: () => inner.shutdown(),
    forceFlush: () => inner.forceFlush?.() ?? Promise.resolve(),
  }
  return { exporter, failure: () => failure }
}

/** The span of a pipeline, where it names one as W3C writes it. */
function parentIn(text: string | undefined, api: typeof import('@opentelemetry/api')): Context {
  const [, traceId = '', spanId = '', flags = ''] =
    /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(text?.trim() ?? '') ?? []
  const parent = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) || 0, isRemote: true }
  if (!api.isSpanContextValid(parent)) return api.ROOT_CONTEXT
  return api.trace.setSpanContext(api.ROOT_CONTEXT, parent)
}

function withTracer(runtime: Runtime, tracer: Tracer): Runtime {
  return {
    now: () => runtime.now(),
    sleep: (ms, signal) => runtime.sleep(ms, signal),
    random: () => runtime.random(),
    uniqueId: () => runtime.uniqueId(),
    tracer,
  }
}

/** The first words that are no options: what follows may name anything. */
function commandIn({ arguments: given }: Host): string {
  return /^[a-z-]+$/.test(given[0] ?? '') && !given[0]?.startsWith('-') ? (given[0] ?? '') : ''
}

function countsOf(document: Document): SpanAttributes {
  const environment =
    'meta' in document && document.meta && 'environment' in document.meta
      ? { 'vexil.environment': document.meta.environment }
      : {}
  if (!('plan' in document)) return environment
  const { changes, blocked, liveEdits } = document.plan
  return {
    ...environment,
    'vexil.changes': changes.length,
    'vexil.blocked': blocked.length,
    'vexil.live_edits': liveEdits.length,
  }
}

function hidden(attributes: SpanAttributes, { secrets }: Host) {
  const entries = Object.entries(attributes).filter(([, value]) => value !== undefined)
  return Object.fromEntries(
    entries.map(([name, value]) => [name, typeof value === 'string' ? secrets.hide(value) : value]),
  )
}

/** The packages are optional: few want traces, and they are larger than all the rest. */
function sayWhyNot(host: Host): (error: unknown) => undefined {
  return error => {
    const isMissing = error instanceof Error && 'code' in error && missing.has(String(error.code))
    const why = error instanceof Error ? error.message : String(error)
    host.log.warn(
      isMissing
        ? 'no traces: install what they take beside vexil: npm install @opentelemetry/api @opentelemetry/sdk-trace-base@2 @opentelemetry/resources@2 "@opentelemetry/exporter-trace-otlp-proto@<0.300"'
        : `no traces: ${why}`,
    )
  }
}

const missing: ReadonlySet<string> = new Set(['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND'])
