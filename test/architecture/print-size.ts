import { readFileSync, writeFileSync } from 'node:fs'
import { budgetPage, compareWithBudgets, withLoweredBudgets } from './budgets.ts'
import { commentShare, measureSizes } from './size.ts'

/** `npm run size` prints each figure beside its budget; `npm run size -- --write` lowers the budgets to the figures. */
const sizes = measureSizes()
const rows = compareWithBudgets(sizes)
const width = Math.max(...rows.map(({ name }) => name.length))
const column = (value: number | undefined) => (value ?? '-').toLocaleString('en-US').padStart(9)
console.log(`${''.padEnd(width)}   measured    budget`)
for (const { name, budget, actual } of rows) {
  const isAbove = budget === undefined || actual > budget
  console.log(`${name.padEnd(width)}  ${column(actual)} ${column(budget)}${isAbove ? '  above' : ''}`)
}
console.log(
  `${'comments, % of lines of src'.padEnd(width)}  ${commentShare().toFixed(1).padStart(9)}   8 to 12`,
)
if (process.argv.includes('--write'))
  writeFileSync(budgetPage, withLoweredBudgets(sizes, readFileSync(budgetPage, 'utf8')))
