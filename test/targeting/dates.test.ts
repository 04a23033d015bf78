import { describe, expect, it } from 'vitest'
import { dateForms } from '../../src/schema/reference.ts'
import { readDate, readMoment } from '../../src/targeting/evaluate/dates.ts'
import recorded from './recorded/dates.json' with { type: 'json' }

/** The moment of all that was written down. */
const now = Date.UTC(2024, 2, 31, 12, 30)

/** [text, the moment that python-dateutil reads] */
type Row = readonly [string, string | null]

/** To the microsecond, as it was written down. */
function moment(text: string): string | null {
  const reading = readMoment(text, now)
  if ('why' in reading) return null
  const microseconds = Math.round((reading.at - Math.floor(reading.at)) * 1000)
  return new Date(Math.floor(reading.at))
    .toISOString()
    .replace('Z', `${String(microseconds).padStart(3, '0')}Z`)
}

function whyOf(text: string): string | undefined {
  const reading = readDate(text, now)
  return 'why' in reading ? reading.why : undefined
}

// What the service's parser answers was written down once: https://dateutil.readthedocs.io/en/stable/parser.html
describe('readMoment', () => {
  it.each(recorded.read as unknown as Row[])('reads %j as %s', (text, expected) => {
    expect(moment(text)).toBe(expected)
  })

  it.each(recorded.refused as unknown as Row[])('does not read %j, as nobody does', text => {
    expect(moment(text)).toBeNull()
    expect(whyOf(text)).toMatch(/^(the|that|its|a) /)
  })

  it('never reads another moment than the parser of the service', () => {
    const rows = [...recorded.drawn, ...recorded.passedOver] as unknown as Row[]
    const read = rows.filter(([text]) => moment(text) !== null)
    expect(read.filter(([text, expected]) => moment(text) !== expected)).toEqual([])
    expect({ rows: rows.length, read: read.length }).toEqual({ rows: 323, read: 212 })
  })

  it.each([
    ['', 'the text is empty'],
    ['2024-02-30', 'that day does not exist'],
    ['2024-01-31T24:00', 'that time does not exist'],
    ['2024-01-31 13pm', 'that time does not exist'],
    ['2024-01-31 10:00 CET', 'the service ignores the zone "CET"; write the offset, such as +01:00'],
    ['1700000000', 'a count of seconds is not a date'],
    ['1/5/24', 'the year has two digits'],
    ['-7x', 'a date relative to now needs at most four digits and one of h, d, w, m, y'],
    ['-10000d', 'a date relative to now needs at most four digits and one of h, d, w, m, y'],
    ['yesterday', 'its format is not a supported date format'],
  ])('says of %j: %s', (text, why) => {
    expect(whyOf(text)).toBe(why)
  })

  it.each([
    ['2024', true],
    ['2024-01', true],
    ['Jan 2024', true],
    ['2024-01-31', false],
    ['Jan 5 2024', false],
    ['-7d', false],
  ])('knows of %j whether it is another date tomorrow: %s', (text, isPartial) => {
    expect(readDate(text, now)).toMatchObject({ isPartial })
  })
})

describe('the forms that people are told of', () => {
  it.each(dateForms.flatMap(({ says, examples }) => examples.map(text => [text, says])))(
    '%s is read: %s',
    text => {
      expect(readDate(text, now)).toHaveProperty('at')
    },
  )

  it('have all been asked of the parser of the service, but for those that count from now', () => {
    const asked = new Set(recorded.read.map(([text]) => text))
    const others = dateForms.flatMap(({ examples }) => examples.filter(text => !asked.has(text)))
    expect(others).toEqual(['-12h', '-7d', '2w', '-1m', '-1y'])
  })

  it('are partial just where they say so', () => {
    for (const { says, examples } of dateForms)
      for (const text of examples)
        expect(readDate(text, now)).toMatchObject({ isPartial: says.includes('missing parts') })
  })
})

describe('readDate', () => {
  it.each([
    ['-1h', '2024-03-31T11:30:00.000Z'],
    ['-7d', '2024-03-24T12:30:00.000Z'],
    ['7d', '2024-03-24T12:30:00.000Z'],
    ['-2w', '2024-03-17T12:30:00.000Z'],
    ['-1m', '2024-02-29T12:30:00.000Z'],
    ['-13m', '2023-02-28T12:30:00.000Z'],
    ['-1y', '2023-03-31T12:30:00.000Z'],
    ['-0d', '2024-03-31T12:30:00.000Z'],
    ['2024-01-31', '2024-01-31T00:00:00.000Z'],
  ])('reads %s', (text, expected) => {
    const reading = readDate(text, now)
    expect('at' in reading && new Date(reading.at).toISOString()).toBe(expected)
  })

  it.each(['--7d', '7 d', '-7D', '31.31.2024', '-d'])('does not read "%s"', text => {
    expect(readDate(text, now)).toHaveProperty('why')
  })
})
