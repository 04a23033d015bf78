import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { diffLines, type LineEdit } from '../../../src/model/text/line-diff.ts'

const lines = fc.array(fc.constantFrom('a', 'b', 'c', '{', '}'), { maxLength: 30 })
const kept = (edits: readonly LineEdit[], but: LineEdit['is']) =>
  edits.filter(edit => edit.is !== but).map(({ line }) => line)

describe('diffLines', () => {
  it('tells what was removed before what was added', () => {
    const edits = diffLines(['a', 'b', 'c'], ['a', 'x', 'c', 'd'])
    expect(edits.map(({ is, line }) => `${is} ${line}`)).toEqual([
      'same a',
      'removed b',
      'added x',
      'same c',
      'added d',
    ])
  })

  it('holds both texts whole, in their order', () => {
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const edits = diffLines(before, after)
        expect([kept(edits, 'added'), kept(edits, 'removed')]).toEqual([before, after])
      }),
    )
  })

  it('takes as few steps as there are', () => {
    fc.assert(
      fc.property(lines, fc.array(fc.nat(), { maxLength: 4 }), (before, places) => {
        const gone = new Set(places)
        const after = before.filter((_, at) => !gone.has(at))
        const steps = diffLines(before, after).filter(({ is }) => is !== 'same')
        expect(steps).toHaveLength(before.length - after.length)
      }),
    )
  })

  it('copes with texts that have nothing in common, however long', () => {
    const before = Array.from({ length: 20_000 }, (_, at) => `old ${at}`)
    const after = Array.from({ length: 20_000 }, (_, at) => `new ${at}`)
    const edits = diffLines(before, after)
    expect([kept(edits, 'added'), kept(edits, 'removed')]).toEqual([before, after])
  })
})
