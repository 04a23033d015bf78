import { join } from 'node:path'
import { writeFiles } from '../support/folder.ts'
import { manyProblems } from '../support/many-problems.ts'
import { printFigures } from './print-figures.ts'
import { measure } from './process.ts'

const vexil = join(import.meta.dirname, '../../dist/vexil.cjs')

/**
 * What it costs to find so many problems of every kind. That it grows as they do is a test's business; here is how
 * long it takes. A file that passes the limit of a file is refused, and costs nothing.
 */
export async function benchProblems(folder: string, counts: readonly number[]): Promise<void> {
  for (const count of counts) {
    for (const [index, { title, files }] of manyProblems.entries()) {
      const cwd = join(folder, `problems-${count}-${index}`)
      await writeFiles(cwd, files(count))
      const { wallMs, peakMb } = await measure([vexil, 'validate', '--env', 'production'], {
        cwd,
        ends: [0, 1],
      })
      printFigures(`${count} ${title}`, { 'validate ms': wallMs, 'peak MB': peakMb })
    }
  }
}
