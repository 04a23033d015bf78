import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isoTime, normalTime, parseTime } from '../../src/sandbox/rows.ts'

const now = Date.UTC(2024, 2, 31, 12)

describe('times of the sandbox', () => {
  it.each([
    ['2024-01-31T10:15:30Z', '2024-01-31T10:15:30Z'],
    ['2024-01-31T10:15:30.250+02:00', '2024-01-31T08:15:30.250000Z'],
    ['2024-01-31t10:15:30z', '2024-01-31T10:15:30Z'],
    // Wherever the sandbox runs, what names no zone is UTC.
    ['2024-01-31T10:15:30', '2024-01-31T10:15:30Z'],
    ['2024-01-31 10:15', '2024-01-31T10:15:00Z'],
    ['2024-01-31', '2024-01-31T00:00:00Z'],
  ])('%s is kept as %s', (text, expected) => {
    expect(normalTime(text)).toBe(expected)
  })

  it.each(['', 'soon', '2024', '2024-02-30', '-7d', '1706659200'])('%j is no time to keep', text => {
    expect(normalTime(text)).toBeUndefined()
  })

  it('keeps what it has written', () => {
    fc.assert(
      fc.property(fc.date({ min: new Date(0), max: new Date('2999-12-31'), noInvalidDate: true }), date => {
        const text = isoTime(date.getTime())
        expect(normalTime(text)).toBe(text)
        expect(normalTime(date.toISOString())).toBe(text)
      }),
    )
  })

  it.each([
    ['-7d', '2024-03-24T12:00:00Z'],
    ['-1m', '2024-02-29T12:00:00Z'],
    ['2024-01-31T10:15', '2024-01-31T10:15:00Z'],
    ['Jan 5 2024', '2024-01-05T00:00:00Z'],
  ])('%s bounds a list at %s', (text, expected) => {
    expect(isoTime(parseTime(text, now)!)).toBe(expected)
  })
})
