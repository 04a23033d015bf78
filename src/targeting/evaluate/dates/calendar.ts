/** A day of which the month, or only the day, may be left out. */
export interface Day {
  readonly year: number
  /** 1 to 12. */
  readonly month: number | undefined
  readonly date: number | undefined
}

/**
 * The start of a day in milliseconds since 1970, UTC; undefined for one that no calendar has. What is left out is
 * that of `now`, and the last day of a month that has no such day.
 */
export function startOfDay({ year, month, date }: Day, now: number): number | undefined {
  const today = new Date(now)
  const ofMonth = (month ?? today.getUTCMonth() + 1) - 1
  if (year < 1 || ofMonth < 0 || ofMonth > 11) return undefined
  const last = daysInMonth(year, ofMonth)
  const ofDay = date ?? Math.min(today.getUTCDate(), last)
  return ofDay < 1 || ofDay > last ? undefined : utc(year, ofMonth, ofDay)
}

/** The same time on the same day of an earlier month; on the last one where that month is shorter. */
export function monthsBefore(now: number, months: number): number {
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
