import { monthsBefore, startOfDay } from './calendar.ts'
import { type DateParts, partsOf } from './date-forms.ts'

/** The moment that a text means, in milliseconds since 1970, or why it means none. */
export type DateReading = DateRead | { readonly why: string }

interface DateRead {
  readonly at: number
  /** True where the text leaves out the day or the month: they are those of `now`, so that it means another moment tomorrow. */
  readonly isPartial: boolean
}

/**
 * Reads the date of a condition. `-7d` and `7d` are both seven days before `now`; units are h, d, w, m and y. Anything
 * else is read as `readMoment` does. [service-behaviour 12; posthog-python `relative_date_parse_for_feature_flag_matching`]
 */
export function readDate(text: string, now: number): DateReading {
  const relative = /^-?(\d+)([a-z])$/.exec(text)
  if (!relative) return readMoment(text, now)
  const [amount, unit = ''] = [Number(relative[1]), relative[2]]
  const at = amount < 10_000 ? before(now, amount, unit) : undefined
  return at === undefined
    ? { why: 'a date that counts from now has at most four digits and one of h, d, w, m, y' }
    : { at, isPartial: false }
}

/**
 * Reads a date as the service's lenient parser does (python-dateutil), in the forms that `dateForms` shows and no
 * others. What has no zone is UTC; what has no time is midnight.
 */
export function readMoment(text: string, now: number): DateReading {
  const trimmed = text.trim()
  const parts = partsOf(trimmed)
  return parts ? momentOf(parts, now) : { why: whyUnread(trimmed) }
}

function before(now: number, amount: number, unit: string): number | undefined {
  const hour = 60 * 60 * 1000
  switch (unit) {
    case 'h':
      return now - amount * hour
    case 'd':
      return now - amount * 24 * hour
    case 'w':
      return now - amount * 7 * 24 * hour
    case 'm':
      return monthsBefore(now, amount)
    case 'y':
      return monthsBefore(now, amount * 12)
    default:
      return undefined
  }
}

function momentOf(parts: DateParts, now: number): DateReading {
  const { hour, minute, second, microsecond, offsetMinutes } = parts
  const day = startOfDay(parts, now)
  if (day === undefined) return { why: 'no calendar has that day' }
  if (hour > 23 || minute > 59 || second > 59) return { why: 'no clock shows that time' }
  const time = ((hour * 60 + minute - offsetMinutes) * 60 + second) * 1000 + microsecond / 1000
  return { at: day + time, isPartial: parts.month === undefined || parts.date === undefined }
}

function whyUnread(text: string): string {
  if (text === '') return 'it is empty'
  const zone = /(?:\d|[ap]m)\s*([A-Z]{3,5})$/i.exec(text)?.[1]
  if (zone !== undefined && zone !== 'UTC' && zone !== 'GMT')
    return `the service passes over the zone "${zone}"; write the offset, as in +01:00`
  if (/^\d{9,}$/.test(text)) return 'a count of seconds is no date'
  if (/^\D*\d{1,2}\D+\d{1,2}\D+\d{2}(\D|$)/.test(text)) return 'its year has two digits'
  return 'it has none of the forms of dates that are read'
}
