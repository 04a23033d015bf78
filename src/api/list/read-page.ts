import { isJsonArray, isJsonObject, type Json } from '../../model/json/json.ts'

/** One page of a list. What a service leaves out, or says with an empty text, is null. */
export interface Page<R> {
  readonly count: number | null
  readonly next: string | null
  readonly previous: string | null
  readonly results: readonly R[]
}

/** Reads the pagination envelope; undefined when the body is none. */
export function readPage(body: Json): Page<Json> | undefined {
  if (!isJsonObject(body) || !isJsonArray(body.results)) return undefined
  const { count, next, previous, results } = body
  return {
    count: typeof count === 'number' && Number.isInteger(count) && count >= 0 ? count : null,
    next: linkOf(next),
    previous: linkOf(previous),
    results,
  }
}

function linkOf(link: Json | undefined): string | null {
  return typeof link === 'string' && link.trim() !== '' ? link.trim() : null
}
