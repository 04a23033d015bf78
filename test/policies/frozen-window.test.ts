import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type FrozenWindow, windowAt, windowProblem } from '../../src/policies/frozen-window.ts'

const isFrozen = (window: FrozenWindow, at: string) => windowAt([window], Date.parse(at)) !== undefined
const zones = [
  'UTC',
  'Europe/Berlin',
  'America/St_Johns',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Apia',
]
const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']

/** A clock as another part of the platform writes it: `2026-11-21 16:00`, and its day of the week. */
function clock(now: number, timeZone: string) {
  const text = new Date(now).toLocaleString('sv-SE', { timeZone }).slice(0, 16)
  const weekday = (new Date(`${text.slice(0, 10)}T00:00:00Z`).getUTCDay() + 6) % 7
  return { text, minute: weekday * 1440 + Number(text.slice(11, 13)) * 60 + Number(text.slice(14)) }
}

const zone = fc.constantFrom(...zones)
const instant = fc.integer({ min: Date.UTC(2024, 0, 1), max: Date.UTC(2028, 0, 1) })
const minute = fc.integer({ min: 0, max: 7 * 1440 - 1 })
const two = (number: number) => String(number).padStart(2, '0')
const written = (at: number) =>
  `${days[Math.floor(at / 1440)]} ${two(Math.floor(at / 60) % 24)}:${two(at % 60)}`

describe('a frozen window', () => {
  it('of each week has the minutes that one walks through from its begin to its end', () => {
    fc.assert(
      fc.property(zone, instant, minute, minute, (timezone, now, from, length) => {
        const to = (from + Math.max(1, length)) % (7 * 1440)
        const window = { weekly: `${written(from)} - ${written(to)}`, timezone }
        const passed = (clock(now, timezone).minute - from + 7 * 1440) % (7 * 1440)
        expect(windowAt([window], now) !== undefined).toBe(passed < Math.max(1, length))
      }),
    )
  })

  it('of dates has whole days, or the minutes that it names', () => {
    const local = fc.tuple(zone, instant, instant, instant)
    fc.assert(
      fc.property(local, fc.boolean(), ([timezone, now, one, other], hasTime) => {
        const text = (at: number) => clock(at, timezone).text.slice(0, hasTime ? 16 : 10)
        const [from = '', to = ''] = [text(one), text(other)].sort()
        const today = text(now)
        expect(windowAt([{ from, to, timezone }], now) !== undefined).toBe(from <= today && today <= to)
      }),
    )
  })

  it.each([
    ['2026-10-23T13:59:00Z', false],
    ['2026-10-23T14:00:00Z', true],
    // Clocks go back on Sunday, so that the end comes an hour later.
    ['2026-10-26T06:59:00Z', true],
    ['2026-10-26T07:00:00Z', false],
    ['2026-03-27T15:00:00Z', true],
    ['2026-03-30T05:59:00Z', true],
    ['2026-03-30T06:00:00Z', false],
  ])('goes by the clock of its time zone when that changes: %s', (at, is) => {
    expect(isFrozen({ weekly: 'fri 16:00 - mon 08:00', timezone: 'Europe/Berlin' }, at)).toBe(is)
  })

  it.each([
    [{ from: '2026-02-30', to: '2026-03-01' }, '"2026-02-30" is not a calendar day'],
    [{ from: '2026-03-02', to: '2026-03-01' }, 'it ends before it begins'],
    [{ from: '2026-03-01 10:00', to: '2026-03-01' }, undefined],
    [{ weekly: 'fri 16:00 - fri 16:00' }, 'it begins and ends at the same time'],
    [
      { weekly: 'fri 16:00 - mon 08:00', timezone: 'Europe/Bonn' },
      '"Europe/Bonn" is not a time zone such as Europe/Berlin',
    ],
    [{ weekly: 'fri 16:00 - mon 08:00', timezone: 'Europe/Berlin' }, undefined],
  ])('is looked at: %o', (window, problem) => {
    expect(windowProblem(window)).toBe(problem)
  })
})
