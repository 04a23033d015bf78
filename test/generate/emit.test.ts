import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { emitFiles } from '../../src/generate/emit.ts'

const root = join(import.meta.dirname, '../..')
const emitted = await emitFiles()

describe('emitted files', () => {
  it.each(emitted)('are what the kinds say: $path (`npm run generate` writes them)', ({ path, text }) => {
    expect(existsSync(join(root, path))).toBe(true)
    expect(readFileSync(join(root, path), 'utf8') === text).toBe(true)
  })

  it.each(['schemas/', 'examples/terraform/docs/'])('are all there is in %s', folder => {
    const entries = readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    const committed = entries
      .filter(entry => entry.isFile())
      .map(entry => relative(root, join(entry.parentPath, entry.name)))
    expect(committed.sort()).toEqual(
      emitted
        .map(({ path }) => path)
        .filter(path => path.startsWith(folder))
        .sort(),
    )
  })
})
