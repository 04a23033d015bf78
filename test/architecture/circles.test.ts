import { describe, expect, it } from 'vitest'
import { circlesIn, type ImportGraph } from './circles.ts'
import { files, importsOf } from './sources.ts'

const graph: ImportGraph = new Map(files.map(file => [file.path, importsOf(file)]))

describe('the imports of src', () => {
  it('go in no circle, types included', () => {
    expect(circlesIn(graph).map(shown)).toEqual([])
  })
})

describe('a circle of imports', () => {
  it.each<{
    readonly title: string
    readonly imports: Readonly<Record<string, string[]>>
    readonly is: string[]
  }>([
    { title: 'none', imports: { a: ['b', 'c'], b: ['c'], c: [] }, is: [] },
    { title: 'of one file', imports: { a: ['a'] }, is: ['a -> a'] },
    { title: 'of two', imports: { a: ['b'], b: ['a'] }, is: ['a -> b -> a'] },
    { title: 'behind a file outside', imports: { a: ['b'], b: ['c'], c: ['b'] }, is: ['b -> c -> b'] },
    {
      title: 'the shortest first',
      imports: { a: ['b', 'd'], b: ['c'], c: ['a'], d: ['a'] },
      is: ['a -> d -> a', 'b -> c -> a -> b'],
    },
    {
      title: 'two apart',
      imports: { a: ['b'], b: ['a'], c: ['d'], d: ['c'] },
      is: ['a -> b -> a', 'c -> d -> c'],
    },
  ])('is found: $title', ({ imports, is }) => {
    expect(circlesIn(new Map(Object.entries(imports))).map(shown)).toEqual(is)
  })
})

function shown(circle: readonly string[]): string {
  return [...circle, ...circle.slice(0, 1)].join(' -> ')
}
