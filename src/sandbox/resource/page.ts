import type { Json, JsonObject } from '../../model/json/json.ts'
import { type Answer, jsonAnswer } from '../http/answer.ts'
import type { Call } from './call.ts'

/** Which part of a list was asked for. */
export interface Window {
  readonly limit: number
  readonly offset: number
}

/** Reads limit and offset; 100 is the default of the public service. Nonsense counts as nothing given, never as a problem. */
export function windowOf(
  { url, quirks }: Call,
  sizes: { readonly default?: number; readonly max?: number } = {},
): Window {
  const wanted = count(url.searchParams.get('limit')) || (sizes.default ?? 100)
  const caps = [quirks.page_size_cap, sizes.max ?? 0].filter(cap => cap > 0)
  return { limit: Math.min(wanted, ...caps), offset: count(url.searchParams.get('offset')) }
}

/** One page, in the documented envelope. */
export function pageAnswer(call: Call, window: Window, total: number, results: readonly Json[]): Answer {
  return jsonAnswer({ ...envelope(call, window, total), results })
}

/** `count`, `next` and `previous` of a page. The links are absolute, on the host that was asked. */
export function envelope({ url }: Call, { limit, offset }: Window, total: number): JsonObject {
  const next = offset + limit < total ? linkTo(url, limit, offset + limit) : null
  const previous = offset > 0 ? linkTo(url, limit, offset - limit) : null
  return { count: total, next, previous }
}

function linkTo(url: URL, limit: number, offset: number): string {
  const link = new URL(url)
  link.searchParams.set('limit', String(limit))
  if (offset > 0) link.searchParams.set('offset', String(offset))
  else link.searchParams.delete('offset')
  return link.href
}

/** A whole number from 0, or 0 for anything else. */
function count(text: string | null): number {
  return text !== null && /^\d{1,15}$/.test(text.trim()) ? Number(text) : 0
}
