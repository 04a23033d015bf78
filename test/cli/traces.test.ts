import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-node'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { realRuntime } from '../../src/core/real-runtime.ts'
import { canary, canaryFiles } from '../support/canaries.ts'
import { useWorkspace } from '../support/workspace.ts'

const key = 'phx_key_of_the_traces'
const workspace = useWorkspace(undefined, { apiKey: key })
const { vexil, service, write } = workspace

const exporter = new InMemorySpanExporter()
beforeAll(() => new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }).register())
beforeEach(() => exporter.reset())
afterAll(() => {
  trace.disable()
  context.disable()
  propagation.disable()
})

const spans = () => exporter.getFinishedSpans()
/** All that an exporter may send. */
const raw = () =>
  JSON.stringify(
    spans().map(({ name, attributes, status, events, resource }) => [
      name,
      attributes,
      status,
      events,
      resource.attributes,
    ]),
  )

const host = { isTraced: true, runtime: realRuntime }

describe('traces', () => {
  it('hold nothing of what is hidden', async () => {
    await write(canaryFiles('live', 'redact: [payloads, descriptions, values]\n'))
    for (const line of ['apply --auto-approve', 'plan', 'compare', 'history', 'validate'])
      await vexil(line, { host })
    expect(spans().length).toBeGreaterThan(10)
    expect(raw()).not.toContain(canary)
  })

  it.each([
    ['plan', ['read declarations', 'plan'], [], 0],
    ['plan --show-unchanged --detailed-exitcode', ['read declarations', 'plan'], [], 2],
    ['apply --auto-approve', ['read declarations', 'plan', 'apply'], [], 0],
    ['drift', ['read declarations', 'plan'], [], 6],
    ['apply --auto-approve', ['read declarations', 'plan', 'apply'], ['POST /* status=500 times=1000'], 1],
    ['plan', ['read declarations', 'plan'], ['GET /* nth=1 status=429'], 0],
    ['plan', ['read declarations', 'plan'], ['GET /* times=1000 reset_before'], 1],
    ['plan', ['read declarations', 'plan'], ['GET /* times=1000 status=403'], undefined],
  ])('of %s have each request below a phase: %o, %o', async (line, phases, faults, code) => {
    service.faults(...faults)
    const runtime = {
      ...realRuntime,
      sleep: async (ms: number, signal?: AbortSignal) => realRuntime.sleep(Math.min(ms, 20), signal),
    }
    const { result, requests } = await service.watch(() => vexil(line, { host: { ...host, runtime } }))
    if (code !== undefined) expect(result.code, result.stderr).toBe(code)
    expect(result.stderr).not.toContain('traces')
    const all = spans()
    const byId = new Map(all.map(span => [span.spanContext().spanId, span]))
    const above = (span: ReadableSpan): ReadableSpan[] => {
      const parent = byId.get(span.parentSpanContext?.spanId ?? '')
      return parent === undefined ? [] : [parent, ...above(parent)]
    }
    const roots = all.filter(span => !span.parentSpanContext)
    expect(roots.map(({ name }) => name)).toEqual([`vexil ${line.split(' ')[0]}`])
    expect(roots[0]?.attributes['vexil.exit_code']).toBe(result.code)
    expect(new Set(all.map(span => span.spanContext().traceId)).size).toBe(1)
    const sent = all.filter(({ kind }) => kind === SpanKind.CLIENT)
    expect(
      sent.map(({ attributes }) => `${attributes['http.request.method']} ${attributes['url.path']}`).sort(),
    ).toEqual([...requests].sort())
    for (const span of sent) {
      expect(
        above(span).some(({ name }) => phases.includes(name)),
        span.name,
      ).toBe(true)
      expect(span.attributes['server.address']).toBe('127.0.0.1')
      const status = span.attributes['http.response.status_code']
      const isWell = typeof status === 'number' && status < 400
      expect(span.status.code === SpanStatusCode.ERROR, span.name).toBe(!isWell)
      if (!isWell) expect(span.attributes['error.type']).toBe(String(status ?? 'ECONNRESET'))
    }
    if (phases.includes('apply')) {
      const changes = all.filter(span => span.attributes['vexil.address'] !== undefined)
      expect(changes.map(span => span.attributes['vexil.outcome'])).toContain(code === 0 ? 'done' : 'failed')
      for (const span of changes) expect(above(span)[0]?.name).toBe('apply')
    }
    expect(raw()).not.toContain(key)
    expect(raw()).not.toContain('limit=')
  })

  it('are children of the span of a pipeline', async () => {
    const env = { ...service.env, TRACEPARENT: `00-${'ab'.repeat(16)}-${'cd'.repeat(8)}-01` }
    await vexil('plan', { env, host })
    expect(new Set(spans().map(span => span.spanContext().traceId))).toEqual(new Set(['ab'.repeat(16)]))
    const command = spans().find(({ name }) => name === 'vexil plan')
    expect(command?.parentSpanContext?.spanId).toBe('cd'.repeat(8))
  })

  it('begin a trace of their own where TRACEPARENT is none', async () => {
    await vexil('plan', { env: { ...service.env, TRACEPARENT: 'nonsense' }, host })
    const roots = spans().filter(({ parentSpanContext }) => !parentSpanContext)
    expect(roots.map(({ name }) => name)).toEqual(['vexil plan'])
  })

  it('are none where no program has registered OpenTelemetry', async () => {
    await vexil('plan', { host: { runtime: realRuntime } })
    expect(spans()).toEqual([])
  })
})
