import { Hono } from 'hono'
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../model/json/json.ts'
import { readJson } from '../../model/json/json-text.ts'
import type { FaultPlan } from '../behaviour/faults.ts'
import { parseFault } from '../behaviour/parse-fault.ts'
import { uuidFrom } from '../draw-uuid.ts'
import { ingestEvent } from '../events/ingest.ts'
import { isoTime } from '../time.ts'
import { findProject } from './admission.ts'
import { readBytes } from './read-body.ts'
import type { RequestCounter } from './request-counter.ts'
import type { Service } from './service.ts'

/** What tests and benches ask of the sandbox itself. Needs no key, and is not counted. */
export function controlPlane(service: Service, requests: RequestCounter, faults: FaultPlan): Hono {
  const app = new Hono({ strict: false })
  // A page of the web may send plain text anywhere, and nothing else without being asked first.
  app.post('*', async (context, next) => {
    if (!/^application\/json\s*(?:;|$)/i.test(context.req.header('content-type') ?? ''))
      return context.json({ error: 'the body has to be application/json' }, 415)
    return next()
  })
  app.get('/requests', context => context.json(requests.counts()))
  app.delete('/requests', context => {
    requests.reset()
    return context.body(null, 204)
  })
  app.get('/faults', context => context.json(faults.rules))
  app.delete('/faults', context => {
    faults.clear()
    return context.body(null, 204)
  })
  app.post('/faults', async context => {
    try {
      faults.add(faultTexts(readJson(await bodyText(context.req.raw))).map(parseFault))
    } catch (error) {
      return context.json({ error: error instanceof Error ? error.message : 'not understood' }, 400)
    }
    return context.json(faults.rules, 201)
  })
  app.post('/events', async context => {
    let event: Json
    try {
      event = readJson(await bodyText(context.req.raw))
    } catch {
      return context.json({ error: 'the body is not JSON' }, 400)
    }
    const answer = takeUpEvent(service, event)
    await service.store.settled()
    return context.json(answer, 'error' in answer ? 400 : 201)
  })
  app.all('*', context =>
    context.json({ error: 'the sandbox has "requests", "faults" and "events" here' }, 404),
  )
  return app
}

async function bodyText(request: Request): Promise<string> {
  return new TextDecoder().decode(await readBytes(request))
}

/** A fault as on the command line, or a list of them. */
function faultTexts(body: unknown): readonly string[] {
  const texts = isJsonArray(body) ? body : [body]
  return texts.map(text => {
    if (typeof text === 'string') return text
    throw new RangeError(
      'a fault is a text such as "PATCH /feature_flags/* nth=2 reset_after", or a list of texts',
    )
  })
}

/** Records an event as if it had just happened: the first one of its name makes the definition. */
function takeUpEvent({ store, runtime }: Service, body: Json): JsonObject {
  if (!isJsonObject(body) || typeof body.event !== 'string' || body.event === '')
    return { error: 'an event needs "event", its name' }
  const id = String(body.project ?? '@current')
  const project = findProject(store, id)
  if (!project) return { error: `there is no project "${id}"` }
  const arrival = { store, now: isoTime(runtime.now()), uuid: () => uuidFrom(() => runtime.random()) }
  const event = {
    event: body.event,
    distinct_id: typeof body.distinct_id === 'string' ? body.distinct_id : 'somebody',
    ...(isJsonObject(body.properties) ? { properties: body.properties } : {}),
    ...(typeof body.timestamp === 'string' ? { timestamp: body.timestamp } : {}),
  }
  return { id: store.transact(() => ingestEvent(arrival, event, project)).id }
}
