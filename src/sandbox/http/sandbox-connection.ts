import type { Answer } from './refusal.ts'

/** How an answer reaches the caller, or how it fails to. */
export interface Connection {
  send(answer: Answer): Response
  /** Breaks the connection before an answer. */
  reset(): Response
  /** Breaks the connection in the middle of the body. */
  truncate(answer: Answer): Response
}

/** The connection of a caller in the same process: broken ones fail like `fetch`. */
export const inProcess: Connection = {
  send: ({ status, headers, text }) => new Response(text ?? null, { status, headers }),
  reset: () => {
    throw new TypeError('fetch failed', { cause: connectionReset() })
  },
  truncate: ({ status, headers, text = '' }) => {
    const bytes = new TextEncoder().encode(text)
    const body = new ReadableStream({
      start: controller => controller.enqueue(bytes.subarray(0, Math.floor(bytes.length / 2))),
      pull: controller => controller.error(new TypeError('terminated', { cause: connectionReset() })),
    })
    return new Response(body, { status, headers })
  },
}

function connectionReset(): Error {
  return Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })
}
