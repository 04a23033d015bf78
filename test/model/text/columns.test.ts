import { describe, expect, it } from 'vitest'
import { columnsOf, padColumns } from '../../../src/model/text/text-layout.ts'

describe('columns of a terminal', () => {
  it.each([
    ['', 0],
    ['plain', 5],
    ['größe', 5],
    ['gro\u0308ße', 5],
    ['日本語', 6],
    ['ｗｉｄｅ', 8],
    ['한국어', 6],
    ['👍', 2],
    ['\u001b[1mbold\u001b[22m', 4],
  ])('of %j are %i', (text, columns) => {
    expect(columnsOf(text)).toBe(columns)
  })

  it('are filled up with spaces, and a wider text stays as it is', () => {
    expect(padColumns('日本', 6)).toBe('日本  ')
    expect(padColumns('\u001b[1mab\u001b[22m', 3)).toBe('\u001b[1mab\u001b[22m ')
    expect(padColumns('wider', 3)).toBe('wider')
  })
})
