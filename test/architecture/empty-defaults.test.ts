import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

/**
 * `typeof share === 'number' ? { share } : {}` takes a value of another type for none at all, so a percentage that was
 * known only later was everybody. What is left out is asked for as what it is: undefined, or null.
 */
const emptyDefault = /\.\.\.\(typeof [\w.]+ [!=]== '\w+' \? (?:\{[^{}]*\}|[\w.]+) : (?:\{\}|\[\])\)/

const folders = ['src/constructs', 'src/stack', 'src/schema', 'src/testing']

function sourcesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.ts'))
    .map(name => join(folder, name))
}

describe('a value of a type that nobody expected', () => {
  it.each(folders)('falls into no empty default: %s', folder => {
    const wrong = sourcesIn(folder).filter(path =>
      emptyDefault.test(readFileSync(path, 'utf8').replaceAll(/\s+/g, ' ')),
    )
    expect(wrong).toEqual([])
  })

  it('is found where it does', () => {
    expect(emptyDefault.test("...(typeof percent === 'number' ? { rolloutPercentage: percent } : {}),")).toBe(
      true,
    )
    expect(emptyDefault.test('...(percent === undefined ? {} : { rolloutPercentage: percent }),')).toBe(false)
  })
})
