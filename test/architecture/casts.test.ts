import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { files, src } from './sources.ts'

/** Rooms in which every cast says why it holds. */
const explained = ['cli', 'core']

const cast = /[\w)\]}>] as (?!const\b)[\w({['"]|[\w)\]]!(?![=\w])/

/** Lines with a cast that no comment beside or above it gives a reason for. */
function bareCasts(text: string): string[] {
  // A text such as '/flags/*' begins no comment.
  const withoutComments = text.replaceAll(/'(?:[^'\\\n]|\\.)*'|\/\*[\s\S]*?\*\//g, found =>
    found.startsWith("'") ? found : found.replaceAll(/[^\n]/g, ''),
  )
  const lines = withoutComments.split('\n')
  return lines.flatMap((line, at) => {
    const isRenaming =
      /^\s*(?:import|export)\b.*\bfrom\b/.test(line) || /^\s*(?:type )?\w+ as \w+,$/.test(line)
    const hasReason = line.includes('//') || /^\s*\/\//.test(lines[at - 1] ?? '')
    const code = line.replaceAll(/'(?:[^'\\]|\\.)*'|`[^`]*`/g, "''").replace(/\/\/.*$/, '')
    return !isRenaming && !hasReason && cast.test(code) ? [line.trim()] : []
  })
}

describe('a cast', () => {
  it.each(explained)('gives its reason beside it: %s', room => {
    const bare = files
      .filter(({ path }) => path.startsWith(`${room}/`))
      .flatMap(({ path }) => bareCasts(readFileSync(join(src, path), 'utf8')).map(line => `${path}: ${line}`))
    expect(bare).toEqual([])
  })

  it.each([
    ['const a = b as string', 1],
    ['// It is checked.\nconst a = b as string', 0],
    ['const a = b as unknown as readonly string[]', 1],
    ['const a = list[0]!.name', 1],
    ['if (a !== b && !c) return', 0],
    ["const a = ['x'] as const", 0],
    ["import { a as b } from './a.ts'", 0],
    ["const words = 'as it is'", 0],
    ["const path = '/flags/* as'\n/** It ends here. */\nconst a = b as string", 1],
  ])('is found in %j: %i', (text, count) => {
    expect(bareCasts(text)).toHaveLength(count)
  })
})
