import { isTextTooDeep } from '../../hcl/json.ts'
import type { Fields } from '../../model/field.ts'
import { isJsonObject, type Json, type JsonObject } from '../../model/json/json.ts'
import { readJson } from '../../model/json/json-text.ts'
import { isForm, readForm } from './read-form.ts'
import { invalid, tooLarge, unparsable, unsupportedMediaType } from './refusal.ts'

/** A larger body gives 413. [service-behaviour 8] */
export const maxBodyBytes = 20_000_000

/**
 * Reads a request body as a JSON object. No body counts as an empty one. Forms are read where their fields are given,
 * and refused as any other media type where not.
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

/** Reads the bytes of a body, and no more than it may have. */
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

/** Reads JSON that somebody sent. */
export function parseJson(text: string): Json {
  if (isTextTooDeep(text)) throw unparsable('JSON parse error - nested too deeply')
  try {
    return readJson(text)
  } catch {
    throw unparsable('JSON parse error - the body is not valid JSON')
  }
}
