import { describe, expect, it } from 'vitest'
import { compareWithBudgets, withLoweredBudgets } from './budgets.ts'
import { commentShare, countTokens, measureSizes, membersOf, roomOf, valueImports } from './size.ts'

const sizes = measureSizes()
const page = [
  '# Page',
  '## Budgets',
  '',
  'Law.',
  '',
  '| room | lines |',
  '| core | 10 | 2 | 30 |',
  '',
  '| figure |',
  '| folders | 7 |',
  '',
  '## Next',
  '',
].join('\n')
const small = (lines: number, folders: number) => ({
  rooms: { core: { lines, files: 2, tokens: 20 } },
  figures: { folders },
})

describe('the repository', () => {
  it('stays within each budget of docs/architecture.md', () => {
    const rows = compareWithBudgets(sizes)
    expect(rows.filter(({ budget, actual }) => budget === undefined || actual > budget)).toEqual([])
  })

  it('has budgets near what is measured: what shrinks lowers them', () => {
    const loose = compareWithBudgets(sizes).filter(
      ({ budget = 0, actual }) => budget - actual > Math.max(3, actual / 50),
    )
    expect(loose, 'npm run size -- --write lowers them').toEqual([])
  })

  it('has comments on 8 to 12 % of the lines of src', () => {
    expect(commentShare()).toBeGreaterThan(8)
    expect(commentShare()).toBeLessThan(12)
  })
})

describe('the measures', () => {
  it.each([
    ['const a = 1 // one\n/* two */', 4],
    ['/a b[/]c/.test(x) / 2', 8],
    ['`a $' + '{b({ c })} d $' + '{e} f`', 10],
    ['(a) / b / c', 7],
    ['', 0],
  ])('count the tokens of %j', (text, count) => {
    expect(countTokens(text)).toBe(count)
  })

  it('follow imports of values and leave out those of types', () => {
    const text = [
      "import type { A } from './a.ts'",
      "import { type B } from './b.ts'",
      "import { type C, c } from './c.ts'",
      "import {\n  d,\n} from '../d.ts'",
      "import './e.ts'",
      "export * from './f.ts'",
      "const g = await import('./g.ts')",
      "import { h } from 'node:h'",
    ].join('\n')
    expect(valueImports({ path: 'core/plan/plan.ts', text })).toEqual([
      'core/plan/c.ts',
      'core/d.ts',
      'core/plan/e.ts',
      'core/plan/f.ts',
      'core/plan/g.ts',
    ])
  })

  it('find the room of a file by its longest path', () => {
    expect(
      ['stack/index.ts', 'hcl/language/template.ts', 'hcl/values/type.ts', 'index.ts', 'new/a.ts'].map(
        roomOf,
      ),
    ).toEqual(['stack', 'hcl', 'hcl', 'index, library', undefined])
  })

  it('count the members of an interface', () => {
    const text = 'interface Input {\n  readonly a: 1\n  /** b: */\n  c?: {\n    d: 2\n  }\n  e(): void\n}\n'
    expect(membersOf(text, 'Input')).toEqual(['a', 'c', 'e'])
  })
})

describe('the table of budgets', () => {
  it('is read by name, and a figure without a row has no budget', () => {
    const sized = small(11, 7)
    expect(compareWithBudgets({ ...sized, figures: { folders: 7, files: 1 } }, page)).toEqual([
      { name: 'core: lines', budget: 10, actual: 11 },
      { name: 'core: files', budget: 2, actual: 2 },
      { name: 'core: tokens', budget: 30, actual: 20 },
      { name: 'folders', budget: 7, actual: 7 },
      { name: 'files', budget: undefined, actual: 1 },
    ])
  })

  it('is lowered and never raised', () => {
    const lowered = withLoweredBudgets(small(11, 6), page)
    expect(lowered).toContain('| core | 10 | 2 | 20 |')
    expect(lowered).toContain('| folders | 6 |')
    expect(lowered.startsWith('# Page\n## Budgets\n\nLaw.\n\n| room |')).toBe(true)
    expect(lowered.endsWith('| folders | 6 |\n\n## Next\n')).toBe(true)
  })
})
