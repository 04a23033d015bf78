import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { unifiedDiff } from '../../../src/model/text/line-diff.ts'
import { rounds } from '../../support/rounds.ts'

describe('unifiedDiff', () => {
  it('shows what changed with three lines around it', () => {
    const before = 'a\nb\nc\nd\ne\nf\ng\nh\n'
    expect(unifiedDiff('x.yaml', before, before.replace('e\n', 'E\n'))).toBe(
      '--- a/x.yaml\n+++ b/x.yaml\n@@ -2,7 +2,7 @@\n b\n c\n d\n-e\n+E\n f\n g\n h\n',
    )
    expect(unifiedDiff('x.yaml', before, before)).toBe('')
    expect(unifiedDiff('x.yaml', 'a', 'a\n')).toBe(
      '--- a/x.yaml\n+++ b/x.yaml\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n',
    )
  })

  it('is what git makes the second text of the first with', () => {
    const lines = fc.array(fc.constantFrom('a', 'b', 'c', '', '  - x'), { maxLength: 14 })
    const text = fc.tuple(lines, fc.boolean()).map(([all, ends]) => all.join('\n') + (ends ? '\n' : ''))
    const folder = mkdtempSync(join(tmpdir(), 'vexil-diff-'))
    try {
      fc.assert(
        fc.property(text, text, (before, after) => {
          const diff = unifiedDiff('x', before, after)
          expect(diff === '').toBe(before === after)
          if (before === after || before === '' || after === '') return
          writeFileSync(join(folder, 'x'), before)
          execFileSync('git', ['apply', '--unsafe-paths', '-p1', '--whitespace=nowarn', '-'], {
            cwd: folder,
            input: diff,
            env: { PATH: process.env.PATH, GIT_CEILING_DIRECTORIES: tmpdir() },
          })
          expect(readFileSync(join(folder, 'x'), 'utf8')).toBe(after)
        }),
        { numRuns: rounds(5) },
      )
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
