import { countOf } from '../values/number.ts'
import { invalid } from '../values/type.ts'
import { type FunctionRows, row } from './function-row.ts'

/** The date functions that do not need the current time. */
export const dateFunctions: FunctionRows = {
  formatdate: row(['text', 'text'], 'string', (pattern, moment) => formatDate(pattern, parseMoment(moment))),
  timeadd: row(['text', 'text'], 'string', (moment, duration) => {
    const { nanoseconds, offset } = parseMoment(moment)
    return momentText({ nanoseconds: nanoseconds + parseDuration(duration), offset })
  }),
  timecmp: row(['text', 'text'], 'number', (left, right) => {
    const [one, other] = [parseLooseMoment(left).nanoseconds, parseLooseMoment(right).nanoseconds]
    return countOf(one < other ? -1 : one > other ? 1 : 0)
  }),
}

export const second = 1_000_000_000n

const units: ReadonlyMap<string, bigint> = new Map([
  ['ns', 1n],
  ['us', 1_000n],
  ['µs', 1_000n],
  ['μs', 1_000n],
  ['ms', 1_000_000n],
  ['s', second],
  ['m', second * 60n],
  ['h', second * 3600n],
])

const longest = 2n ** 63n - 1n

/** A duration such as `1h30m` or `-1.5s`, in nanoseconds. */
function parseDuration(text: string): bigint {
  const [, sign = '', parts = ''] = /^([+-]?)(.*)$/s.exec(text) ?? []
  const whole = /^(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+$/
  if (parts !== '0' && !whole.test(parts))
    throw invalid(`${JSON.stringify(text.slice(0, 60))} is no duration`, 'write one as 1h30m')
  let sum = 0n
  for (const [, before = '', fraction = '', unit = ''] of parts.matchAll(
    /(\d*)\.?(\d*)(ns|us|µs|μs|ms|s|m|h)/g,
  )) {
    const size = units.get(unit) ?? 0n
    sum += BigInt(before || '0') * size + partOf(size, fraction)
  }
  if (sum > longest + (sign === '-' ? 1n : 0n)) throw invalid('the duration is too long')
  return sign === '-' ? -sum : sum
}

/** A part of a duration in nanoseconds. Terraform calculates with doubles and with 63-bit integers. */
function partOf(size: bigint, fraction: string): bigint {
  let [figures, scale] = [0n, 1]
  for (const figure of fraction) {
    if (figures > longest / 10n) break
    figures = figures * 10n + BigInt(figure)
    scale *= 10
  }
  return BigInt(Math.trunc(Number(figures) * (Number(size) / scale)))
}

/** Letters are replaced by parts of the date, and text in single quotes is copied. */
function formatDate(pattern: string, moment: Moment): string {
  return pattern.replace(/''|'((?:[^']|'')*)'|'|([a-zA-Z])\2*/g, (whole, quoted: string | undefined) => {
    if (whole === "''") return "'"
    if (whole === "'") throw invalid("a ' has no end")
    if (quoted !== undefined) return quoted.replaceAll("''", "'")
    const part = Object.hasOwn(dateParts, whole) ? dateParts[whole] : undefined
    const text = part?.(localDate(moment), moment.offset)
    if (text === undefined) throw invalid(`${JSON.stringify(whole)} stands for no part of a date`)
    return text
  })
}

const two = (part: number) => String(part).padStart(2, '0')
const half = (date: Date) => date.getUTCHours() % 12 || 12

/** The parts of a date, by their letters in a pattern. */
const dateParts: Readonly<Record<string, (date: Date, offset: number) => string | undefined>> = {
  YY: date => two(date.getUTCFullYear() % 100),
  YYYY: date => String(date.getUTCFullYear()).padStart(4, '0'),
  M: date => String(date.getUTCMonth() + 1),
  MM: date => two(date.getUTCMonth() + 1),
  MMM: date => months[date.getUTCMonth()]?.slice(0, 3),
  MMMM: date => months[date.getUTCMonth()],
  D: date => String(date.getUTCDate()),
  DD: date => two(date.getUTCDate()),
  EEE: date => weekdays[date.getUTCDay()]?.slice(0, 3),
  EEEE: date => weekdays[date.getUTCDay()],
  h: date => String(date.getUTCHours()),
  hh: date => two(date.getUTCHours()),
  H: date => String(half(date)),
  HH: date => two(half(date)),
  AA: date => (date.getUTCHours() < 12 ? 'AM' : 'PM'),
  aa: date => (date.getUTCHours() < 12 ? 'am' : 'pm'),
  m: date => String(date.getUTCMinutes()),
  mm: date => two(date.getUTCMinutes()),
  s: date => String(date.getUTCSeconds()),
  ss: date => two(date.getUTCSeconds()),
  Z: (_, offset) => (offset === 0 ? 'Z' : zoneText(offset, ':')),
  ZZZ: (_, offset) => (offset === 0 ? 'UTC' : zoneText(offset, '')),
  ZZZZ: (_, offset) => zoneText(offset, ''),
  ZZZZZ: (_, offset) => zoneText(offset, ':'),
}

const months = [
  ...['January', 'February', 'March', 'April', 'May', 'June'],
  ...['July', 'August', 'September', 'October', 'November', 'December'],
]
const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

interface Moment {
  /** Nanoseconds since 1970 in UTC. */
  readonly nanoseconds: bigint
  /** The offset of the zone from UTC, in minutes. */
  readonly offset: number
}

const pattern = /^(\d{4})-(\d\d)-(\d\d)T(\d\d?):(\d\d):(\d\d)(?:[.,](\d+))?(?:Z|([+-])(\d\d):(\d\d))$/

/** Parses a moment, strictly as RFC 3339. */
function parseMoment(text: string): Moment {
  const isLoose = /T\d:|,|[+-](?:\d\d:60|2[4-9]:\d\d)$/.test(text)
  if (isLoose) throw notMoment(text)
  return parseLooseMoment(text)
}

/** Like Terraform's other date parser, which also accepts one-digit hours and a decimal comma. */
function parseLooseMoment(text: string): Moment {
  const match = pattern.exec(text)
  if (!match) throw notMoment(text)
  const [, year, month, day, hour, minute, seconds, fraction = '', sign, zoneHour = '0', zoneMinute = '0'] =
    match
  const numbers = [year, month, day, hour, minute, seconds].map(Number)
  const utc = utcSeconds(numbers)
  if (utc === undefined || Number(zoneHour) > 24 || Number(zoneMinute) > 60) throw notMoment(text)
  const offset = (Number(zoneHour) * 60 + Number(zoneMinute)) * (sign === '-' ? -1 : 1)
  const nanoseconds = BigInt(fraction.slice(0, 9).padEnd(9, '0'))
  return { nanoseconds: (utc - BigInt(offset * 60)) * second + nanoseconds, offset }
}

/** Seconds since 1970 in UTC; undefined if there is no such day or time. */
export function utcSeconds(numbers: readonly number[]): bigint | undefined {
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, seconds = 0] = numbers
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  const isDay = date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  if (!isDay || hour > 23 || minute > 59 || seconds > 59) return undefined
  return BigInt(date.getTime() / 1000 + hour * 3600 + minute * 60 + seconds)
}

/** The clock and the calendar in the zone of a moment, without the fraction of a second. */
function localDate({ nanoseconds, offset }: Moment): Date {
  const seconds = (nanoseconds - mod(nanoseconds, second)) / second
  return new Date(Number(seconds) * 1000 + offset * 60_000)
}

/** The text of a moment, without the fraction of a second. A year has four digits or more. */
export function momentText(moment: Moment): string {
  const date = localDate(moment)
  const year = date.getUTCFullYear()
  const figures = String(Math.abs(year)).padStart(4, '0')
  const zone = moment.offset === 0 ? 'Z' : zoneText(moment.offset, ':')
  return `${year < 0 ? '-' : ''}${figures}${date.toISOString().slice(-20, -5)}${zone}`
}

function zoneText(offset: number, separator: string): string {
  const minutes = Math.abs(offset)
  return `${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}${separator}${two(minutes % 60)}`
}

function mod(value: bigint, by: bigint): bigint {
  return ((value % by) + by) % by
}

function notMoment(text: string) {
  return invalid(
    `${JSON.stringify(text.slice(0, 60))} is no date and time`,
    'write one as 2026-01-31T23:59:59Z',
  )
}
