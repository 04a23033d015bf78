import type { Span as OtelSpan } from '@opentelemetry/api'
import type { Runtime, SpanAttributes, Tracer } from '../../model/runtime.ts'
import { version } from '../../model/version.ts'
import type { Document } from '../../report/document.ts'
import { type ExitCode, exitCode } from './exit-code.ts'
import type { Host } from './host.ts'

type Api = typeof import('@opentelemetry/api')

/** Runs a command as a span, with its steps as child spans; the calling program exports them. */
export async function traced(host: Host, run: (host: Host) => Promise<ExitCode>): Promise<ExitCode> {
  const api = await import('@opentelemetry/api').catch(() => undefined)
  if (!api) {
    host.log.warn('no traces: install @opentelemetry/api beside vexil')
    return run(host)
  }
  const tracer = tracerOf(api, host)
  const runtime = withTracer(host.runtime, tracer)
  // A pipeline passes its own span in this variable.
  const parent = api.propagation.extract(api.context.active(), { traceparent: host.env.TRACEPARENT })
  return api.context.with(parent, () =>
    tracer.within(`vexil ${commandIn(host)}`.trim(), {}, async span => {
      const code = await run({ ...host, runtime, onDocument: document => span.set(countsOf(document)) })
      span.set({ 'vexil.exit_code': code })
      if (!well.includes(code)) span.fail(String(code))
      return code
    }),
  )
}

/** The exit codes of successful commands. */
const well: readonly ExitCode[] = [exitCode.done, exitCode.changes, exitCode.drift]

function tracerOf(api: Api, host: Host): Tracer {
  const otel = api.trace.getTracer('vexil', version)
  const clean = (attributes: SpanAttributes = {}) => hidden(attributes, host)
  return {
    within(name, { isClient = false, isRoot: root = false, attributes }, run) {
      const kind = isClient ? api.SpanKind.CLIENT : api.SpanKind.INTERNAL
      return otel.startActiveSpan(
        host.secrets.hide(name),
        { kind, root, attributes: clean(attributes) },
        span =>
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
}

async function ended<T>(span: OtelSpan, run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } finally {
    span.end()
  }
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

/** The name of the command: the first words that are not options. */
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
