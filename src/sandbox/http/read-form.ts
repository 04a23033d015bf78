import type { Field, Fields } from '../../model/field.ts'
import type { Json, JsonObject } from '../../model/json/json.ts'
import { readJson } from '../../model/json/json-text.ts'
import { unparsable } from './refusal.ts'

/**
 * Reads a form, as the public service does: every value is a text, and what it means is up to the field. Lists are
 * names that come again. [service-behaviour 8]
 */
export async function readForm(bytes: Uint8Array, mediaType: string, fields: Fields): Promise<JsonObject> {
  const form = await formOf(bytes, mediaType)
  const names = [...new Set(form.keys())]
  return Object.fromEntries(
    names.map(name => {
      const texts = form.getAll(name).map(value => (typeof value === 'string' ? value : ''))
      return [name, valueIn(Object.hasOwn(fields, name) ? fields[name] : undefined, texts)]
    }),
  )
}

export function isForm(mediaType: string): boolean {
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
      return jsonOr(last)
    default:
      return last
  }
}

/** What is none of these stays a text, and is refused where the body is checked. */
function truthOr(text: string): Json {
  if (/^(true|t|1|on|y|yes)$/i.test(text)) return true
  if (/^(false|f|0|off|n|no)$/i.test(text)) return false
  return /^(null|none)?$/i.test(text) ? null : text
}

function wholeOr(text: string): Json {
  return /^-?\d{1,15}$/.test(text.trim()) ? Number(text) : text
}

function jsonOr(text: string): Json {
  try {
    return readJson(text)
  } catch {
    return text
  }
}
