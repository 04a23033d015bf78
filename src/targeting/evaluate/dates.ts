import { doubleOf } from '../../hcl/json.ts'
import type { Json } from '../../model/text/json.ts'
import type { EvaluationRules } from '../../services/engines.ts'
import { quoted } from '../value-words.ts'
import { type Compared, type Match, numberOf, textOf, undecided } from './compared-values.ts'

export type DateOperator = 'is_date_before' | 'is_date_after' | 'is_date_exact'

/**
 * Compares a property with the date of a condition. `lenient` reads the forms of `readMoment`.
 *
 * | `date_forms`  | dates                    | without a zone                | a number is    | the property `-7d` |
 * |---------------|--------------------------|-------------------------------|----------------|--------------------|
 * | `lenient`     | any usual form           | UTC                           | undecided      | undecided          |
 * | `iso`         | ISO                      | the zone of the project       | seconds        | a date             |
 * | `iso_utc`     | ISO, a year as this day  | UTC                           | undecided      | undecided          |
 * | `javascript`  | what `Date.parse` reads  | days UTC, times the machine's | milliseconds   | undecided          |
 * | `rfc_3339`    | days, times with seconds | UTC; a time: undecided        | undecided      | a date             |
 * | `java`        | ISO                      | that of the machine           | undecided      | undecided          |
 * | `none`        | none                     |                               |                |                    |
 */
export function matchDate(operator: DateOperator, sides: Compared): Match {
  const { key, known, value, rules } = sides
  if (rules.date_forms === 'lenient') return matchLenient(operator, sides)
  if (rules.date_forms === 'none') return undecided('only the service compares dates')
  if (typeof value !== 'string')
    return rules.date_forms === 'iso' ? false : undecided('the date of the condition is not text')
  const wanted = relativeMoment(value, sides) ?? momentOf(value, sides)
  if (!wanted) return undecided(`engines read the date ${quoted(value)} of the condition differently`)
  const read = ofNumber(known, rules) ?? (typeof known === 'string' ? ofProperty(known, sides) : undefined)
  // The value is personal data of the subject, so the reason does not repeat it.
  if (!read)
    return rules.date_forms === 'iso' && typeof known !== 'string'
      ? false
      : undecided(`engines differ: not all of them read the property ${quoted(key)} as a date`)
  return compareMoments(operator, read, wanted)
}

/** The first and last possible moment of a date. They differ only if the zone is unknown. */
interface Moment {
  readonly first: number
  readonly last: number
  /** The clock time in the zone of the project; two such dates are in the same zone. */
  readonly shown?: number
}

function instant(at: number): Moment {
  return { first: at, last: at }
}

const hourMs = 60 * 60 * 1000

type Here = Pick<Compared, 'now' | 'rules' | 'zoneOffsetMinutes'>

/** A clock time in a zone that may be unknown. */
function shownIn(zoneOffsetMinutes: number | undefined, shown: number): Moment {
  return zoneOffsetMinutes === undefined
    ? { first: shown - 14 * hourMs, last: shown + 12 * hourMs, shown }
    : instant(shown - zoneOffsetMinutes * 60_000)
}

/** The moment for `-7d`, relative to now. */
function relativeMoment(text: string, { now, rules }: Here): Moment | undefined {
  if (rules.date_forms === 'rfc_3339') {
    const [, amount, unit = ''] = /^-(\d+)([hdwmy])$/.exec(text.trim()) ?? []
    const days = { h: 1 / 24, d: 1, w: 7, m: 30, y: 365 }[unit]
    return days === undefined ? undefined : instant(now - Number(amount) * days * 24 * hourMs)
  }
  const relative = /^-?\d{1,4}[hdwmy]$/.test(text) ? readDate(text, now) : undefined
  return relative && 'at' in relative ? instant(relative.at) : undefined
}

/** The moment of a date; undefined for a text that engines read differently. */
function momentOf(text: string, { now, rules, zoneOffsetMinutes }: Here): Moment | undefined {
  switch (rules.date_forms) {
    case 'javascript':
      return inJavaScript(text, zoneOffsetMinutes)
    case 'iso_utc': {
      if (/^\d{4}$/.test(text)) return instant(new Date(now).setUTCFullYear(Number(text)))
      const read = readIso(
        text
          .trim()
          .replace(/ UTC$/i, 'Z')
          .replace(/([+-]\d\d)(\d\d)$/, '$1:$2'),
      )
      return read && instant('at' in read ? read.at : read.shown)
    }
    case 'rfc_3339': {
      const read = readIso(text.replace(/^(\d{4})-(\d)-/, '$1-0$2-').replace(/^(\d{4}-\d\d)-(\d)$/, '$1-0$2'))
      if (!read || ('shown' in read && !read.isDay)) return undefined
      if ('shown' in read) return instant(read.shown)
      return /\d\d:\d\d:\d\d/.test(text) ? instant(read.at) : undefined
    }
    case 'java': {
      const read = readIso(text)
      if (!read) return undefined
      if ('at' in read) return instant(read.at)
      return read.isDay || /^[\d-]{10} [\d:]{8}$/.test(text)
        ? shownIn(zoneOffsetMinutes, read.shown)
        : undefined
    }
    default: {
      const read = readIso(text)
      if (!read) return undefined
      return 'at' in read ? instant(read.at) : shownIn(zoneOffsetMinutes, read.shown)
    }
  }
}

/** A day, or a time with a zone, is a moment; JavaScript reads anything else in the zone of the machine. */
function inJavaScript(text: string, zoneOffsetMinutes: number | undefined): Moment | undefined {
  if (/^\d{4}(-\d\d){0,2}$|(Z|UTC|GMT|[+-]\d\d:?\d\d)\)?$/i.test(text)) {
    const at = Date.parse(text)
    return Number.isNaN(at) ? undefined : instant(at)
  }
  if (Number.isNaN(Date.parse(text))) return undefined
  const shown = Date.parse(/^\d{4}-\d\d-\d\dT/.test(text) ? `${text}Z` : `${text} UTC`)
  return Number.isNaN(shown) ? undefined : shownIn(zoneOffsetMinutes, shown)
}

/** Only the service and `rfc_3339` accept a property that is relative to now. */
function ofProperty(text: string, sides: Compared): Moment | undefined {
  const { date_forms } = sides.rules
  const relative = date_forms === 'iso' || date_forms === 'rfc_3339' ? relativeMoment(text, sides) : undefined
  return relative ?? momentOf(text, sides)
}

/** A number as a moment: seconds since 1970, or milliseconds. */
function ofNumber(known: Json, { date_forms }: EvaluationRules): Moment | undefined {
  const ms =
    date_forms === 'iso'
      ? (numberOf(known) ?? Number.NaN) * 1000
      : date_forms === 'javascript'
        ? doubleOf(known)
        : undefined
  return Number.isFinite(ms) ? instant(Number(ms)) : undefined
}

function compareMoments(operator: DateOperator, left: Moment, right: Moment): Match {
  if (left.shown !== undefined && right.shown !== undefined)
    return compareMoments(operator, instant(left.shown), instant(right.shown))
  const [isBefore, isAfter] = [left.last < right.first, left.first > right.last]
  const isSame = left.first === left.last && right.first === right.last && left.first === right.first
  if (!isBefore && !isAfter && !isSame)
    return undecided('the result depends on the time zone of the project, which is unknown')
  if (operator === 'is_date_exact') return isSame
  return operator === 'is_date_before' ? isBefore : isAfter
}

function matchLenient(operator: DateOperator, { key, known, value, now }: Compared): Match {
  const wanted = typeof value === 'string' ? readDate(value, now) : undefined
  if (!wanted) return undecided('the date of the condition is not text')
  if ('why' in wanted)
    return undecided(`the date ${quoted(textOf(value))} of the condition cannot be read: ${wanted.why}`)
  const given = typeof known === 'string' ? readMoment(known, now) : undefined
  if (!given) return undecided(`the property ${quoted(key)} is not text, so it is not a date`)
  if ('why' in given) return undecided(`the property ${quoted(key)} cannot be read as a date: ${given.why}`)
  return compareMoments(operator, instant(given.at), instant(wanted.at))
}

/** The moment of a text, in milliseconds since 1970, or why it has none. */
export type DateReading = DateRead | { readonly why: string }

interface DateRead {
  readonly at: number
  /** True if the text has no day or no month: `now` provides them, so it means another moment tomorrow. */
  readonly isPartial: boolean
}

/**
 * Reads the date of a condition. `-7d` and `7d` both mean seven days before `now`; units are h, d, w, m and
 * y. `readMoment` reads everything else. [service-behaviour 12; posthog-python
 * `relative_date_parse_for_feature_flag_matching`]
 */
export function readDate(text: string, now: number): DateReading {
  const relative = /^-?(\d+)([a-z])$/.exec(text)
  if (!relative) return readMoment(text, now)
  const [amount, unit = ''] = [Number(relative[1]), relative[2]]
  const at = amount < 10_000 ? before(now, amount, unit) : undefined
  return at === undefined
    ? { why: 'a date relative to now needs at most four digits and one of h, d, w, m, y' }
    : { at, isPartial: false }
}

/**
 * Reads a date like the lenient parser of the service (python-dateutil), but only in the forms of
 * `dateForms`. A date without a zone is in UTC; a date without a time is at midnight.
 */
export function readMoment(text: string, now: number): DateReading {
  const trimmed = text.trim()
  const parts = partsOf(trimmed)
  return parts ? momentOfParts(parts, now) : { why: whyUnread(trimmed) }
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

function momentOfParts(parts: DateParts, now: number): DateReading {
  const { hour, minute, second, microsecond, offsetMinutes } = parts
  const day = startOfDay(parts, now)
  if (day === undefined) return { why: 'that day does not exist' }
  if (hour > 23 || minute > 59 || second > 59) return { why: 'that time does not exist' }
  const time = ((hour * 60 + minute - offsetMinutes) * 60 + second) * 1000 + microsecond / 1000
  return { at: day + time, isPartial: parts.month === undefined || parts.date === undefined }
}

function whyUnread(text: string): string {
  if (text === '') return 'the text is empty'
  const zone = /(?:\d|[ap]m)\s*([A-Z]{3,5})$/i.exec(text)?.[1]
  if (zone !== undefined && zone !== 'UTC' && zone !== 'GMT')
    return `the service ignores the zone "${zone}"; write the offset, such as +01:00`
  if (/^\d{9,}$/.test(text)) return 'a count of seconds is not a date'
  if (/^\D*\d{1,2}\D+\d{1,2}\D+\d{2}(\D|$)/.test(text)) return 'the year has two digits'
  return 'its format is not a supported date format'
}

/** An ISO date: a moment, or a clock time in an unknown zone, in milliseconds since 1970 as if in UTC. */
export type IsoReading = { readonly at: number } | { readonly shown: number; readonly isDay: boolean }

const form = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(Z|[+-]\d\d:\d\d)?)?$/

/**
 * Reads the ISO dates that every engine of today reads equally, except for the zone if it is missing:
 * `2024-01-31`, `2024-01-31T10:15`, `2024-01-31 10:15:30.25+01:00`. Undefined for any other text.
 */
export function readIso(text: string): IsoReading | undefined {
  const [, year, month, date, hour = '0', minute = '0', second = '0', fraction = '', zone] =
    form.exec(text) ?? []
  if (year === undefined) return undefined
  const day = startOfDay({ year: Number(year), month: Number(month), date: Number(date) }, 0)
  const [h, m, s] = [Number(hour), Number(minute), Number(second)]
  if (day === undefined || h > 23 || m > 59 || s > 59) return undefined
  const shown = day + ((h * 60 + m) * 60 + s) * 1000 + Number(`0.${fraction || 0}`) * 1000
  if (zone === undefined) return { shown, isDay: text.length === 10 }
  return { at: shown - offsetMs(zone) }
}

function offsetMs(zone: string): number {
  const [, sign, hours = '0', minutes = '0'] = /^([+-])(\d\d):(\d\d)$/.exec(zone) ?? []
  const ms = (Number(hours) * 60 + Number(minutes)) * 60_000
  return sign === '-' ? -ms : ms
}

/** The parts of a date in a text, not yet checked for validity. */
interface DateParts extends Day {
  readonly hour: number
  readonly minute: number
  readonly second: number
  readonly microsecond: number
  /** The offset of the zone from UTC. */
  readonly offsetMinutes: number
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'] as const
const month =
  '(?<word>january|jan|february|feb|march|mar|april|apr|may|june|jun|july|jul|august|aug|' +
  'september|sept|sep|october|oct|november|nov|december|dec)'
const weekday =
  '(?:(?:mon|tue|tuesday|wed|wednesday|thu|thursday|fri|sat|saturday|sun|monday|friday|sunday),?\\s+)?'
const date = '(?<date>\\d{1,2})(?:st|nd|rd|th)?'
const year = '(?<year>\\d{4})'

/** The forms of days, from the most complete to the least. */
const days = [
  `${weekday}${year}(?<mark>[-/.])(?<month>\\d{1,2})\\k<mark>(?<date>\\d{1,2})`,
  `${year}(?<month>\\d\\d)(?<date>\\d\\d)`,
  `${weekday}(?<either>\\d{1,2})(?<mark>[-/.])(?<other>\\d{1,2})\\k<mark>${year}`,
  `${weekday}${month}\\s+${date},?\\s+${year}`,
  `${weekday}${date}(?:\\s+|-)(?:of\\s+)?${month}(?:,?\\s+|-)${year}`,
  `${year}[-/](?<month>\\d{1,2})`,
  `${month},?\\s+${year}`,
  year,
].map(form => new RegExp(`^${form}(?=$|[ ,tT])`, 'i'))

const fraction = '(?:[.,](?<fraction>\\d+))?'
const offset = '[+-]\\d\\d(?::?\\d\\d)?'
const zone = `(?<zone>\\s?(?:UTC|GMT|[Zz]|${offset}))?`
// With another letter right after it, "pm" would be part of another word.
const half = `\\s?(?<half>[aApP][mM])(?<zone>\\s(?:UTC|GMT|[Zz])|\\s?${offset})?`
const hour = '(?<hour>\\d{1,2})'
const clock = `${hour}:(?<minute>\\d\\d)(?::(?<second>\\d\\d)${fraction})?`
/** Only after a complete day: "2024T1015" is not a date. */
const compact = new RegExp(`^[tT](?<hour>\\d\\d)(?<minute>\\d\\d)(?:(?<second>\\d\\d)${fraction})?${zone}$`)

/** The forms of times, with the separator between day and time. */
const times = [
  `(?:[tT]|,?\\s+(?:at\\s+)?)${clock}${zone}`,
  `(?:[tT]|,?\\s+(?:at\\s+)?)${clock}${half}`,
  `,?\\s+(?:at\\s+)?${hour}${half}`,
].map(form => new RegExp(`^${form}$`))

type Groups = Readonly<Record<string, string | undefined>>

/** The parts of a date in one of the forms; undefined for any other text. */
function partsOf(text: string): DateParts | undefined {
  for (const form of days) {
    const match = form.exec(text)
    const day = match?.groups && dayOf(match.groups)
    if (!day) continue
    const rest = text.slice(match[0].length)
    if (rest === '') return { ...day, hour: 0, minute: 0, second: 0, microsecond: 0, offsetMinutes: 0 }
    const time = timeOf(rest, day.date === undefined ? times : [...times, compact])
    if (time) return { ...day, ...time }
  }
  return undefined
}

function dayOf({ year: ofYear, month: number, word, date: ofDate, either, other }: Groups): Day {
  const found = {
    year: Number(ofYear),
    month: undefined,
    date: ofDate === undefined ? undefined : Number(ofDate),
  }
  if (either !== undefined && other !== undefined) {
    // The month comes first, if the number can be a month.
    const [first, second] = [Number(either), Number(other)]
    return first > 12 ? { ...found, month: second, date: first } : { ...found, month: first, date: second }
  }
  if (number !== undefined) return { ...found, month: Number(number) }
  if (word === undefined) return found
  return { ...found, month: months.findIndex(name => word.toLowerCase().startsWith(name)) + 1 }
}

function timeOf(text: string, forms: readonly RegExp[]): Omit<DateParts, keyof Day> | undefined {
  for (const form of forms) {
    const groups = form.exec(text)?.groups
    if (!groups) continue
    const { minute = '0', second = '0', fraction: part = '', zone: ofZone } = groups
    return {
      hour: hourOf(Number(groups.hour), groups.half?.toLowerCase()),
      minute: Number(minute),
      second: Number(second),
      microsecond: Number(part.padEnd(6, '0').slice(0, 6)),
      offsetMinutes: offsetInMinutes(ofZone?.trim()),
    }
  }
  return undefined
}

/** The hour in 24-hour form; invalid if above 12 with am or pm. */
function hourOf(hour: number, half: string | undefined): number {
  if (half === undefined) return hour
  if (hour > 12) return Number.POSITIVE_INFINITY
  return (hour % 12) + (half === 'pm' ? 12 : 0)
}

function offsetInMinutes(zone: string | undefined): number {
  const [, sign, hours = '0', minutes = '0'] = /^([+-])(\d\d):?(\d\d)?$/.exec(zone ?? '') ?? []
  const total = Number(hours) * 60 + Number(minutes)
  return sign === '-' ? -total : total
}

/** A day of which the month, or only the day of the month, may be missing. */
interface Day {
  readonly year: number
  /** 1 to 12. */
  readonly month: number | undefined
  readonly date: number | undefined
}

/**
 * The start of a day in milliseconds since 1970, UTC; undefined if the day does not exist. `now` provides
 * missing parts; if that month is too short, its last day is used.
 */
function startOfDay({ year, month, date }: Day, now: number): number | undefined {
  const today = new Date(now)
  const ofMonth = (month ?? today.getUTCMonth() + 1) - 1
  if (year < 1 || ofMonth < 0 || ofMonth > 11) return undefined
  const last = daysInMonth(year, ofMonth)
  const ofDay = date ?? Math.min(today.getUTCDate(), last)
  return ofDay < 1 || ofDay > last ? undefined : utc(year, ofMonth, ofDay)
}

/** The same time on the same day of an earlier month; on the last day if that month is shorter. */
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

/** `Date.UTC` adds 1900 to years below 100. */
function utc(year: number, month: number, date: number): number {
  return new Date(0).setUTCFullYear(year, month, date)
}
