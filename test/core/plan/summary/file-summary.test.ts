import { describe, expect, it } from 'vitest'
import { fileSummary } from '../../../../src/core/describe/describe-field.ts'

const numbered = (count: number, other: Readonly<Record<number, string>> = {}) =>
  `${Array.from({ length: count }, (_, at) => other[at] ?? `line ${at}`).join('\n')}\n`

describe('the words about source files', () => {
  it('show what changes in each, with a little of what stands around it', () => {
    const words = fileSummary(
      { 'index.ts': numbered(20, { 2: 'second', 15: 'fifteenth' }), 'old.ts': null, 'new.ts': 'export {}\n' },
      { 'index.ts': numbered(20), 'old.ts': 'a\nb\n', 'new.ts': null },
    )
    expect(words).toEqual([
      'source index.ts changed: 2 lines added, 2 removed',
      '  @@ -1,5 +1,5 @@',
      '   line 0',
      '   line 1',
      '  -line 2',
      '  +second',
      '   line 3',
      '   line 4',
      '  @@ -14,5 +14,5 @@',
      '   line 13',
      '   line 14',
      '  -line 15',
      '  +fifteenth',
      '   line 16',
      '   line 17',
      'source new.ts added: 1 line',
      '  +export {}',
      'source old.ts removed: 2 lines',
      '  -a',
      '  -b',
    ])
  })

  it('say how many lines there are beyond those that they show', () => {
    const changed = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [at, `other ${at}`]))
    const words = fileSummary({ 'index.ts': numbered(300, changed) }, { 'index.ts': numbered(300) })
    expect(words).toHaveLength(26)
    expect([words[0], words.at(-1)]).toEqual([
      'source index.ts changed: 300 lines added, 300 removed',
      '  … and 577 more lines of this difference',
    ])
  })

  it('show where long lines differ, and that a last line has no end', () => {
    const minified = (name: string) => `${'x'.repeat(500)}${name}${'y'.repeat(500)}`
    expect(fileSummary({ 'a.js': minified('new') }, { 'a.js': `${minified('old')}\n` })).toEqual([
      'source a.js changed: 1 line added, 1 removed',
      '  @@ -1 +1 @@',
      `  -…${'x'.repeat(20)}old${'y'.repeat(20)}… (1003 characters)`,
      `  +…${'x'.repeat(20)}new${'y'.repeat(20)}… (1003 characters), without a line end`,
    ])
  })

  it('tell a line end that changed', () => {
    expect(fileSummary({ 'a.js': 'a' }, { 'a.js': 'a\n' })).toEqual([
      'source a.js changed: 1 line added, 1 removed',
      '  @@ -1 +1 @@',
      '  -a',
      '  +a, without a line end',
    ])
  })

  it('say that files are written over unseen', () => {
    expect(fileSummary({ 'a.js': 'a\nb\n', 'b.js': null }, undefined)).toEqual([
      'source a.js written: 2 lines; the service does not show the earlier content',
      'source b.js removed; the service does not show its content',
    ])
  })
})
