import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, type Sizes } from './size.ts'

/** Reads and writes the tables under "Budgets" of docs/architecture.md. */

export const budgetPage = join(root, 'docs/architecture.md')
const heading = '## Budgets\n'
const roomColumns = ['lines', 'files', 'tokens'] as const

export interface Comparison {
  /** As it is called in the page: `core: lines`. */
  readonly name: string
  readonly budget: number | undefined
  readonly actual: number
}

/** Every figure beside its budget, in the order of the page. */
export function compareWithBudgets(sizes: Sizes, page = readFileSync(budgetPage, 'utf8')): Comparison[] {
  const rows = budgetRows(page)
  const ofRooms = Object.entries(sizes.rooms).flatMap(([room, size]) =>
    roomColumns.map((column, index) => ({
      name: `${room}: ${column}`,
      budget: rows.get(room)?.[index],
      actual: size[column],
    })),
  )
  const others = Object.entries(sizes.figures).map(([name, actual]) => ({
    name,
    budget: rows.get(name)?.[0],
    actual,
  }))
  return [...ofRooms, ...others]
}

/** The page with each budget lowered to what is measured. None is raised: that takes an editor and a page of decisions. */
export function withLoweredBudgets(sizes: Sizes, page: string): string {
  const budgets = new Map(compareWithBudgets(sizes, page).map(each => [each.name, each]))
  const lowered = (name: string) => {
    const { budget, actual } = budgets.get(name) as Comparison
    return Math.min(budget ?? actual, actual).toLocaleString('en-US')
  }
  const [before = ''] = page.split(heading)
  const rest = page.slice(before.length + heading.length)
  const intro = rest.slice(0, rest.indexOf('| room |'))
  const after = /\n(## [\s\S]*)$/.exec(rest)?.[0] ?? ''
  const roomRows = Object.keys(sizes.rooms).map(room =>
    row([room, ...roomColumns.map(column => lowered(`${room}: ${column}`))]),
  )
  const figureRows = Object.keys(sizes.figures).map(name => row([name, lowered(name)]))
  const roomTable = [row(['room', ...roomColumns]), '|---|---:|---:|---:|', ...roomRows]
  const figureTable = ['| figure | at most |', '|---|---:|', ...figureRows]
  return `${before}${heading}${intro}${roomTable.join('\n')}\n\n${figureTable.join('\n')}\n${after}`
}

function budgetRows(page: string): ReadonlyMap<string, readonly number[]> {
  const section = page.split(heading)[1]?.split('\n## ')[0] ?? ''
  const cells = section.split('\n').map(line =>
    line
      .split('|')
      .slice(1, -1)
      .map(cell => cell.trim()),
  )
  const numbers = cells.filter(([, first = '']) => /^[\d,]+$/.test(first))
  return new Map(
    numbers.map(([name = '', ...rest]) => [name, rest.map(cell => Number(cell.replaceAll(',', '')))]),
  )
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`
}
