import { Agent, request } from 'node:http'

/** Requests over kept-alive connections, as many as may be under way at once, with nothing but their answers. */
export function bareClient(url, concurrency) {
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency })
  return {
    request: ({ method, path, headers, body }) =>
      new Promise((resolve, reject) => {
        const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
        const asked = request(new URL(path, url), { method, agent, headers: { ...headers, ...length } })
        asked.on('error', reject).on('response', answer => {
          const chunks = []
          answer
            .on('data', chunk => chunks.push(chunk))
            .on('error', reject)
            .on('end', () => resolve({ status: answer.statusCode, body: Buffer.concat(chunks).toString() }))
        })
        asked.end(body)
      }),
    close: () => agent.destroy(),
  }
}
