const day = 24 * 60 * 60 * 1000

const relative = /^-?(\d{1,4})([hdwmy])$/
const absolute =
  /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s?(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i

/**
 * The moment that a date in a condition means, in milliseconds since 1970, or undefined when it cannot be read.
 * ISO dates are UTC unless they name an offset; `-7d` and `7d` are both seven days before `now`.
 */
export function parseDate(text: string, now: number): number | undefined {
  return parseRelativeDate(text, now) ?? parseAbsoluteDate(text)
}

/** An ISO date, with or without a time, in milliseconds since 1970. A day that no calendar has is not a date. */
export function parseAbsoluteDate(text: string): number | undefined {
  const match = absolute.exec(text.trim())
  if (!match) return undefined
  const [year, month, date, hour, minute, second] = [1, 2, 3, 4, 5, 6].map(at => Number(match[at] ?? 0))
  if (year === undefined || month === undefined || date === undefined) return undefined
  if (month < 1 || month > 12 || date < 1 || date > daysInMonth(year, month - 1)) return undefined
  if ((hour ?? 0) > 23 || (minute ?? 0) > 59 || (second ?? 0) > 59) return undefined
  const fraction = Number(`0.${match[7] ?? '0'}`) * 1000
  return utc(year, month - 1, date) + clock(hour, minute, second) + fraction - offset(match[8])
}

function parseRelativeDate(text: string, now: number): number | undefined {
  const match = relative.exec(text)
  if (!match) return undefined
  const amount = Number(match[1])
  switch (match[2]) {
    case 'h':
      return now - (amount * day) / 24
    case 'd':
      return now - amount * day
    case 'w':
      return now - amount * 7 * day
    case 'm':
      return monthsBefore(now, amount)
    default:
      return monthsBefore(now, amount * 12)
  }
}

/** The same day of an earlier month; the last one where that month is shorter. */
function monthsBefore(now: number, months: number): number {
  const start = new Date(now)
  const total = start.getUTCFullYear() * 12 + start.getUTCMonth() - months
  const [year, month] = [Math.floor(total / 12), ((total % 12) + 12) % 12]
  const date = Math.min(start.getUTCDate(), daysInMonth(year, month))
  return utc(year, month, date) + (now - utc(start.getUTCFullYear(), start.getUTCMonth(), start.getUTCDate()))
}

function daysInMonth(year: number, month: number): number {
  return new Date(utc(year, month + 1, 0)).getUTCDate()
}

/** `Date.UTC` reads years below 100 as of the last century. */
function utc(year: number, month: number, date: number): number {
  return new Date(0).setUTCFullYear(year, month, date)
}

function clock(hour = 0, minute = 0, second = 0): number {
  return ((hour * 60 + minute) * 60 + second) * 1000
}

function offset(zone: string | undefined): number {
  if (zone === undefined || zone.toUpperCase() === 'Z') return 0
  const [hours, minutes] = [Number(zone.slice(1, 3)), Number(zone.slice(3).replace(':', '') || 0)]
  return (zone.startsWith('-') ? -1 : 1) * clock(hours, minutes)
}
