import type { JsonObject } from '../../model/json/json.ts'

/** A text. */
export const text: JsonObject = { type: 'string' }

/** A text, or null for none. */
export const textOrNull: JsonObject = { type: ['string', 'null'] }

/** Texts, in an order that their document tells. */
export const texts: JsonObject = { type: 'array', items: text }

/** A time, as RFC 3339 writes it. */
export const time: JsonObject = { type: 'string', format: 'date-time' }

/** How many of something. */
export const count: JsonObject = { type: 'integer', minimum: 0 }
