import { describe, expect, it } from 'vitest'
import type { Problem } from '../../../src/model/problem.ts'
import type { Excerpt } from '../../../src/report/document.ts'
import { codeFrame, problemLine } from '../../../src/report/line-text.ts'
import { Lines } from '../../../src/yaml/index.ts'

const at = (line: number, column: number): Problem => ({
  code: 'unknown-key',
  severity: 'error',
  message: '"actve" is not a field of a flag',
  hint: 'did you mean "active"?',
  source: { file: 'flags/a.yaml', line, column },
  address: 'feature_flag.checkout',
})

describe('problemLine', () => {
  it.each([
    [
      at(3, 5),
      'flags/a.yaml:3:5 feature_flag "checkout": "actve" is not a field of a flag; did you mean "active"?',
    ],
    [
      { code: 'x', severity: 'warning', message: 'there is not a file' } as const,
      'warning: there is not a file',
    ],
    [{ code: 'x', severity: 'error', message: 'no', address: 'a "b.c' } as const, 'a "b "c": no'],
  ])('%#', (problem, line) => {
    expect(problemLine(problem)).toBe(line)
  })
})

describe('codeFrame', () => {
  const whole = (problem: Problem, text: string | undefined) =>
    codeFrame(problem, text === undefined ? undefined : excerptOf(problem, new Lines(text)))
  const frame = (problem: Problem, text: string | undefined) => whole(problem, text).split('\n').slice(1)

  it('shows the line, the one before, and a caret under the place', () => {
    expect(whole(at(3, 5), 'feature_flags:\n  checkout:\n    actve: true\n  next:')).toBe(`\
flags/a.yaml:3:5 feature_flag "checkout": "actve" is not a field of a flag; did you mean "active"?
  2 |   checkout:
> 3 |     actve: true
    |     ^`)
  })

  it('shows no line where the problem is about the whole file', () => {
    const problem: Problem = { ...at(1, 1), isOfWholeFile: true }
    expect(whole(problem, '{"resource": {}}')).toBe(problemLine(problem))
  })

  it('shows the first line alone', () => {
    expect(frame(at(1, 1), 'actve: true')).toEqual(['> 1 | actve: true', '    | ^'])
  })

  it('keeps the numbers of lines in one column', () => {
    expect(frame(at(10, 1), `${'x\n'.repeat(9)}actve: 1`)).toEqual([
      '   9 | x',
      '> 10 | actve: 1',
      '     | ^',
    ])
  })

  it('cuts long lines around the place', () => {
    const [, shown, caret] = frame(at(2, 500), `a\n${'x'.repeat(499)}actve${'y'.repeat(499)}`)
    expect(shown).toBe(`> 2 | ...${'x'.repeat(40)}actve${'y'.repeat(55)}...`)
    expect(caret).toBe(`    | ${' '.repeat(43)}^`)
  })

  it('counts wide characters as two places', () => {
    expect(frame(at(1, 8), '"日本": actve')).toEqual(['> 1 | "日本": actve', '    |          ^'])
  })

  it('lets nothing through that moves a cursor or turns text around', () => {
    expect(frame(at(1, 1), 'a\u001b[2Jb\u202ec\td')).toEqual(['> 1 | a [2Jb c d', '    | ^'])
  })

  it('keeps the caret in its place behind marks and what it has blanked', () => {
    expect(frame(at(1, 12), '"e\u0301\u001b[1m\u202e": actve')).toEqual([
      '> 1 | "e\u0301 [1m ": actve',
      `    | ${' '.repeat(10)}^`,
    ])
  })

  it('is the line alone where the text is not at hand', () => {
    expect(frame(at(3, 5), undefined)).toEqual([])
    expect(frame(at(3, 5), 'one line')).toEqual([])
  })
})

function excerptOf({ source }: Problem, lines: Lines): Excerpt | undefined {
  const line = lines.at(source?.line ?? 0)
  return line === undefined ? undefined : { line, before: lines.at((source?.line ?? 0) - 1) }
}
