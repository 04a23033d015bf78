import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { describe, expect, it } from 'vitest'
import {
  handshakeLine,
  type ProviderHost,
  reattachSetting,
  serve,
  startProvider,
} from '../../../src/terraform/serve/serve.ts'
import { testRuntime } from '../../support/test-runtime.ts'
import { connectTerraform, type TerraformClient } from '../support/client.ts'
import { aHost, providerOf, type Witness } from '../support/served.ts'
import { defineNotes } from '../support/test-provider.ts'
import { wire } from '../support/values.ts'

const cookie = { TF_PLUGIN_MAGIC_COOKIE: 'd602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2' }

/** A world in which nobody ever waits to the end. */
const still = {
  ...testRuntime(),
  sleep: (_ms: number, signal?: AbortSignal) =>
    new Promise<void>((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
}

interface Running {
  readonly client: TerraformClient
  readonly witness: Witness
  readonly fields: readonly string[]
  /** The code of the process when it ends. */
  readonly exited: Promise<number>
}

async function run(changes: Partial<ProviderHost> = {}): Promise<Running> {
  let exit: (code: number) => void
  const exited = new Promise<number>(resolve => {
    exit = resolve
  })
  const { host, witness } = aHost({ env: cookie, runtime: still, exit: code => exit(code), ...changes })
  await serve(defineNotes, host)
  const fields = (witness.out[0] ?? '').trim().split('|')
  const [, , network, address] = fields
  return {
    client: connectTerraform(`${network === 'unix' ? 'unix:' : ''}${address}`),
    witness,
    fields,
    exited,
  }
}

async function end({ client, exited, fields }: Running): Promise<void> {
  await client.shutdown()
  expect(await exited).toBe(0)
  if (fields[2] === 'unix') expect(existsSync(fields[3]!)).toBe(false)
  client.close()
}

describe('a provider started by hand', () => {
  it.each([{}, { TF_PLUGIN_MAGIC_COOKIE: 'another' }])('says what it is and ends: %j', async env => {
    const { host, witness } = aHost({ env })
    await serve(defineNotes, host)
    expect(witness.exits).toEqual([1])
    expect(witness.out).toEqual([])
    expect(witness.errors.join('')).toContain(
      'this program is a Terraform provider, which Terraform starts itself.',
    )
  })
})

describe('a provider that anybody may attach to', () => {
  it('keeps apart what two connections configure', async () => {
    const configured: string[][] = []
    const provider = providerOf({ schema: { version: 0, block: { attributes: {} } } })
    const started = await startProvider(
      () => {
        const urls: string[] = []
        configured.push(urls)
        return {
          ...provider,
          configure: ({ url }) => {
            urls.push(String(url))
            return []
          },
        }
      },
      aHost().host,
      () => undefined,
    )
    const clients = ['one', 'two'].map(url => ({
      url,
      client: connectTerraform(`unix:${started.address.at}`),
    }))
    for (const { url, client } of clients) {
      const config = wire(provider.schema.block, { url })
      await client.call('ConfigureProvider', { terraform_version: '1.11.4', config })
    }
    expect(configured).toEqual([['one'], ['two']])
    for (const { client } of clients) client.close()
    await started.close()
  })
})

describe('a provider started by Terraform', () => {
  it('says in one line why it cannot start', async () => {
    const { host, witness } = aHost({ env: cookie })
    await serve(() => {
      throw new Error('no setting "x"')
    }, host)
    expect(witness).toMatchObject({
      out: [],
      errors: ['the provider cannot start: no setting "x"\n'],
      exits: [1],
    })
  })

  it('listens before it says where, in one line', async () => {
    const running = await run()
    expect(running.witness.out).toEqual([expect.stringMatching(/^1\|6\|unix\|.+\/plugin[^|]+\|grpc\|\n$/)])
    expect(await running.client.isHealthy()).toBe(true)
    await end(running)
  })

  it.each<[string, Partial<ProviderHost>]>([
    ['on Windows', { platform: 'win32' }],
    [
      'where the path of a socket would be too long',
      { temporaryDirectory: `${tmpdir()}/${'x'.repeat(100)}` },
    ],
  ])('listens on a port %s', async (_, changes) => {
    const running = await run(changes)
    expect(running.fields.slice(0, 5)).toEqual([
      '1',
      '6',
      'tcp',
      expect.stringMatching(/^127\.0\.0\.1:\d+$/),
      'grpc',
    ])
    expect(await running.client.isHealthy()).toBe(true)
    await end(running)
  })

  it('takes the next port of the range when one is taken', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const address = taken.address()
    const first = typeof address === 'object' && address ? address.port : 0
    const range = { PLUGIN_MIN_PORT: String(first), PLUGIN_MAX_PORT: String(first + 100) }
    const running = await run({ platform: 'win32', env: { ...cookie, ...range } })
    expect(Number(running.fields[3]?.split(':')[1])).toBeGreaterThan(first)
    await end(running)
    taken.close()
  })

  it('listens in the folder that Terraform names', async () => {
    const running = await run({
      temporaryDirectory: '/nowhere',
      env: { ...cookie, PLUGIN_UNIX_SOCKET_DIR: tmpdir() },
    })
    expect(running.fields[3]?.startsWith(`${tmpdir()}/plugin`)).toBe(true)
    await end(running)
  })

  it('says no when asked whether a connection may carry several', async () => {
    const running = await run({ env: { ...cookie, PLUGIN_MULTIPLEX_GRPC: 'true' } })
    expect(running.fields.slice(4)).toEqual(['grpc', '', 'false'])
    await end(running)
  })

  it('sends what is written to stdout, also before anybody listens', async () => {
    const running = await run()
    running.witness.divert(Buffer.from('a stray line'))
    expect(await running.client.firstOutput()).toBe('stdout: a stray line')
    await end(running)
  })

  it("holds the broker's stream open, and ends all the same", async () => {
    const running = await run()
    expect(await running.client.holdsBroker()).toBe(true)
    await end(running)
  })

  it('goes on at an interrupt, which Terraform answers for it', async () => {
    const running = await run()
    running.witness.signals.get('SIGINT')?.()
    expect(await running.client.isHealthy()).toBe(true)
    await end(running)
  })

  it.each([
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ])('ends when it is told to by %s', async (signal, code) => {
    const running = await run()
    await running.client.isHealthy()
    running.witness.signals.get(signal)?.()
    expect(await running.exited).toBe(code)
    expect(existsSync(running.fields[3]!)).toBe(false)
    running.client.close()
  })

  it('leaves no socket behind, whatever ends the process', async () => {
    const running = await run()
    await running.client.isHealthy()
    running.client.close()
    running.witness.atExit()
    expect(existsSync(running.fields[3]!)).toBe(false)
    running.witness.signals.get('SIGTERM')?.()
    await running.exited
  })

  it('takes and sends messages far beyond four megabytes', async () => {
    const running = await run()
    const title = 'x'.repeat(10_000_000)
    const { state } = { state: JSON.stringify({ id: '1', title }) }
    const { upgraded_state, diagnostics } = await running.client.call('UpgradeResourceState', {
      type_name: 'notes_note',
      version: 1,
      raw_state: { json: Buffer.from(state) },
    })
    expect(diagnostics).toEqual([])
    expect(upgraded_state?.msgpack.length).toBeGreaterThan(title.length)
    await end(running)
  })

  it.each<[string, Partial<ProviderHost>]>([
    ['was adopted', { parentId: parents(7, 1) }],
    ['names nobody', { isRunning: () => false }],
  ])('ends when the process that started it %s', async (_, changes) => {
    const { exited, client } = await run({ ...changes, runtime: testRuntime() })
    expect(await exited).toBe(1)
    client.close()
  })
})

describe('the handshake', () => {
  it('carries the certificate without padding', () => {
    const address = { network: 'unix', at: '/tmp/p' } as const
    const line = (...bytes: number[]) =>
      handshakeLine({ address, certificate: Uint8Array.from(bytes), isMultiplexAsked: false })
    expect([line(1), line(1, 2), line(1, 2, 3)]).toEqual([
      '1|6|unix|/tmp/p|grpc|AQ\n',
      '1|6|unix|/tmp/p|grpc|AQI\n',
      '1|6|unix|/tmp/p|grpc|AQID\n',
    ])
  })

  it('is one setting for who attaches', () => {
    const running =
      '{"Protocol":"grpc","ProtocolVersion":6,"Pid":3,"Test":true,"Addr":{"Network":"tcp","String":"127.0.0.1:1"}}'
    expect(reattachSetting(['a/b', 'c/b'], { network: 'tcp', at: '127.0.0.1:1' }, 3, { 'x/y': 1 })).toBe(
      `{"x/y":1,"a/b":${running},"c/b":${running}}`,
    )
  })
})

function parents(...ids: number[]): () => number {
  const left = [...ids]
  return () => (left.length > 1 ? left.shift()! : left[0]!)
}
