import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { emitConstructs, generatedFor } from '../../../src/generate/emit-constructs.ts'

const folder = join(import.meta.dirname, '../../../src/constructs/generated')
const emitted = await emitConstructs()

describe('generated constructs', () => {
  it('are what the kinds say, to the byte (`npm run generate` writes them)', () => {
    const files = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(entry => join(entry.parentPath, entry.name))
    const committed = files.map(path => [relative(folder, path), readFileSync(path, 'utf8')] as const)
    const regenerated = new Map(emitted.map(({ path, text }) => [path, text]))
    expect(committed.filter(([path, text]) => regenerated.get(path) !== text).map(([path]) => path)).toEqual(
      [],
    )
    expect(committed.map(([path]) => path).sort()).toEqual([...regenerated.keys()].sort())
  })

  it('come out the same a second time', async () => {
    expect(await emitConstructs()).toEqual(emitted)
  })

  it('link to pages that are in the package', () => {
    const pages = new Set(emitted.flatMap(({ text }) => text.match(/\bexamples\/\S+\.md\b/g) ?? []))
    const docs = join(import.meta.dirname, '../../../examples/terraform/docs')
    const there = readdirSync(docs, { recursive: true, encoding: 'utf8' })
      .filter(path => path.endsWith('.md') && !/^(functions|list-resources)\b/.test(path))
      .map(path => `examples/terraform/docs/${path}`)
    expect([...pages].sort()).toEqual(there.sort())
  })

  it.each([
    ['0.1.0', '~> 0.1'],
    ['0.12.3', '~> 0.12'],
    ['2.0.5', '~> 2.0'],
  ])('of %s ask for a provider of %s', (version, constraint) => {
    expect(generatedFor(version)).toEqual({ source: 'vexil/vexil', version: constraint })
  })
})
