import { once } from 'node:events'
import { createServer, request as forward, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What a relay answers in the service's place. */
export interface OtherAnswer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: string
}

export interface RelayOptions {
  /** Called before a request goes in, which waits for it. An answer is given in the service's place. */
  before?(request: IncomingMessage): Promise<OtherAnswer | undefined>
  /** For a request whose answer is lost on its way back: what happens once the service has given it. */
  lose?(request: IncomingMessage): (() => void) | undefined
}

/** A server between a client and a service: it delays, answers or loses what a test says. */
export interface Relay {
  readonly url: string
  close(): void
}

export async function relayTo(service: string, { before, lose }: RelayOptions): Promise<Relay> {
  const server = createServer(async (incoming, outgoing) => {
    const other = await before?.(incoming)
    if (other) {
      const { status = 200, headers: more, body } = other
      outgoing.writeHead(status, { 'content-type': 'application/json', ...more }).end(body)
      return
    }
    const { method, headers, url } = incoming
    const onward = forward(`${service}${url}`, { method, headers }, answer => {
      const onLost = lose?.(incoming)
      if (onLost) {
        answer.resume().on('end', onLost)
        return
      }
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.on('error', () => outgoing.destroy()).pipe(outgoing)
    })
    // Whoever asked may be gone by now, and the service with the test.
    onward.on('error', () => outgoing.destroy())
    incoming.pipe(onward)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** A relay at which some requests wait for as long as a test needs them to. */
export interface HoldingRelay extends Relay {
  /** Resolves when the first of them has come. */
  readonly held: Promise<void>
  /** Lets them through. */
  release(): void
}

export async function holdingRelay(
  service: string,
  isHeld: (request: IncomingMessage) => boolean,
): Promise<HoldingRelay> {
  const [held, arrive] = aMoment()
  const [released, release] = aMoment()
  const relay = await relayTo(service, {
    async before(request) {
      if (isHeld(request)) {
        arrive()
        await released
      }
      return undefined
    },
  })
  return { ...relay, held, release }
}

/** A relay that loses the answers to one method; `swallowed` resolves when the service has given the first. */
export async function losingRelay(
  service: string,
  silenced: string,
): Promise<Relay & { readonly swallowed: Promise<void> }> {
  const [swallowed, swallow] = aMoment()
  const relay = await relayTo(service, { lose: ({ method }) => (method === silenced ? swallow : undefined) })
  return { ...relay, swallowed }
}

function aMoment(): readonly [Promise<void>, () => void] {
  let resolve = () => {}
  const moment = new Promise<void>(done => {
    resolve = done
  })
  return [moment, resolve]
}
