import { invalid } from '../../../cty/invalid-value.ts'

/** A moment with the zone that it is told in. */
export interface Moment {
  /** Nanoseconds since 1970 in UTC. */
  readonly nanoseconds: bigint
  /** How far the zone is ahead of UTC, in minutes. */
  readonly offset: number
}

export const second = 1_000_000_000n

const pattern = /^(\d{4})-(\d\d)-(\d\d)T(\d\d?):(\d\d):(\d\d)(?:[.,](\d+))?(?:Z|([+-])(\d\d):(\d\d))$/

/** A moment from its text, as RFC 3339 has it to the letter. */
export function parseMoment(text: string): Moment {
  const isLoose = /T\d:|,|[+-](?:\d\d:60|2[4-9]:\d\d)$/.test(text)
  if (isLoose) throw notMoment(text)
  return parseLooseMoment(text)
}

/** The same where Terraform reads dates in another way: also hours of one figure, and a comma before the fraction. */
export function parseLooseMoment(text: string): Moment {
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

/** Seconds since 1970 of what is told in UTC; undefined where there is no such day or time. */
export function utcSeconds(numbers: readonly number[]): bigint | undefined {
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, seconds = 0] = numbers
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  const isDay = date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  if (!isDay || hour > 23 || minute > 59 || seconds > 59) return undefined
  return BigInt(date.getTime() / 1000 + hour * 3600 + minute * 60 + seconds)
}

/** The clock and the calendar in the zone of a moment; the fraction of its second is left out. */
export function localDate({ nanoseconds, offset }: Moment): Date {
  const seconds = (nanoseconds - mod(nanoseconds, second)) / second
  return new Date(Number(seconds) * 1000 + offset * 60_000)
}

/** The text of a moment, without the fraction of its second. A year has four figures or, where it needs them, more. */
export function momentText(moment: Moment): string {
  const date = localDate(moment)
  const year = date.getUTCFullYear()
  const figures = String(Math.abs(year)).padStart(4, '0')
  const zone = moment.offset === 0 ? 'Z' : zoneText(moment.offset, ':')
  return `${year < 0 ? '-' : ''}${figures}${date.toISOString().slice(-20, -5)}${zone}`
}

export function zoneText(offset: number, separator: string): string {
  const two = (part: number) => String(Math.floor(part)).padStart(2, '0')
  const minutes = Math.abs(offset)
  return `${offset < 0 ? '-' : '+'}${two(minutes / 60)}${separator}${two(minutes % 60)}`
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
