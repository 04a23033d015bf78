import { describe, expect, it } from 'vitest'
import { ourAnswer } from './our-answer.ts'

/** What Terraform 1.5.7, 1.11.4, 1.13.3 and OpenTofu 1.10.10 make of each. */
const cases: readonly (readonly [rule: string, lines: readonly string[], text: string])[] = [
  ['the least of all lines', ['    a', '  b', '      c'], '  a\nb\n    c\n'],
  ['blank lines keep theirs', ['   ', '  a', ' ', '  b'], '   \na\n \nb\n'],
  ['a directive is a line', ['    %{ if true }', '      a', '    %{ endif }'], '\n  a\n\n'],
  ['behind a stripped line end', ['    Of', '    %{ if true ~}', '    a', '    %{ endif ~}'], 'Of\n    a\n'],
  ['stripped space', ['    %{~ if true ~}', '    a', '    %{ endif }'], '    a\n    \n'],
  [
    'stripped space of one line',
    ['    %{ for n in [1, 2] ~}', '      ${n}', '    %{~ endfor }', '    z'],
    '          1\n      2\n\n    z\n',
  ],
  ['something to fill in at the beginning', ['  a', '${1}', '    b'], '  a\n1\n    b\n'],
  ['stripped on both sides', ['      a ${~ 2 ~}', '    b', '   ${3}', '      c'], '   a2    b\n3\n   c\n'],
  ['over several lines', ['    ${upper(', '"a")} b', '      c'], 'A b\n  c\n'],
  ['one within another', ['    ${<<-IN', '        a', '      b', '    IN', '    }c'], '  a\nb\nc\n'],
  ['other white space', ['  \u00a0a', '  \u00a0\u00a0b'], 'a\n\u00a0b\n'],
  ['carriage returns', ['  a\r', '    b\r'], 'a\r\n  b\r\n'],
  ['what is escaped', ['  a$${', '      %%{b', '  $'], 'a${\n    %{b\n$\n'],
  ['only blank lines', ['   '], '   \n'],
]

describe('the indentation of a text of several lines', () => {
  it.each(cases)('is taken away: %s', (_, lines, text) => {
    const answer = ourAnswer(`(<<-END\n${lines.join('\n')}\n  END\n)`)
    expect(answer).toEqual({ type: 'string', json: JSON.stringify(text) })
  })

  it('is looked for in no more than one pass for each level', () => {
    const levels = Array.from({ length: 40 }, (_, level) => `${' '.repeat(level)}\${<<-E${level}`)
    const ends = levels.map((_, level) => `E${level}\n}`).reverse()
    const text = `(<<-END\n${levels.join('\n')}\n  a\n${ends.join('\n')}\nEND\n)`
    expect(ourAnswer(text)).toMatchObject({ type: 'string' })
  })
})
