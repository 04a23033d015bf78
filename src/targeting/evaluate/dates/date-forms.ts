import type { Day } from './calendar.ts'

/** What a text says, before it is known whether a calendar and a clock have it. */
export interface DateParts extends Day {
  readonly hour: number
  readonly minute: number
  readonly second: number
  readonly microsecond: number
  /** How far the zone is ahead of UTC. */
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

/** The forms of days, the one that says most first. */
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
// A letter right after "pm" would make another word of it.
const half = `\\s?(?<half>[aApP][mM])(?<zone>\\s(?:UTC|GMT|[Zz])|\\s?${offset})?`
const hour = '(?<hour>\\d{1,2})'
const clock = `${hour}:(?<minute>\\d\\d)(?::(?<second>\\d\\d)${fraction})?`
/** After a whole day alone: "2024T1015" is none. */
const compact = new RegExp(`^[tT](?<hour>\\d\\d)(?<minute>\\d\\d)(?:(?<second>\\d\\d)${fraction})?${zone}$`)

/** The forms of times, with what stands between day and time. */
const times = [
  `(?:[tT]|,?\\s+(?:at\\s+)?)${clock}${zone}`,
  `(?:[tT]|,?\\s+(?:at\\s+)?)${clock}${half}`,
  `,?\\s+(?:at\\s+)?${hour}${half}`,
].map(form => new RegExp(`^${form}$`))

type Groups = Readonly<Record<string, string | undefined>>

/** What a text of one of the forms says; undefined for any other text. */
export function partsOf(text: string): DateParts | undefined {
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
    // The month comes first, where it can be one.
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
      offsetMinutes: offsetOf(ofZone?.trim()),
    }
  }
  return undefined
}

/** An hour that no clock with two halves has is none of the other either. */
function hourOf(hour: number, half: string | undefined): number {
  if (half === undefined) return hour
  if (hour > 12) return Number.POSITIVE_INFINITY
  return (hour % 12) + (half === 'pm' ? 12 : 0)
}

function offsetOf(zone: string | undefined): number {
  const [, sign, hours = '0', minutes = '0'] = /^([+-])(\d\d):?(\d\d)?$/.exec(zone ?? '') ?? []
  const total = Number(hours) * 60 + Number(minutes)
  return sign === '-' ? -total : total
}
