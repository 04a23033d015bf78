import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { emitFiles } from '../../src/derive/emit.ts'

const root = join(import.meta.dirname, '../..')
const emitted = await emitFiles()

describe('emitted files', () => {
  it.each(emitted)('are what the kinds say: $path (`npm run generate` writes them)', ({ path, text }) => {
    expect(existsSync(join(root, path))).toBe(true)
    expect(readFileSync(join(root, path), 'utf8') === text).toBe(true)
  })

  it('are all there is in schemas/', () => {
    const committed = readdirSync(join(root, 'schemas')).map(name => `schemas/${name}`)
    expect(committed.sort()).toEqual(
      emitted
        .map(({ path }) => path)
        .filter(path => path.startsWith('schemas/'))
        .sort(),
    )
  })
})
