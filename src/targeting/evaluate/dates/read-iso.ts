import { startOfDay } from './calendar.ts'

/** What an ISO date says: a moment, or what clocks show somewhere, in milliseconds since 1970 as if that were UTC. */
export type IsoReading = { readonly at: number } | { readonly shown: number; readonly isDay: boolean }

const form = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(Z|[+-]\d\d:\d\d)?)?$/

/**
 * The ISO dates that every engine of today reads alike but for the zone of those without one: `2024-01-31`,
 * `2024-01-31T10:15`, `2024-01-31 10:15:30.25+01:00`. Undefined for any other text.
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
  return { at: shown - offsetOf(zone) }
}

function offsetOf(zone: string): number {
  const [, sign, hours = '0', minutes = '0'] = /^([+-])(\d\d):(\d\d)$/.exec(zone) ?? []
  const ms = (Number(hours) * 60 + Number(minutes)) * 60_000
  return sign === '-' ? -ms : ms
}
