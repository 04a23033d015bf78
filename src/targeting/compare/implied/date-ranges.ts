import type { EvaluationRules } from '../../../services/engines.ts'
import { readMoment } from '../../evaluate/dates/read-date.ts'
import { type Moment, momentOf } from '../../evaluate/operators/dates.ts'
import type { Asked } from './asked.ts'
import { type Range, rangeBy, type Scale } from './ranges.ts'

/**
 * A date of a condition, that of the calendar or one that counts back from now. Neither is held against the other: which
 * of them is later depends on the day on which somebody looks.
 */
type DatePoint = { readonly moment: Moment } | Back

/** So many hours before now, or so many months. */
interface Back {
  readonly hours: number
  readonly months: number
}

const hoursOf: Readonly<Record<string, number>> = { h: 1, d: 24, w: 7 * 24 }
const monthsOf: Readonly<Record<string, number>> = { m: 1, y: 12 }

/** How dates follow each other, wherever the project is and whenever somebody looks. */
export const byDate: Scale<DatePoint> = {
  isLess: (left, right) => follows(left, right, false),
  isAtMost: (left, right) => follows(left, right, true),
}

/** Undefined of other operators, and of dates that mean another moment to another engine or on another day. */
export function readDates({ operator, value, rules }: Asked): Range<DatePoint> | undefined {
  const relation = relations[operator]
  const point = relation && typeof value === 'string' ? readPoint(value, rules) : undefined
  return relation && point && rangeBy(relation, point)
}

const relations: Readonly<Record<string, 'eq' | 'gt' | 'lt'>> = {
  is_date_before: 'lt',
  is_date_after: 'gt',
  is_date_exact: 'eq',
}

function readPoint(text: string, rules: EvaluationRules): DatePoint | undefined {
  const [, digits, unit = ''] = /^-?(\d{1,4})([hdwmy])$/.exec(text) ?? []
  if (digits !== undefined) {
    const [hours = 0, months = 0] = [hoursOf[unit], monthsOf[unit]].map(each => Number(digits) * (each ?? 0))
    return { hours, months }
  }
  if (rules.date_forms !== 'lenient') {
    const moment = momentOf(text, { now: 0, rules, zoneOffsetMinutes: undefined })
    return moment && { moment }
  }
  const read = readMoment(text, 0)
  return 'at' in read && !read.isPartial ? { moment: { first: read.at, last: read.at } } : undefined
}

function follows(left: DatePoint, right: DatePoint, mayBeSame: boolean): boolean {
  const isBefore = (one: number, other: number) => one < other || (mayBeSame && one === other)
  if (!('moment' in left) || !('moment' in right))
    return 'moment' in left || 'moment' in right ? false : isFurtherBack(left, right, isBefore)
  const [one, other] = [left.moment, right.moment]
  return one.shown !== undefined && other.shown !== undefined
    ? isBefore(one.shown, other.shown)
    : isBefore(one.last, other.first)
}

/** A month has 28 to 31 days. */
function isFurtherBack(left: Back, right: Back, isBefore: (one: number, other: number) => boolean): boolean {
  if (left.months === 0 && right.months === 0) return isBefore(right.hours, left.hours)
  if (left.hours === 0 && right.hours === 0) return isBefore(right.months, left.months)
  const [least, most] = [leastHours(left), mostHours(right)]
  return isBefore(most, least)
}

function leastHours({ hours, months }: Back): number {
  return hours + months * 28 * 24
}

function mostHours({ hours, months }: Back): number {
  return hours + months * 31 * 24
}
