import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compilePattern, searchPattern } from '../../src/targeting/evaluate/patterns.ts'
import classes from './recorded/character-classes.json' with { type: 'json' }
import recorded from './recorded/patterns.json' with { type: 'json' }

/** [pattern, text, what Python says of it] */
type Row = readonly [string, string, boolean | 'invalid']

function search(pattern: string, text: string): boolean | string | undefined {
  const compiled = compilePattern(pattern)
  return compiled.kind === 'ready' ? searchPattern(compiled.program, text) : compiled.kind
}

function why(pattern: string): string | undefined {
  const compiled = compilePattern(pattern)
  return compiled.kind === 'ready' ? undefined : compiled.why
}

// What Python answers was written down once; its own words for the rules: https://docs.python.org/3/library/re.html
describe('patterns', () => {
  it.each(recorded.written as unknown as Row[])(
    '%j in %j: %j, as Python has it',
    (pattern, text, expected) => {
      expect(search(pattern, text)).toBe(expected)
    },
  )

  it('reads every drawn pattern as Python does', () => {
    const rows = recorded.drawn as unknown as Row[]
    const wrong = rows.filter(([pattern, text, expected]) => search(pattern, text) !== expected)
    expect({ wrong, rows: rows.length }).toEqual({ wrong: [], rows: 234 })
  })

  it.each(recorded.invalidWhatever as unknown as Row[])(
    '%j is no pattern, although it could not be searched either',
    pattern => {
      expect(search(pattern, '')).toBe('invalid')
    },
  )

  it.each(recorded.leftOpen as unknown as Row[])('%j is left to the service, with the reason', pattern => {
    expect(search(pattern, '')).toBe('unsupported')
    expect(why(pattern)).toMatch(/^it /)
  })

  it.each([
    ['a'.repeat(1001), 'it is longer than 1000 characters'],
    ['((a{50}){50}){50}', 'its repetitions multiply to too many steps'],
    ['(){1000000000}', 'its repetitions multiply to too many steps'],
    ['(?=a)', 'it looks ahead or behind'],
    [String.raw`(a)\1`, 'it refers back to a group'],
    ['(?<n>a)', 'the syntax of a named group is (?P<name>...)'],
    ['{2}', 'there is nothing to repeat'],
    ['[z-a]', 'the end of a range in brackets is before its start'],
    [String.raw`\p{L}`, String.raw`"\p" is not a valid escape`],
  ])('says of %.30s: %s', (pattern, reason) => {
    expect(why(pattern)).toBe(reason)
  })

  it('knows letters, digits and blanks of every script as Python does', () => {
    const { source: _, none, ...rest } = classes
    const all = Object.entries({ ...rest, '': none })
    const wrong = all.flatMap(([letters, codes]) =>
      codes.split(' ').filter(code => {
        const symbol = String.fromCodePoint(Number.parseInt(code, 16))
        return ['w', 'd', 's'].filter(letter => search(`^\\${letter}$`, symbol) === true).join('') !== letters
      }),
    )
    expect(wrong).toEqual([])
  })

  it('takes a class and its capital apart for every code point', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 0x10ffff }),
        fc.constantFrom('w', 'd', 's'),
        fc.boolean(),
        (code, letter, a) => {
          const symbol = String.fromCodePoint(code)
          const flags = a ? '(?a)' : ''
          const [one, other] = [letter, letter.toUpperCase()].map(each =>
            search(`${flags}\\A\\${each}\\Z`, symbol),
          )
          expect(one).toBe(!other)
        },
      ),
    )
  })

  it.each(['(a+)+$', '(a|aa)+$', '^(a*)*b', 'a*a*a*a*a*a*a*a*b', '(.*)*x', '(?i)(\\w+)+$'])(
    'is not kept busy by %s',
    pattern => {
      expect(search(pattern, `${'a'.repeat(5000)}!`)).toBe(false)
    },
  )

  it('does not search texts without end', () => {
    expect(search('a', 'b'.repeat(10_001))).toBeUndefined()
  })

  it('takes any text for a pattern without failing', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.stringMatching(/^[abiPx(){}[\]|*+?.^$\\0-9,:<>=!#-]{0,12}$/)),
        fc.string(),
        (pattern, text) => {
          const found = search(pattern, text)
          expect([true, false, 'invalid', 'unsupported']).toContain(found)
        },
      ),
    )
  })
})
