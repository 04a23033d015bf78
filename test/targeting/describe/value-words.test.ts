import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Json } from '../../../src/model/text/json.ts'
import { escapeText } from '../../../src/model/text/printable.ts'
import { describeValue, describeValueDifference } from '../../../src/targeting/describe-condition.ts'
import { quoted, shortenPair, textStep } from '../../../src/targeting/value-words.ts'

const long = (text: string) => `${'a'.repeat(100)}${text}${'z'.repeat(100)}`

describe('a text in words', () => {
  it('is shortened in the middle, with its length', () => {
    expect(quoted(`begin${'-'.repeat(200)}end`)).toBe(
      `"begin${'-'.repeat(25)}…${'-'.repeat(26)}end" (208 characters)`,
    )
  })

  it('shows the place where two long texts differ, however far in', () => {
    expect(textStep(long('old'), long('new'))).toBe(
      `"…${'a'.repeat(20)}old${'z'.repeat(20)}…" (203 characters) -> "…${'a'.repeat(20)}new${'z'.repeat(20)}…" (203 characters)`,
    )
  })

  it.each([
    ['a pattern as it was written', String.raw`@example\.(com|org)$`, String.raw`"@example\.(com|org)$"`],
    ['quotes inside of other quotes', 'say "hi"', `'say "hi"'`],
    ['both quotes', `it's "so"`, String.raw`"it's \"so\""`],
    ['a control character', 'a\u001b[2Jb', String.raw`"a\u001b[2Jb" (escaped)`],
    ['a line end', 'a\nb', String.raw`"a\nb" (escaped)`],
    ['a backslash beside a control character', 'a\\nb\n', String.raw`"a\\nb\n" (escaped)`],
  ])('shows %s', (_, text, shown) => {
    expect(quoted(text)).toBe(shown)
  })

  it('is never the same for two texts that differ', () => {
    const letters = fc.string({
      unit: fc.constantFrom('a', 'b', '…', '"', "'", '\\', 'n', 'u202e', '\n', '\u202e', '\u2065', '😀'),
      maxLength: 60,
    })
    const texts = fc.tuple(letters, letters, letters, letters, fc.integer({ min: 0, max: 300 }))
    fc.assert(
      fc.property(texts, ([head, one, other, tail, count]) => {
        const [before, after] = [one, other].map(middle => `${head}${'a'.repeat(count)}${middle}${tail}`)
        fc.pre(before !== after)
        if (before!.length <= 60 && after!.length <= 60) expect(quoted(before!)).not.toBe(quoted(after!))
        const [left, right] = shortenPair(before!, after!)
        expect(`${left.text}${left.note}`).not.toBe(`${right.text}${right.note}`)
        const words = textStep(before!, after!)
        expect(words).not.toMatch(/[\p{Cc}\p{Cf}]/u)
        expect(escapeText(words)).toBe(words)
      }),
    )
  })
})

describe('describeValueDifference', () => {
  it.each<[string, Json, Json, string[]]>([
    ['the same', { a: 1 }, { a: 1 }, []],
    ['a value', 1, 'b', ['limits: 1 -> "b"']],
    [
      'members',
      { theme: 'night', gone: [1], same: 1 },
      { theme: 'day', fresh: null, same: 1 },
      ['limits  fresh added: null', 'limits  gone removed, was [1]', 'limits  theme: "night" -> "day"'],
    ],
    [
      'members of members',
      { a: { b: { c: 1 } }, 'odd name': 1 },
      { a: { b: { c: 2 } }, 'odd name': 2 },
      ['limits  a.b.c: 1 -> 2', 'limits  ["odd name"]: 1 -> 2'],
    ],
    [
      'a list, without taking an insertion for a change of all that follows',
      [{ id: 1 }, { id: 2 }],
      [{ id: 0 }, { id: 1 }, { id: 2, more: true }],
      [
        'limits  [0] added: {"id":0}',
        'limits  [2] added: {"id":2,"more":true}',
        'limits  [1] removed, was {"id":2}',
      ],
    ],
    ['another order', [1, 2], [2, 1], ['limits  [1] moved to [0]']],
    ['a new value', null, { a: 1 }, ['limits: null -> {"a":1}']],
    ['another type', [1], { a: 1 }, ['limits: [1] -> {"a":1}']],
    [
      'a new value that is long, by its parts',
      null,
      { a: 'x'.repeat(50), b: [1, { c: 2 }] },
      [`limits  a added: "${'x'.repeat(50)}"`, 'limits  b added: [1,{"c":2}]'],
    ],
  ])('tells of %s', (_, before, after, lines) => {
    expect(describeValueDifference('limits', before, after)).toEqual(lines)
  })

  it('says how many lines there are beyond those that it shows', () => {
    const numbers = (offset: number) =>
      Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`n${at + 10}`, at + offset]))
    const told = describeValueDifference('limits', numbers(0), numbers(1))
    expect(told).toHaveLength(13)
    expect(told.at(-1)).toBe('limits  … and 28 more')
  })

  it('is empty for the same value and for no other', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), fc.jsonValue({ maxDepth: 3 }), (before, after) => {
        const isSame = JSON.stringify(sorted(before as Json)) === JSON.stringify(sorted(after as Json))
        expect(describeValueDifference('x', before as Json, after as Json).length === 0).toBe(isSame)
      }),
    )
  })
})

describe('describeValue', () => {
  it('shows a short value whole and a long one by member', () => {
    expect(describeValue('payload', { a: 1, b: ['x'] })).toEqual(['payload: {"a":1,"b":["x"]}'])
    expect(describeValue('payload', { a: 'x'.repeat(90), b: { c: 1 } })).toEqual([
      `payload  a: "${'x'.repeat(30)}…${'x'.repeat(29)}" (90 characters)`,
      'payload  b: {"c":1}',
    ])
  })
})

function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return Object.is(value, -0) ? 0 : value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([name, member]) => [name, sorted(member as Json)]),
  )
}
