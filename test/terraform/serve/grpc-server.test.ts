import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, credentials, Metadata, status } from '@grpc/grpc-js'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createGrpcServer, type OpenStream, statusText } from '../../../src/terraform/serve/grpc-server.ts'
import { createLogger } from '../../../src/terraform/serve/logger.ts'
import { rounds } from '../../support/rounds.ts'
import { testRuntime } from '../../support/test-runtime.ts'

const runtime = testRuntime()
const path = join(tmpdir(), `grpc${crypto.randomUUID()}`)
const server = createGrpcServer(createLogger({ env: {}, runtime, write: () => undefined }))
const opened: OpenStream[] = []
const clients: Client[] = []

beforeAll(async () => {
  server.unary('/t/Echo', message => message)
  server.unary('/t/Length', async message => Buffer.from(String(message.length)))
  server.unary('/t/Fail', message => Promise.reject(new Error(message.toString())))
  server.stream('/t/Open', stream => {
    opened.push(stream)
    stream.write(Buffer.from('one'))
    stream.write(Buffer.from('two'))
  })
  await server.listen({ path })
})

afterAll(() => {
  for (const client of clients) client.close()
  server.destroy()
})

function aClient(options: Readonly<Record<string, number>> = {}): Client {
  const all = {
    'grpc.max_receive_message_length': -1,
    'grpc.max_send_message_length': -1,
    'grpc.use_local_subchannel_pool': 1,
    ...options,
  }
  const client = new Client(`unix:${path}`, credentials.createInsecure(), all)
  clients.push(client)
  return client
}

const client = aClient()
const asIs = (bytes: Buffer) => bytes

/** What a call comes to, as the library of gRPC sees it. */
function call(name: string, message: Uint8Array, by = client): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    by.makeUnaryRequest<Buffer, Buffer>(name, asIs, asIs, Buffer.from(message), (error, answer) =>
      error ? reject(error) : resolve(answer ?? Buffer.alloc(0)),
    )
  })
}

describe('the server of gRPC', () => {
  it('hands messages of any bytes there and back', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 70_000, size: 'max' }), async bytes => {
        expect((await call('/t/Echo', bytes)).equals(bytes)).toBe(true)
      }),
      { numRuns: rounds(20) },
    )
  })

  it('answers many large messages at once, whatever may be under way', async () => {
    const sizes = Array.from({ length: 24 }, (_, index) => 700_000 + index)
    const answers = await Promise.all(sizes.map(size => call('/t/Echo', Buffer.alloc(size, size % 256))))
    expect(answers.map(answer => [answer.length, answer.at(-1)])).toEqual(
      sizes.map(size => [size, size % 256]),
    )
  })

  it('says that a call does not exist, and takes the next', async () => {
    await expect(call('/t/Nothing', Buffer.alloc(100_000))).rejects.toMatchObject({
      code: status.UNIMPLEMENTED,
      details: 'there is no call /t/Nothing',
    })
    expect((await call('/t/Length', Buffer.alloc(7))).toString()).toBe('7')
  })

  it.each(['it broke', '100 % of it: straße, 漢字, line\nbreak', ''])(
    'tells what a call failed with: %j',
    async words => {
      await expect(call('/t/Fail', Buffer.from(words))).rejects.toMatchObject({
        code: status.INTERNAL,
        details: words || 'failed without a message',
      })
    },
  )

  it('reads no compressed messages', async () => {
    const gzip = aClient({ 'grpc.default_compression_algorithm': 2 })
    await expect(call('/t/Echo', Buffer.alloc(1000), gzip)).rejects.toMatchObject({
      code: status.UNIMPLEMENTED,
    })
  })

  it('keeps a stream open until it is ended here', async () => {
    const stream = client.makeServerStreamRequest<Buffer, Buffer>('/t/Open', asIs, asIs, Buffer.alloc(0))
    const told: string[] = []
    const ended = new Promise<number>(resolve => stream.on('status', ({ code }) => resolve(code)))
    await new Promise<void>(resolve =>
      stream.on('data', (bytes: Buffer) => {
        told.push(bytes.toString())
        if (told.length === 2) resolve()
      }),
    )
    expect(opened).toHaveLength(1)
    opened[0]?.write(Buffer.from('three'))
    opened[0]?.end()
    expect([await ended, told]).toEqual([status.OK, ['one', 'two', 'three']])
  })

  it('goes on when a caller gives up', async () => {
    const given = await new Promise<number | undefined>(resolve => {
      const started = client.makeUnaryRequest<Buffer, Buffer>(
        '/t/Echo',
        asIs,
        asIs,
        Buffer.alloc(3_000_000),
        new Metadata(),
        error => resolve(error?.code),
      )
      started.cancel()
    })
    expect(given).toBe(status.CANCELLED)
    expect((await call('/t/Length', Buffer.alloc(3))).toString()).toBe('3')
  })

  it('lets calls under way end when it closes', async () => {
    const other = createGrpcServer(createLogger({ env: {}, runtime, write: () => undefined }))
    let answer: (bytes: Buffer) => void = () => undefined
    const begun = new Promise<void>(resolve =>
      other.unary('/t/Wait', () => {
        resolve()
        return new Promise<Buffer>(done => {
          answer = done
        })
      }),
    )
    const at = `${path}-closing`
    await other.listen({ path: at })
    const waiting = new Client(`unix:${at}`, credentials.createInsecure())
    clients.push(waiting)
    const asked = call('/t/Wait', Buffer.alloc(1), waiting)
    await begun
    const closed = other.close()
    answer(Buffer.from('in the end'))
    expect((await asked).toString()).toBe('in the end')
    await closed
  })
})

it('writes what it failed with as a header can carry it', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 40 }), message => {
      const text = statusText(message)
      expect(text).toMatch(/^[\x20-\x7e]*$/)
      expect(decodeURIComponent(text)).toBe(Buffer.from(message).toString())
    }),
  )
})
