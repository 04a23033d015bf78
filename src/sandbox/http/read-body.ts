import { isTextTooDeep } from '../../hcl/json.ts'
import type { Field, Fields } from '../../model/field.ts'
import { isJsonObject, type Json, type JsonObject } from '../../model/json/json.ts'
import { readJson, readJsonIfAny } from '../../model/json/json-text.ts'
import { invalid, tooLarge, unparsable, unsupportedMediaType } from './answer.ts'

/** A larger body gives 413. [service-behaviour 8] */
export const maxBodyBytes = 20_000_000

/**
 * Reads a request body as a JSON object. No body counts as an empty one. Forms are read if their fields are
 * given; otherwise they are refused like any other media type.
 */
export async function readBody(request: Request, fields?: Fields): Promise<JsonObject> {
  const bytes = await readBytes(request)
  const mediaType = request.headers.get('content-type') ?? ''
  if (fields && isForm(mediaType)) return readForm(bytes, mediaType, fields)
  const text = new TextDecoder().decode(bytes)
  if (text.trim() === '') return {}
  if (!/^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(mediaType)) throw unsupportedMediaType(mediaType)
  const value = parseJson(text)
  if (isJsonObject(value)) return value
  throw invalid(
    null,
    `Invalid data. Expected a dictionary, but got ${Array.isArray(value) ? 'list' : typeof value}.`,
  )
}

/** Reads the bytes of a body, up to the limit. */
export async function readBytes(request: Request): Promise<Uint8Array> {
  if (Number(request.headers.get('content-length') ?? 0) > maxBodyBytes) throw tooLarge()
  if (!request.body) return new Uint8Array()
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of request.body) {
    bytes += chunk.byteLength
    if (bytes > maxBodyBytes) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Parses JSON from a request. */
export function parseJson(text: string): Json {
  if (isTextTooDeep(text)) throw unparsable('JSON parse error - nested too deeply')
  try {
    return readJson(text)
  } catch {
    throw unparsable('JSON parse error - the body is not valid JSON')
  }
}

/**
 * Reads a form, like the public service: every value is a text, and the field decides its meaning. Repeated
 * names are lists. [service-behaviour 8]
 */
async function readForm(bytes: Uint8Array, mediaType: string, fields: Fields): Promise<JsonObject> {
  const form = await formOf(bytes, mediaType)
  const names = [...new Set(form.keys())]
  return Object.fromEntries(
    names.map(name => {
      const texts = form.getAll(name).map(value => (typeof value === 'string' ? value : ''))
      return [name, valueIn(Object.hasOwn(fields, name) ? fields[name] : undefined, texts)]
    }),
  )
}

function isForm(mediaType: string): boolean {
  return /^(application\/x-www-form-urlencoded|multipart\/form-data)\s*(;|$)/i.test(mediaType)
}

async function formOf(bytes: Uint8Array, mediaType: string): Promise<FormData> {
  try {
    return await new Response(Buffer.from(bytes), { headers: { 'content-type': mediaType } }).formData()
  } catch {
    throw unparsable('Form parse error - the body is not a valid form')
  }
}

function valueIn(field: Field | undefined, texts: readonly string[]): Json {
  const last = texts.at(-1) ?? ''
  switch (field?.type) {
    case 'set':
      return texts
    case 'list':
      return texts.map(text => (field.of === 'integer' ? wholeOr(text) : text))
    case 'boolean':
      return truthOr(last)
    case 'integer':
      return wholeOr(last)
    case 'json':
    case 'structure':
      return readJsonIfAny(last) ?? last
    default:
      return last
  }
}

/** Any other value stays a text, and the check of the body refuses it. */
function truthOr(text: string): Json {
  if (/^(true|t|1|on|y|yes)$/i.test(text)) return true
  if (/^(false|f|0|off|n|no)$/i.test(text)) return false
  return /^(null|none)?$/i.test(text) ? null : text
}

function wholeOr(text: string): Json {
  return /^-?\d{1,15}$/.test(text.trim()) ? Number(text) : text
}
