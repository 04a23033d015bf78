import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { type AddressInfo, connect, type Server } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, it, onTestFinished } from 'vitest'
import { createCertificate } from '../../src/terraform/serve/certificate.ts'
import { built } from '../support/built.ts'

async function portOf(server: Server): Promise<number> {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

/** A service over TLS that knows nothing, and tells what it was asked. */
async function aService() {
  const asked: string[] = []
  const { pem, keyPem } = createCertificate(Date.now())
  const service = createHttpsServer({ cert: pem, key: keyPem }, (request, response) => {
    asked.push(`${request.method} ${request.url}`)
    response.writeHead(404, { 'content-type': 'application/json' }).end('{}')
  })
  return { port: await portOf(service), asked }
}

/** A proxy whose tunnels all lead to one port of this machine, and that tells where they were to lead. */
async function aProxyTo(port: number) {
  const targets: (string | undefined)[] = []
  const proxy = createHttpServer()
  proxy.on('connect', (request, socket) => {
    targets.push(request.url)
    const there = connect(port, '127.0.0.1', () => socket.write('HTTP/1.1 200 OK\r\n\r\n'))
    for (const side of [socket, there]) side.on('error', () => side.destroy())
    there.pipe(socket).pipe(there)
  })
  return { url: `http://127.0.0.1:${await portOf(proxy)}`, targets }
}

// Bundled, the library that opens tunnels is loaded in another way than in the sources.
it('the shipped program asks the service through the tunnel of a proxy', async () => {
  const service = await aService()
  const proxy = await aProxyTo(service.port)
  const child = spawn(process.execPath, [built('vexil.cjs'), 'doctor'], {
    env: {
      HTTPS_PROXY: proxy.url,
      NODE_TLS_REJECT_UNAUTHORIZED: '0',
      VEXIL_BASE_URL: 'https://flags.example.com',
      VEXIL_API_KEY: 'phx_of_nobody',
      VEXIL_PROJECT_ID: '1',
    },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [said] = await Promise.all([text(child.stdout), once(child, 'close')])
  expect(said).not.toContain('got no answer')
  expect(new Set(proxy.targets)).toEqual(new Set(['flags.example.com:443']))
  expect(service.asked[0]).toMatch(/^GET \/api\/projects\/1\/feature_flags/)
})
