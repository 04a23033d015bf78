import { gunzipSync } from 'node:zlib'
import { isJsonNumber, isJsonObject, type Json, type JsonObject } from '../../model/json/json.ts'
import { maxBodyBytes, parseJson } from '../http/read-body.ts'
import { tooLarge, unparsable } from '../http/refusal.ts'

/**
 * Reads what code in a product sends, by its content: headers and queries say too little. Gzip is told by its first
 * two bytes; what remains is a form with `data=`, base64, or JSON. [sdk-routes 3]
 */
export function decodeBody(bytes: Uint8Array): Json {
  const text = textOf(bytes).trim()
  if (text === '') return {}
  if (/^[[{]/.test(text)) return parseJson(text)
  const data = new URLSearchParams(text).get('data')
  if (data !== null) return decodeData(data)
  return decodeData(text)
}

/** The same, where one object is meant. */
export function decodeObject(bytes: Uint8Array): JsonObject {
  const value = decodeBody(bytes)
  if (isJsonObject(value)) return value
  throw unparsable('Malformed request data: expected an object')
}

/** The value of a form: JSON, or base64 of JSON, which may be gzip in between. A plus sign may have become a blank. */
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

/** A few bytes can unfold to any number: no more than a body may have. */
function unzip(bytes: Uint8Array): Uint8Array {
  try {
    return gunzipSync(bytes, { maxOutputLength: maxBodyBytes })
  } catch (error) {
    if (error instanceof RangeError) throw tooLarge()
    throw unparsable('Malformed request data: the gzip cannot be read')
  }
}

/** Who is meant: a text, or a number with all of its digits as one. Undefined for anything else. */
export function distinctIdIn(value: Json | undefined): string | undefined {
  return typeof value === 'string' || isJsonNumber(value) ? String(value) : undefined
}
