/** A period without changes, in a time zone. */
export type FrozenWindow = FrozenDates | FrozenWeekly

interface Frozen {
  /** A name in the tz database; UTC if absent. */
  readonly timezone?: string
  readonly because?: string
}

/** `from` and `to`: a whole day, `2026-12-20`, or a minute, `2026-12-20 16:00`. Both belong to the window. */
export interface FrozenDates extends Frozen {
  readonly from: string
  readonly to: string
}

/** `weekly`: `fri 16:00 - mon 08:00`. At the second time changes are allowed again. */
export interface FrozenWeekly extends Frozen {
  readonly weekly: string
}

const days: readonly string[] = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
const time = '(?:[01][0-9]|2[0-3]):[0-5][0-9]'
const dayTime = `(?:${days.join('|')}) ${time}`

export const dateSchema = {
  type: 'string',
  pattern: `^[0-9]{4}-[0-9]{2}-[0-9]{2}(?: ${time})?$`,
  title: 'a day, or a minute of a day',
  examples: ['2026-12-20', '2026-12-20 16:00'],
} as const

export const weeklySchema = {
  type: 'string',
  pattern: `^${dayTime} - ${dayTime}$`,
  title: `two times of a week (${days[0]} to ${days.at(-1)})`,
  examples: ['fri 16:00 - mon 08:00'],
} as const

/** The first window that contains a time in milliseconds since 1970. */
export function windowAt(windows: readonly FrozenWindow[], now: number): FrozenWindow | undefined {
  return windows.find(window => isIn(window, localTime(now, window.timezone)))
}

/** `holidays: 2026-12-20 to 2027-01-02 (Europe/Berlin)`. */
export function windowText(window: FrozenWindow): string {
  const { timezone = 'UTC', because } = window
  const when = 'weekly' in window ? window.weekly : `${window.from} to ${window.to}`
  return `${because === undefined ? '' : `${because}: `}${when} (${timezone})`
}

/** The problem of a window whose texts have the correct format. */
export function windowProblem(window: FrozenWindow): string | undefined {
  const { timezone = 'UTC' } = window
  if (!isTimezone(timezone)) return `${JSON.stringify(timezone)} is not a time zone such as Europe/Berlin`
  if ('weekly' in window) {
    const [from, to] = window.weekly.split(' - ')
    return from === to ? 'it begins and ends at the same time' : undefined
  }
  const wrong = [window.from, window.to].find(date => !isDate(date))
  if (wrong !== undefined) return `${JSON.stringify(wrong)} is not a calendar day`
  return firstOf(window.from) > lastOf(window.to) ? 'it ends before it begins' : undefined
}

/** The local time in a time zone: date and time as text, and the minute of the week, starting on Monday. */
interface LocalTime {
  readonly text: string
  readonly minuteOfWeek: number
}

function isIn(window: FrozenWindow, { text, minuteOfWeek }: LocalTime): boolean {
  // Dates in this format sort correctly as text.
  if (!('weekly' in window)) return firstOf(window.from) <= text && text <= lastOf(window.to)
  const [from = 0, to = 0] = window.weekly.split(' - ').map(minutesOf)
  return from < to ? from <= minuteOfWeek && minuteOfWeek < to : from <= minuteOfWeek || minuteOfWeek < to
}

function firstOf(date: string): string {
  return date.includes(' ') ? date : `${date} 00:00`
}

function lastOf(date: string): string {
  return date.includes(' ') ? date : `${date} 23:59`
}

function minutesOf(text: string): number {
  const [day = '', clock = ''] = text.split(' ')
  const [hours, minutes] = clock.split(':').map(Number)
  return (days.indexOf(day) * 24 + (hours ?? 0)) * 60 + (minutes ?? 0)
}

function localTime(now: number, timezone = 'UTC'): LocalTime {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: timezone,
    hourCycle: 'h23',
    weekday: 'short',
    ...{ year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' },
  })
  const parts = new Map(format.formatToParts(now).map(({ type, value }) => [type, value]))
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? ''
  const clock = `${part('hour')}:${part('minute')}`
  return {
    text: `${part('year')}-${part('month')}-${part('day')} ${clock}`,
    minuteOfWeek: minutesOf(`${part('weekday').toLowerCase()} ${clock}`),
  }
}

function isDate(date: string): boolean {
  const [day = ''] = date.split(' ')
  const time = Date.parse(`${day}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day)
}

function isTimezone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name })
    return true
  } catch {
    return false
  }
}

export const dayMs = 24 * 60 * 60 * 1000

const units = { hour: dayMs / 24, day: dayMs, week: 7 * dayMs } as const

type Unit = keyof typeof units

/** A duration, as people write it: `12 hours`, `14 days`, `2 weeks`. */
export const spanSchema = {
  type: 'string',
  pattern: `^[1-9][0-9]{0,4} (${Object.keys(units).join('|')})s?$`,
  title: 'a time',
  examples: ['14 days'],
} as const

/** The milliseconds of a duration text; undefined for any other text. */
export function spanMs(text: string): number | undefined {
  if (!new RegExp(spanSchema.pattern).test(text)) return undefined
  const [count = '', unit = ''] = text.split(' ')
  // The pattern allows exactly these units.
  return Number(count) * units[unit.replace(/s$/, '') as Unit]
}
