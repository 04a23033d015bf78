import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compilePattern, searchPattern } from '../../src/targeting/pattern.ts'

function search(pattern: string, text: string): boolean | string | undefined {
  const compiled = compilePattern(pattern)
  return compiled.kind === 'ready' ? searchPattern(compiled.program, text) : compiled.kind
}

describe('patterns', () => {
  it.each<[string, string, boolean]>([
    ['', '', true],
    ['b', 'abc', true],
    ['^b', 'abc', false],
    ['c$', 'abc', true],
    ['^abc$', 'abcd', false],
    ['a|b|', 'x', true],
    ['^(a|bc)+$', 'abcabc', true],
    ['^a{2,3}$', 'aaaa', false],
    ['^a{2,}$', 'aaaa', true],
    ['^a{2}$', 'aa', true],
    ['^a{,2}$', 'a{,2}', true],
    ['^a??b*?c+?$', 'bbc', true],
    ['^(?:a)(?<n>b)(?P<m>c)$', 'abc', true],
    [String.raw`^\d{3}-\w+\s\S$`, '123-ab_ x', true],
    [String.raw`\bword\b`, 'a word.', true],
    [String.raw`\bword\b`, 'swords', false],
    [String.raw`\Bor`, 'word', true],
    ['^[a-c_-]+$', 'ab_-', true],
    ['^[^a-c]+$', 'xyz', true],
    [String.raw`^[\w.+-]+@[\w-]+\.[a-z]{2,}$`, 'ana.b+c@corp-1.example', true],
    [String.raw`^\x41\u0042\t\.$`, 'AB\t.', true],
    ['^.$', '😀', true],
    ['^.$', '\n', false],
    ['(?i)^straße [A-C]$', 'STRAßE b', true],
    ['^(a*)*$', 'aaab', false],
  ])('%s in %j: %s', (pattern, text, expected) => {
    expect(search(pattern, text)).toBe(expected)
  })

  it.each(['[', 'a)', '(a', '*a', 'a**', 'a{3,2}', '[z-a]', '\\', '(?:', '^*'])(
    '%s is no pattern',
    pattern => {
      expect(compilePattern(pattern)).toEqual({ kind: 'invalid' })
    },
  )

  it.each([
    '(?=a)',
    '(?!a)',
    '(?<=a)b',
    String.raw`(a)\1`,
    String.raw`\p{L}`,
    'a'.repeat(1001),
    '((a{50}){50}){50}',
    '(){1000000000}',
    '[]a]',
    'a++',
  ])('%.30s is left to the service', pattern => {
    expect(compilePattern(pattern)).toEqual({ kind: 'unsupported' })
  })

  it.each(['(a+)+$', '(a|aa)+$', '^(a*)*b', 'a*a*a*a*a*a*a*a*b', '(.*)*x'])(
    'is not kept busy by %s',
    pattern => {
      expect(search(pattern, `${'a'.repeat(5000)}!`)).toBe(false)
    },
  )

  it('does not search texts without end', () => {
    expect(search('a', 'b'.repeat(10_001))).toBeUndefined()
  })

  it('finds what a backtracking engine finds', () => {
    const atom = fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', '\\w', '\\d', '1', '\\b')
    const { pattern } = fc.letrec<{ pattern: string }>(tie => ({
      pattern: fc.oneof(
        { maxDepth: 3 },
        atom,
        fc.tuple(tie('pattern'), tie('pattern')).map(parts => parts.join('')),
        fc.tuple(tie('pattern'), tie('pattern')).map(parts => `(?:${parts.join('|')})`),
        fc
          .tuple(tie('pattern'), fc.constantFrom('*', '+', '?', '{2}', '{1,2}', '*?'))
          .map(([part, many]) => `(${part})${many}`),
        tie('pattern').map(part => `^${part}`),
        tie('pattern').map(part => `${part}$`),
      ),
    }))
    fc.assert(
      fc.property(pattern, fc.stringMatching(/^[ab1 ]{0,8}$/), (source, text) => {
        expect(search(source, text)).toBe(new RegExp(source).test(text))
      }),
      { numRuns: 500 },
    )
  })

  it('takes any text for a pattern without failing', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.stringMatching(/^[ab(){}[\]|*+?.^$\\0-9,-]{0,12}$/)),
        fc.string(),
        (pattern, text) => {
          const found = search(pattern, text)
          expect([true, false, 'invalid', 'unsupported']).toContain(found)
        },
      ),
      { numRuns: 500 },
    )
  })
})
