import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { waitForTraces } from '../../src/cli/host/tracing.ts'
import { realRuntime } from '../../src/core/real-runtime.ts'
import { canary, canaryFiles } from '../support/canaries.ts'
import { useWorkspace } from '../support/workspace.ts'

const key = 'phx_key_of_the_traces'
const workspace = useWorkspace(undefined, { apiKey: key })

interface Span {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly endTimeUnixNano: string
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[]
  readonly status: { readonly code?: number }
}

interface Received {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: Span['attributes'] }
    readonly scopeSpans: readonly { readonly spans: readonly Span[] }[]
  }[]
}

/** The kind of a span that waits for another system. */
const client = 3

let server: Server
let bodies: string[] = []
let types: (string | undefined)[] = []
/** What the receiver does with what it gets. */
let answer: 'well' | 'never' | 'no' | 'later'

beforeEach(async () => {
  bodies = []
  types = []
  answer = 'well'
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    bodies.push(Buffer.concat(chunks).toString('latin1'))
    types.push(request.headers['content-type'])
    if (answer === 'never') return
    response
      .writeHead({ well: 200, no: 400, later: 503 }[answer], { 'content-type': 'application/json' })
      .end('{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})

afterEach(() => {
  vi.unstubAllEnvs()
  server.closeAllConnections()
  server.close()
})

/** The variables of OpenTelemetry, which its own packages read from the process. */
function telemetry(more: Readonly<Record<string, string>> = {}): Record<string, string> {
  const { port } = server.address() as AddressInfo
  const variables = {
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_EXPORTER_OTLP_COMPRESSION: 'none',
    ...more,
  }
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value)
  return { ...workspace().service.env, ...variables }
}

const received = (): Received['resourceSpans'][number][] =>
  bodies.flatMap(body => (JSON.parse(body) as Received).resourceSpans)
const spans = (): Span[] => received().flatMap(({ scopeSpans }) => scopeSpans.flatMap(each => each.spans))

function attribute(span: Pick<Span, 'attributes'>, name: string): unknown {
  const found = span.attributes.find(each => each.key === name)
  const [value] = Object.values(found?.value ?? {})
  return typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value
}

const host = { runtime: realRuntime }

describe('traces', () => {
  it('hold nothing of what is hidden', async () => {
    const { vexil, write } = workspace()
    await write(canaryFiles('live', 'redact: [payloads, descriptions, values]\n'))
    for (const line of ['apply --auto-approve', 'plan', 'compare', 'history', 'validate'])
      await vexil(line, { env: telemetry(), host })
    expect(spans().length).toBeGreaterThan(10)
    expect(bodies.join()).not.toContain(canary)
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
    const { vexil, service } = workspace()
    service.faults(...faults)
    const runtime = {
      ...realRuntime,
      sleep: async (ms: number, signal?: AbortSignal) =>
        realRuntime.sleep(ms === waitForTraces({}) ? ms : Math.min(ms, 20), signal),
    }
    const { result, requests } = await service.watch(() =>
      vexil(line, { env: telemetry(), host: { runtime } }),
    )
    if (code !== undefined) expect(result.code, result.stderr).toBe(code)
    expect(result.stderr).not.toContain('traces')
    const all = spans()
    const byId = new Map(all.map(span => [span.spanId, span]))
    const above = (span: Span): Span[] => {
      const parent = byId.get(span.parentSpanId ?? '')
      return parent === undefined ? [] : [parent, ...above(parent)]
    }
    const roots = all.filter(span => !span.parentSpanId)
    expect(roots.map(({ name }) => name)).toEqual([`vexil ${line.split(' ')[0]}`])
    expect(attribute(roots[0]!, 'vexil.exit_code')).toBe(result.code)
    expect(new Set(all.map(({ traceId }) => traceId)).size).toBe(1)
    for (const span of all) expect(Number(span.endTimeUnixNano), span.name).toBeGreaterThan(0)
    const sent = all.filter(({ kind }) => kind === client)
    expect(
      sent.map(span => `${attribute(span, 'http.request.method')} ${attribute(span, 'url.path')}`).sort(),
    ).toEqual([...requests].sort())
    for (const span of sent) {
      expect(
        above(span).some(({ name }) => phases.includes(name)),
        span.name,
      ).toBe(true)
      expect(attribute(span, 'server.address')).toBe('127.0.0.1')
      const status = attribute(span, 'http.response.status_code')
      const isWell = typeof status === 'number' && status < 400
      expect(span.status.code === 2, span.name).toBe(!isWell)
      if (!isWell) expect(attribute(span, 'error.type')).toBe(status === undefined ? 'ECONNRESET' : status)
    }
    if (phases.includes('apply')) {
      const changes = all.filter(span => attribute(span, 'vexil.address') !== undefined)
      expect(changes.map(span => attribute(span, 'vexil.outcome'))).toContain(code === 0 ? 'done' : 'failed')
      for (const span of changes) expect(above(span)[0]?.name).toBe('apply')
    }
    const raw = bodies.join('')
    expect(raw).not.toContain(key)
    expect(raw).not.toContain('limit=')
  })

  it('are children of the span of a pipeline, and named as the variables say', async () => {
    const { vexil } = workspace()
    const traceparent = `00-${'ab'.repeat(16)}-${'cd'.repeat(8)}-01`
    const env = telemetry({ OTEL_SERVICE_NAME: 'flags of the shop', OTEL_RESOURCE_ATTRIBUTES: 'team=growth' })
    const { requests } = await workspace().service.watch(() =>
      vexil('plan', { env: { ...env, TRACEPARENT: traceparent }, host }),
    )
    expect(requests.length).toBeGreaterThan(0)
    expect(new Set(spans().map(({ traceId }) => traceId))).toEqual(new Set(['ab'.repeat(16)]))
    expect(spans().find(({ name }) => name === 'vexil plan')?.parentSpanId).toBe('cd'.repeat(8))
    const [{ resource }] = received() as [Received['resourceSpans'][number]]
    expect(attribute(resource, 'service.name')).toBe('flags of the shop')
    expect(attribute(resource, 'team')).toBe('growth')
    expect(attribute(resource, 'process.command_args')).toBeUndefined()
  })

  it('begin a trace of their own where TRACEPARENT is none', async () => {
    await workspace().vexil('plan', { env: { ...telemetry(), TRACEPARENT: 'nonsense' }, host })
    expect(
      spans()
        .filter(({ parentSpanId }) => !parentSpanId)
        .map(({ name }) => name),
    ).toEqual(['vexil plan'])
  })

  it('are protobuf where no other protocol is asked for', async () => {
    await workspace().vexil('plan', { env: telemetry({ OTEL_EXPORTER_OTLP_PROTOCOL: '' }), host })
    expect(types).toEqual(['application/x-protobuf'])
    expect(bodies.join('')).toContain('vexil plan')
  })

  it.each([
    ['OTEL_SDK_DISABLED', { OTEL_SDK_DISABLED: 'true' }],
    ['OTEL_TRACES_EXPORTER', { OTEL_TRACES_EXPORTER: 'none' }],
    ['no endpoint', { OTEL_EXPORTER_OTLP_ENDPOINT: '' }],
  ])('are none with %s', async (_, more) => {
    const { stderr } = await workspace().vexil('plan', { env: telemetry(more), host })
    expect({ bodies, stderr: stderr.includes('traces') }).toEqual({ bodies: [], stderr: false })
  })

  /** What the receiver does, whether the clock goes on to the end of the wait, and what is told. */
  const receivers: readonly [string, typeof answer, Readonly<Record<string, string>>, boolean, string][] = [
    ['says nothing', 'never', {}, true, 'no answer within 0.5 seconds'],
    [
      'says nothing for as long as a variable says',
      'never',
      { OTEL_EXPORTER_OTLP_TIMEOUT: '1500' },
      true,
      'no answer within 1.5 seconds',
    ],
    [
      'says nothing for as long as is waited at most',
      'never',
      { OTEL_EXPORTER_OTLP_TRACES_TIMEOUT: '60000' },
      true,
      'no answer within 2 seconds',
    ],
    ['refuses', 'no', {}, false, '.*'],
    ['cannot take them now', 'later', {}, false, '.*'],
    ['is not there', 'well', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' }, false, '.*127.0.0.1:1'],
  ]

  it.each(receivers)(
    'change no exit code and no result where the receiver %s, take no longer than that, and one line says so',
    async (_, how, more, isPassing, said) => {
      const { vexil } = workspace()
      const plain = await vexil('plan')
      answer = how
      let isLeftOver = false
      const waits: number[] = []
      const runtime = {
        ...realRuntime,
        // A clock that stands still until there is nothing to do but to wait.
        sleep: (ms: number, signal?: AbortSignal) => {
          waits.push(ms)
          return isPassing ? Promise.resolve() : realRuntime.sleep(2 ** 30, signal)
        },
      }
      const onLeftOver = () => {
        isLeftOver = true
      }
      const env = telemetry(more)
      const { code, stdout, stderr } = await vexil('plan', { env, host: { runtime, onLeftOver } })
      expect({ code, stdout }).toEqual({ code: plain.code, stdout: plain.stdout })
      const lines = stderr.match(/^the traces of this command were not delivered: .*$/gm)
      expect(lines).toEqual([expect.stringMatching(new RegExp(`: ${said}$`))])
      expect(isLeftOver).toBe(isPassing)
      expect(waits).toEqual([waitForTraces(env)])
    },
  )

  it('are refused in a line where the protocol is another one', async () => {
    const { vexil } = workspace()
    const env = telemetry({ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' })
    const { code, stderr } = await vexil('plan --log-format json', { env, host })
    expect(code).toBe(0)
    expect(JSON.parse(stderr.split('\n')[0] ?? '')).toMatchObject({
      level: 'warn',
      message: 'no traces: the protocol "grpc" is not known here; there are http/protobuf and http/json',
    })
  })
})
