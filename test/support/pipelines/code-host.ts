import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { onTestFinished } from 'vitest'

/** A request that the host got, and what it answered. */
export interface HostRequest {
  readonly method: string
  /** Without the query. */
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string>>
  /** As JSON where it is JSON; `undefined` where there is none. */
  readonly body: unknown
  /** What the names in the pattern of the route stand for. */
  readonly params: Readonly<Record<string, string>>
}

export interface HostAnswer {
  readonly status: number
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** `GET /repos/:owner/:repo/issues`, as Hono reads patterns, and what the host answers there. */
export type Routes = Readonly<Record<string, (request: HostRequest) => HostAnswer>>

export interface CodeHost {
  /** On loopback, without a slash at its end. */
  readonly url: string
  /** `METHOD path` with what it was answered, in order: `GET /repos/o/r/issues 200`. */
  readonly log: string[]
  readonly requests: HostRequest[]
  /** Requests that no route takes: a pipeline asks for something that the host is not known to have. */
  readonly unknown: string[]
  /** Answers in place of a route, for what answers `undefined` the route does. Nothing takes the last one away. */
  disturb(fault?: (request: HostRequest) => HostAnswer | undefined): void
}

/**
 * A code host on loopback with the routes that a pipeline may use and no others. `admit` looks at each request first:
 * what it answers, such as a 401, is the answer. Ends with the test.
 */
export async function aCodeHost(
  routes: Routes,
  admit: (request: HostRequest) => HostAnswer | undefined,
): Promise<CodeHost> {
  const host = { log: [] as string[], requests: [] as HostRequest[], unknown: [] as string[] }
  let fault: Parameters<CodeHost['disturb']>[0]
  const app = new Hono()
  for (const [route, answer] of Object.entries(routes)) {
    const [method = '', pattern = ''] = route.split(' ')
    app.on(method, pattern, async context => {
      const text = await context.req.text()
      const request: HostRequest = {
        method,
        path: context.req.path,
        query: context.req.query(),
        headers: context.req.header(),
        body: text === '' ? undefined : asJson(text),
        params: context.req.param(),
      }
      const { status, body, headers = {} } = fault?.(request) ?? admit(request) ?? answer(request)
      host.requests.push(request)
      host.log.push(`${method} ${request.path} ${status}`)
      return new Response(body === undefined ? null : bytesOf(body), { status, headers })
    })
  }
  app.all('*', context => {
    host.unknown.push(`${context.req.method} ${context.req.path}`)
    return context.json({ message: 'this host has no such route' }, 501)
  })
  const disturb: CodeHost['disturb'] = given => {
    fault = given
  }
  const port = await new Promise<number>(listening => {
    const options = { fetch: app.fetch, hostname: '127.0.0.1', port: 0, overrideGlobalObjects: false }
    const server = serve(options, at => listening(at.port))
    onTestFinished(() => void server.close())
  })
  return { ...host, url: `http://127.0.0.1:${port}`, disturb }
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function bytesOf(body: unknown): string | Uint8Array<ArrayBuffer> {
  return typeof body === 'string' || body instanceof Uint8Array
    ? (body as string | Uint8Array<ArrayBuffer>)
    : JSON.stringify(body)
}
