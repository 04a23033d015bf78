import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../model/json/json.ts'
import { isUuid } from '../../model/text/uuid.ts'
import { uuidFrom } from '../draw-uuid.ts'
import { ingestEvent } from '../events/ingest.ts'
import { type Answer, jsonAnswer } from '../http/answer.ts'
import { invalid } from '../http/refusal.ts'
import type { ProjectRow } from '../store/rows.ts'
import type { Store } from '../store/store.ts'
import { isoTime, normalTime } from '../time.ts'
import { distinctIdIn } from './decode-body.ts'

interface Arriving {
  readonly store: Store
  readonly now: number
  readonly random: () => number
}

/** Takes up events: one, a list of them, or a `batch`. All are taken or, where one has no name, none. [sdk-routes 3] */
export function captureEvents(arriving: Arriving, project: ProjectRow, body: Json): Answer {
  const events = eventsIn(body)
  if (events.length === 0) throw invalid('batch', 'There are no events.', 'required')
  const { store, now, random } = arriving
  const arrival = { store, now: isoTime(now), uuid: () => uuidFrom(random) }
  for (const event of events) ingestEvent(arrival, eventOf(event), project)
  // On a 204 some SDKs send it all again.
  return jsonAnswer({ status: 'Ok' })
}

/** The token that a body names its project by: beside the events, or in each of them. */
export function tokenIn(body: Json): string | undefined {
  const [first] = isJsonArray(body) ? body : [body]
  if (!isJsonObject(first)) return undefined
  const properties = isJsonObject(first.properties) ? first.properties : {}
  const batched = isJsonArray(first.batch) && isJsonObject(first.batch[0]) ? first.batch[0] : undefined
  const token =
    first.token ?? first.api_key ?? properties.token ?? (batched && (batched.token ?? batched.api_key))
  return typeof token === 'string' ? token : undefined
}

function eventsIn(body: Json): readonly Json[] {
  if (isJsonArray(body)) return body
  if (!isJsonObject(body)) return []
  if (isJsonArray(body.batch)) return body.batch
  return body.event === undefined ? [] : [body]
}

function eventOf(event: Json) {
  const { event: name, uuid, timestamp, ...rest } = isJsonObject(event) ? event : {}
  if (typeof name !== 'string' || name === '') throw invalid('event', 'An event needs a name.', 'required')
  const properties: JsonObject = isJsonObject(rest.properties) ? rest.properties : {}
  const distinctId = distinctIdIn(rest.distinct_id ?? properties.distinct_id)
  if (distinctId === undefined) throw invalid('distinct_id', 'An event needs a distinct_id.', 'required')
  return {
    event: name,
    distinct_id: distinctId,
    properties,
    ...(typeof uuid === 'string' && isUuid(uuid) ? { id: uuid } : {}),
    ...(typeof timestamp === 'string' && normalTime(timestamp) ? { timestamp } : {}),
  }
}
