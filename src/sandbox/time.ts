import { readDate, readMoment } from '../targeting/index.ts'

/** A time as the service writes it: in UTC, with microseconds only if they are not zero. */
export function isoTime(ms: number): string {
  const text = new Date(ms).toISOString()
  return text.endsWith('.000Z') ? `${text.slice(0, -5)}Z` : `${text.slice(0, -1)}000Z`
}

/** A whole date in the service's own form, or undefined if it is invalid. Without a zone it is in UTC. */
export function normalTime(text: string): string | undefined {
  if (isInOwnForm(text)) return text
  const reading = readMoment(text, 0)
  return 'why' in reading || reading.isPartial ? undefined : isoTime(reading.at)
}

/** Whether a text is already in the service's own form, like almost all: this saves the other parsers. */
function isInOwnForm(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(text)) return false
  const at = Date.parse(text)
  return !Number.isNaN(at) && isoTime(at) === text
}

/** A date, or a relative one such as `-7d`, in milliseconds; undefined when it is neither. */
export function parseTime(text: string, now: number): number | undefined {
  const reading = readDate(text, now)
  return 'why' in reading ? undefined : reading.at
}
