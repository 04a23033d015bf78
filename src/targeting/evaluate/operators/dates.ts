import { doubleOf } from '../../../hcl/json.ts'

import type { Json } from '../../../model/json/json.ts'
import type { EvaluationRules } from '../../../services/engines.ts'
import { quoted } from '../../describe/value-words.ts'
import { readDate, readMoment } from '../dates/read-date.ts'
import { readIso } from '../dates/read-iso.ts'
import { type Match, undecided } from '../match.ts'
import { numberOf } from './numbers.ts'
import { textOf } from './texts.ts'

interface Sides {
  readonly key: string
  readonly known: Json
  readonly value: Json
  readonly now: number
  readonly rules: EvaluationRules
  /** How far the time zone of the project is ahead of UTC; undefined where nobody knows. */
  readonly zoneOffsetMinutes: number | undefined
}

export type DateOperator = 'is_date_before' | 'is_date_after' | 'is_date_exact'

/**
 * Compares a property with the date of a condition. `lenient` reads what `readMoment` does.
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
export function matchDate(operator: DateOperator, sides: Sides): Match {
  const { key, known, value, rules } = sides
  if (rules.date_forms === 'lenient') return matchLenient(operator, sides)
  if (rules.date_forms === 'none') return undecided('dates are left to the service')
  if (typeof value !== 'string')
    return rules.date_forms === 'iso' ? false : undecided('the date of the condition is no text')
  const wanted = relativeMoment(value, sides) ?? momentOf(value, sides)
  if (!wanted) return undecided(`engines read the date ${quoted(value)} of the condition differently`)
  const read = ofNumber(known, rules) ?? (typeof known === 'string' ? ofProperty(known, sides) : undefined)
  // The value itself is somebody's and is not repeated.
  if (!read)
    return rules.date_forms === 'iso' && typeof known !== 'string'
      ? false
      : undecided(`the property ${quoted(key)} is not read as a date by every engine`)
  return compareMoments(operator, read, wanted)
}

/** From the first to the last moment that a date may mean: one, but for a date in a zone that nobody knows. */
interface Moment {
  readonly first: number
  readonly last: number
  /** What clocks show in the zone of the project; two such dates are in the same one. */
  readonly shown?: number
}

function instant(at: number): Moment {
  return { first: at, last: at }
}

const hour = 60 * 60 * 1000

type Here = Pick<Sides, 'now' | 'rules' | 'zoneOffsetMinutes'>

/** What clocks show in a zone that may not be known. */
function shownIn(zoneOffsetMinutes: number | undefined, shown: number): Moment {
  return zoneOffsetMinutes === undefined
    ? { first: shown - 14 * hour, last: shown + 12 * hour, shown }
    : instant(shown - zoneOffsetMinutes * 60_000)
}

/** The moment that `-7d` means, counted from now. */
function relativeMoment(text: string, { now, rules }: Here): Moment | undefined {
  if (rules.date_forms === 'rfc_3339') {
    const [, amount, unit = ''] = /^-(\d+)([hdwmy])$/.exec(text.trim()) ?? []
    const days = { h: 1 / 24, d: 1, w: 7, m: 30, y: 365 }[unit]
    return days === undefined ? undefined : instant(now - Number(amount) * days * 24 * hour)
  }
  const relative = /^-?\d{1,4}[hdwmy]$/.test(text) ? readDate(text, now) : undefined
  return relative && 'at' in relative ? instant(relative.at) : undefined
}

/** The moment that a date means; undefined of a text that engines read differently. */
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

/** What JavaScript reads: a day, or a time with a zone, is a moment; anything else is in the zone of the machine. */
function inJavaScript(text: string, zoneOffsetMinutes: number | undefined): Moment | undefined {
  if (/^\d{4}(-\d\d){0,2}$|(Z|UTC|GMT|[+-]\d\d:?\d\d)\)?$/i.test(text)) {
    const at = Date.parse(text)
    return Number.isNaN(at) ? undefined : instant(at)
  }
  if (Number.isNaN(Date.parse(text))) return undefined
  const shown = Date.parse(/^\d{4}-\d\d-\d\dT/.test(text) ? `${text}Z` : `${text} UTC`)
  return Number.isNaN(shown) ? undefined : shownIn(zoneOffsetMinutes, shown)
}

/** Only the service and `rfc_3339` count a property from now. */
function ofProperty(text: string, sides: Sides): Moment | undefined {
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
    return undecided('it depends on the time zone of the project, which is not known here')
  if (operator === 'is_date_exact') return isSame
  return operator === 'is_date_before' ? isBefore : isAfter
}

function matchLenient(operator: DateOperator, { key, known, value, now }: Sides): Match {
  const wanted = typeof value === 'string' ? readDate(value, now) : undefined
  if (!wanted) return undecided('the date of the condition is no text')
  if ('why' in wanted)
    return undecided(`the date ${quoted(textOf(value))} of the condition is not read: ${wanted.why}`)
  const given = typeof known === 'string' ? readMoment(known, now) : undefined
  if (!given) return undecided(`the property ${quoted(key)} is no text and so no date`)
  if ('why' in given) return undecided(`the property ${quoted(key)} is not read as a date: ${given.why}`)
  return compareMoments(operator, instant(given.at), instant(wanted.at))
}
