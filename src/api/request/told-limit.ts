import type { ToldLimit } from '../../model/connection/observed.ts'
import type { Incoming } from './exchange.ts'

/** Reads the headers that are in use for it, with and without an `X-`. */
export function toldLimit({ header }: Pick<Incoming, 'header'>): ToldLimit {
  const limit = count(header('ratelimit-limit') ?? header('x-ratelimit-limit'))
  const remaining = count(header('ratelimit-remaining') ?? header('x-ratelimit-remaining'))
  return { ...(limit === undefined ? {} : { limit }), ...(remaining === undefined ? {} : { remaining }) }
}

/** A count, which may be followed by how long its window is: `480, 480;w=60`. */
function count(text: string | undefined): number | undefined {
  const [, digits] = /^\s*(\d{1,9})(?:\s*[,;]|\s*$)/.exec(text ?? '') ?? []
  return digits === undefined ? undefined : Number(digits)
}
