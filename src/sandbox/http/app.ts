import { Hono } from 'hono'
import { kinds } from '../../kinds/index.ts'
import { matchRoute } from '../../schema/routes.ts'
import type { FaultEffect, FaultPlan } from '../behaviour/faults.ts'
import { sdkRoutes } from '../sdk/sdk-routes.ts'
import { type Answer, jsonAnswer } from './answer.ts'
import { controlPlane } from './control.ts'
import { dispatch, endpointOf } from './dispatch.ts'
import type { RequestCounter } from './request-counter.ts'
import type { Connection } from './sandbox-connection.ts'
import type { Service } from './service.ts'

type App = Hono<{ Bindings: Connection }>

/** The interface, with the faults that were scripted for it, and the control plane beside it. */
export function createApp(
  service: Service,
  requests: RequestCounter,
  faults: FaultPlan,
  closing: AbortSignal,
): App {
  const app: App = new Hono({ strict: false })
  app.route('/_sandbox', controlPlane(service, requests, faults))
  app.all('*', context => {
    const request = context.req.raw
    const url = new URL(request.url)
    const path = url.pathname.replace(/(?<=.)\/+$/, '')
    const template = templateOf(request.method, path)
    requests.count(request.method, path, template)
    const answer = async (asked: Request) => {
      const told = await dispatch(service, asked, url)
      if (isBilled(request.method, template ?? path, told)) requests.bill()
      return told
    }
    const effect = faults.hit(request.method, path)
    if (!effect) return answer(request).then(context.env.send)
    // A body can be read once, and a fault may need it twice.
    return answerWithFault(service, effect, () => answer(request.clone()), context.env, closing)
  })
  // A broken connection is an error that the caller is meant to get.
  app.onError(error => {
    throw error
  })
  return app
}

function templateOf(method: string, path: string): string | undefined {
  const route = matchRoute(method, path)
  return route && !('allowed' in route) ? endpointOf(route)?.path : undefined
}

const { list, localEvaluation } = kinds.feature_flag.endpoints

/** Whatever holds the flags of a project: its lists, and the definitions for SDKs. */
const billedPaths: ReadonlySet<string> = new Set([
  list.path,
  localEvaluation.path,
  ...Object.entries(sdkRoutes).flatMap(([path, { answers }]) => (/definitions$/.test(answers) ? [path] : [])),
])

function isBilled(method: string, path: string, { status }: Answer): boolean {
  return method === 'GET' && status === 200 && billedPaths.has(path)
}

async function answerWithFault(
  service: Service,
  effect: FaultEffect,
  answer: () => Promise<Answer>,
  connection: Connection,
  closing: AbortSignal,
): Promise<Response> {
  switch (effect.type) {
    case 'status':
      if (effect.committed) await answer()
      return connection.send(faultAnswer(effect))
    case 'slow':
      // A sandbox that is closing stops waiting and answers at once.
      await service.runtime.sleep(effect.ms, closing).catch(() => undefined)
      return connection.send(await answer())
    case 'reset_before':
      return connection.reset()
    case 'reset_after':
      await answer()
      return connection.reset()
    case 'truncate':
      return connection.truncate(await answer())
    case 'twice':
      await answer()
      return connection.send(await answer())
  }
}

function faultAnswer(effect: FaultEffect & { readonly type: 'status' }): Answer {
  const wait = effect.retryAfter
  const headers: Record<string, string> = wait === undefined ? {} : { 'Retry-After': String(wait) }
  const type =
    effect.status === 429 ? 'throttled_error' : effect.status < 500 ? 'invalid_request' : 'server_error'
  const code = effect.status === 429 ? 'throttled' : 'error'
  return jsonAnswer({ type, code, detail: 'This answer was scripted.', attr: null }, effect.status, headers)
}
