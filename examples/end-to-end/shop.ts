import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'

const files = {
  '/': ['shop.html', 'text/html'],
  '/posthog.js': ['node_modules/posthog-js/dist/array.full.no-external.js', 'text/javascript'],
} as const

/** The product: one page with posthog-js. */
export async function startShop() {
  const server = createServer(async (request, response) => {
    const [path, type] = files[request.url === '/posthog.js' ? '/posthog.js' : '/']
    response.setHeader('content-type', type)
    response.end(await readFile(fileURLToPath(new URL(path, import.meta.url))))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  // It listens on a port.
  const { port } = server.address() as AddressInfo
  return { url: `http://localhost:${port}/`, close: () => server.close() }
}
