import { doubleOf } from '../../../model/json/big-num.ts'
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
 * Compares a property with the date of a condition.
 *
 * | `date_forms`  | a date without a zone is in  | a number as the property is | the property `-7d` |
 * |---------------|------------------------------|-----------------------------|--------------------|
 * | `lenient`     | UTC                          | undecided                   | undecided          |
 * | `iso`         | the zone of the project      | seconds since 1970          | a date             |
 * | `iso_utc`     | UTC                          | undecided                   | undecided          |
 * | `javascript`  | UTC; with a time, undecided  | milliseconds since 1970     | undecided          |
 *
 * `lenient` reads what `readMoment` does, the others ISO dates alone. What is not read is undecided.
 */
export function matchDate(operator: DateOperator, sides: Sides): Match {
  const { key, known, value, rules } = sides
  if (rules.date_forms === 'lenient') return matchLenient(operator, sides)
  if (typeof value !== 'string')
    return rules.date_forms === 'iso' ? false : undecided('the date of the condition is no text')
  const wanted = momentOf(value, sides)
  if (!wanted) return undecided(`engines read the date ${quoted(value)} of the condition differently`)
  const given = isNumber(known, rules) ? instant(secondsOrMs(known, rules)) : known
  const read = typeof given === 'string' ? ofProperty(given, sides) : isMoment(given) ? given : undefined
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

function isMoment(value: unknown): value is Moment {
  return typeof value === 'object' && value !== null && 'first' in value
}

function instant(at: number): Moment {
  return { first: at, last: at }
}

const hour = 60 * 60 * 1000

/** The moment that an ISO date or a relative one means; undefined of a text that engines read differently. */
function momentOf(
  text: string,
  { now, rules, zoneOffsetMinutes }: Pick<Sides, 'now' | 'rules' | 'zoneOffsetMinutes'>,
): Moment | undefined {
  const relative = /^-?\d{1,4}[hdwmy]$/.test(text) ? readDate(text, now) : undefined
  if (relative && 'at' in relative) return instant(relative.at)
  const read = readIso(text)
  if (!read) return undefined
  if ('at' in read) return instant(read.at)
  const { shown, isDay } = read
  switch (rules.date_forms) {
    case 'iso':
      return zoneOffsetMinutes === undefined
        ? { first: shown - 14 * hour, last: shown + 12 * hour, shown }
        : instant(shown - zoneOffsetMinutes * 60_000)
    case 'javascript':
      return isDay ? instant(shown) : undefined
    default:
      return instant(shown)
  }
}

/** Only the service counts a property from now. */
function ofProperty(text: string, sides: Sides): Moment | undefined {
  return sides.rules.date_forms !== 'iso' && /^-?\d+[a-z]$/.test(text) ? undefined : momentOf(text, sides)
}

function isNumber(known: Json, { date_forms }: EvaluationRules): boolean {
  if (date_forms === 'iso') return Number.isFinite(numberOf(known))
  return date_forms === 'javascript' && doubleOf(known) !== undefined
}

function secondsOrMs(known: Json, { date_forms }: EvaluationRules): number {
  const number = numberOf(known) ?? 0
  return date_forms === 'iso' ? number * 1000 : number
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
