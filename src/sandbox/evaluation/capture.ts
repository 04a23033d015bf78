import { gunzipSync } from 'node:zlib'
import { isJsonArray, isJsonNumber, isJsonObject, type Json, type JsonObject } from '../../model/json/json.ts'
import { isUuid } from '../../model/text/uuid.ts'
import { ingestEvent } from '../events/ingest.ts'
import { maxBodyBytes, parseJson } from '../http/read-body.ts'
import { type Answer, invalid, jsonAnswer, tooLarge, unparsable } from '../http/refusal.ts'
import type { Seeding } from '../resource/resource.ts'
import type { ProjectRow } from '../store/rows.ts'
import { normalTime } from '../time.ts'

/** Ingests events: one, a list, or a `batch`. Either all or, if one has no name, none. [sdk-routes 3] */
export function captureEvents(arrival: Seeding, project: ProjectRow, body: Json): Answer {
  const events = eventsIn(body)
  if (events.length === 0) throw invalid('batch', 'There are no events.', 'required')
  for (const event of events) ingestEvent(arrival, eventOf(event), project)
  // On a 204 some SDKs send everything again.
  return jsonAnswer({ status: 'Ok' })
}

/** The project token in a body: beside the events, or in each of them. */
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

/**
 * Reads what SDKs send, by its content: headers and queries are not reliable. The first two bytes show gzip;
 * the rest is a form with `data=`, base64, or JSON. [sdk-routes 3]
 */
export function decodeBody(bytes: Uint8Array): Json {
  const text = textOf(bytes).trim()
  if (text === '') return {}
  if (/^[[{]/.test(text)) return parseJson(text)
  const data = new URLSearchParams(text).get('data')
  if (data !== null) return decodeData(data)
  return decodeData(text)
}

/** The same for a single object. */
export function decodeObject(bytes: Uint8Array): JsonObject {
  const value = decodeBody(bytes)
  if (isJsonObject(value)) return value
  throw unparsable('Malformed request data: expected an object')
}

/** The value of a form: JSON, or base64 of JSON, possibly gzipped. A plus sign may have become a blank. */
function decodeData(data: string): Json {
  if (/^\s*[[{]/.test(data)) return parseJson(data)
  const base64 = data.replaceAll(' ', '+').trim()
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(base64))
    throw unparsable('Malformed request data: neither JSON nor base64')
  return parseJson(textOf(Buffer.from(base64, 'base64')))
}

function textOf(bytes: Uint8Array): string {
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b
  return new TextDecoder().decode(isGzip ? unzip(bytes) : bytes)
}

/** A few bytes can expand to any number, so the limit of a body applies. */
function unzip(bytes: Uint8Array): Uint8Array {
  try {
    return gunzipSync(bytes, { maxOutputLength: maxBodyBytes })
  } catch (error) {
    if (error instanceof RangeError) throw tooLarge()
    throw unparsable('Malformed request data: the gzip cannot be read')
  }
}

/** The subject: a text, or a number as a text with all its digits. Undefined for anything else. */
export function distinctIdIn(value: Json | undefined): string | undefined {
  return typeof value === 'string' || isJsonNumber(value) ? String(value) : undefined
}
