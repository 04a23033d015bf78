import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { packageRoot } from '../support/built.ts'
import { useConsumers } from '../support/consumer.ts'
import { useService } from '../support/service.ts'

const consumerWith = useConsumers()
const files = {
  'vexil.yaml': 'version: 1\n',
  'flags.yaml': 'feature_flags: { checkout_v2: { active: true } }\n',
}
const program = ['node_modules/vexil/dist/vexil.cjs', 'plan']

interface Received {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly unknown[] }
    readonly scopeSpans: readonly { readonly spans: readonly { readonly name: string }[] }[]
  }[]
}

const service = useService()

describe('traces of the packed command', () => {
  it('arrive through the program on their page', async () => {
    const received: Received[] = []
    const collector = createServer(async (request, response) => {
      received.push((await json(request)) as Received)
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    }).listen(0, '127.0.0.1')
    await once(collector, 'listening')
    try {
      const tracing = await readFile(join(packageRoot, 'examples/program/tracing.mjs'), 'utf8')
      expect(await readFile(join(packageRoot, 'docs/reports.md'), 'utf8')).toContain(tracing)
      const consumer = await consumerWith({ '@opentelemetry': '@opentelemetry' })
      await consumer.write({ ...files, 'tracing.mjs': tracing })
      const env = {
        ...service.env,
        NODE_OPTIONS: '--import ./tracing.mjs',
        OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
        OTEL_SERVICE_NAME: 'flags',
      }
      expect(await consumer.nodeWith(env, ...program)).toContain('+ flag checkout_v2')
      const all = received.flatMap(({ resourceSpans }) => resourceSpans)
      const names = all.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans.map(s => s.name)))
      expect(names).toContain('vexil plan')
      expect(names).toContain('GET /api/projects/{project_id}/feature_flags')
      expect(all[0]?.resource.attributes).toContainEqual({
        key: 'service.name',
        value: { stringValue: 'flags' },
      })
    } finally {
      collector.close()
    }
  })

  it('are none, with the same result, where the package for them is not installed', async () => {
    const consumer = await consumerWith({})
    const registering = 'globalThis[Symbol.for("opentelemetry.js.api.1")] = { version: "1.9.1" }'
    await consumer.write({ ...files, 'registering.mjs': registering })
    // Standard error is shown only with an exit code that is not 0.
    const given = ['--import', './registering.mjs', ...program, '--detailed-exitcode']
    const failed = await consumer.nodeWith(service.env, ...given)
    expect(failed).toContain('+ flag checkout_v2')
    expect(failed).toContain('no traces: install @opentelemetry/api beside vexil')
  })
})
