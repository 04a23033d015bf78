const unitMs: Readonly<Record<string, number>> = { h: 3_600_000, d: 86_400_000, w: 604_800_000 }

/** A time as the service writes it: in UTC, with microseconds only where they are not zero. */
export function isoTime(ms: number): string {
  const text = new Date(ms).toISOString()
  return text.endsWith('.000Z') ? `${text.slice(0, -5)}Z` : `${text.slice(0, -1)}000Z`
}

/** Any ISO time in the service's own form, or undefined when it is none. */
export function normalTime(text: string): string | undefined {
  const ms = Date.parse(text)
  return Number.isNaN(ms) ? undefined : isoTime(ms)
}

/** An ISO time, or a relative one such as `-7d`, in milliseconds; undefined when it is neither. */
export function parseTime(text: string, now: number): number | undefined {
  const relative = /^-(\d{1,5})([hdwmy])$/.exec(text)
  if (!relative) {
    const ms = /^\d{4}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN
    return Number.isNaN(ms) ? undefined : ms
  }
  const [, amount, unit = ''] = relative
  const length = unitMs[unit]
  if (length !== undefined) return now - Number(amount) * length
  const date = new Date(now)
  date.setUTCMonth(date.getUTCMonth() - Number(amount) * (unit === 'y' ? 12 : 1))
  return date.getTime()
}
