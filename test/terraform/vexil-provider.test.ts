import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { version } from '../../src/model/version.ts'
import type { Provider } from '../../src/terraform/provider.ts'
import { defineVexil } from '../../src/terraform/vexil-provider.ts'
import { testRuntime } from '../support/test-runtime.ts'
import { refusalOf } from './resources/play.ts'
import { overTheWire } from './support/values.ts'

/** A proxy that lets nothing through, and a service that knows nothing: both tell what they were asked. */
let server: Server
let asked: readonly string[]

beforeEach(async () => {
  asked = []
  const note = ({ method, url, headers }: IncomingMessage) => {
    asked = [...asked, `${method} ${url} ${headers['user-agent'] ?? ''}`.trim()]
  }
  server = createServer((incoming, outgoing) => {
    note(incoming)
    outgoing.writeHead(404, { 'content-type': 'application/json' }).end('{}')
  })
  server.on('connect', (incoming, socket) => {
    note(incoming)
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
})
afterEach(() => {
  server.closeAllConnections()
  server.close()
})

/** Has the provider read something in an environment, as Terraform would, and tells what it says of it. */
async function readIn(env: Readonly<Record<string, string>>): Promise<string> {
  const provider: Provider = defineVexil({
    env: { VEXIL_API_KEY: 'phx_none', VEXIL_PROJECT_ID: '1', ...env },
    runtime: testRuntime(),
  })
  const context = { signal: new AbortController().signal }
  await provider.configure(overTheWire(provider.schema, {}), { version: '1.11.4' }, context)
  return refusalOf(async () => provider.resources.vexil_feature_flag?.import?.('checkout', context))
}

describe('the provider, in the process that Terraform starts', () => {
  it('waits for nothing when it is closed after a stop', async () => {
    const waits: AbortSignal[] = []
    const sleep = (_ms: number, signal = new AbortController().signal) =>
      new Promise<void>((_, reject) => {
        waits.push(signal)
        signal.addEventListener('abort', () => reject(signal.reason))
      })
    const provider: Provider = defineVexil({ env: {}, runtime: { ...testRuntime(), sleep } })
    await provider.stop?.()
    await provider.close?.()
    expect(waits.map(({ aborted }) => aborted)).toEqual([true])
  })

  it('says who it is', async () => {
    await readIn({ VEXIL_BASE_URL: serverUrl() })
    expect(asked).toEqual([`GET /api/projects/1/feature_flags/?limit=1000 vexil-terraform/${version}`])
  })

  it('goes through the proxy of the environment', async () => {
    const env = { VEXIL_BASE_URL: 'https://flags.example.com', HTTPS_PROXY: serverUrl() }
    expect(await readIn(env)).toContain('cannot import flag "checkout"')
    expect(new Set(asked)).toEqual(new Set(['CONNECT flags.example.com:443']))
  })
})

function serverUrl(): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
