import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { writeFiles } from '../support/folder.ts'
import { printFigures } from './print-figures.ts'
import { measure, medianOf } from './process.ts'

const vexil = join(import.meta.dirname, '../../dist/vexil.cjs')

const flagCount = 1000

/** Lines as programs have them, one in fifty with a call of an SDK. */
function codeOf(file: number): string {
  const lines = Array.from({ length: 100 }, (_, line) => {
    const number = (file * 100 + line) % flagCount
    return line % 50 === 7
      ? `  if (await posthog.isFeatureEnabled('flag_${number}', user.id)) return render("page-${line}")`
      : `  const total${line} = order.lines.reduce((sum, { price }) => sum + price * ${line}, 0)`
  })
  return `export async function page${file}(user, order) {\n${lines.join('\n')}\n}\n`
}

/** What it costs to find 1,000 keys in so many files of about 8 KB, once with git and once without. */
export async function benchReferences(folder: string, counts: readonly number[]): Promise<void> {
  const keys = Array.from({ length: flagCount }, (_, number) => `  flag_${number}: { active: true }`)
  for (const count of counts) {
    const cwd = join(folder, `references-${count}`)
    await writeFiles(cwd, {
      'vexil.yaml': 'version: 1\n',
      'flags.yaml': `feature_flags:\n${keys.join('\n')}\n`,
    })
    for (let below = 0; below * 100 < count; below++) {
      await mkdir(join(cwd, `src/part${below}`), { recursive: true })
      const files = Array.from(
        { length: Math.min(100, count - below * 100) },
        (_, index) => below * 100 + index,
      )
      await Promise.all(
        files.map(file => writeFile(join(cwd, `src/part${below}/page${file}.ts`), codeOf(file))),
      )
    }
    await printRefs(`refs of ${flagCount} keys over ${count} files, without git`, cwd)
    await promisify(execFile)('git', ['init', '--quiet'], { cwd })
    await printRefs(`refs of ${flagCount} keys over ${count} files, with git`, cwd)
  }
}

async function printRefs(title: string, cwd: string): Promise<void> {
  const { wallMs, cpuMs, peakMb } = await medianOf(3, () =>
    measure([vexil, 'refs', '--unused'], { cwd, ends: [0, 6] }),
  )
  printFigures(title, { ms: wallMs, 'cpu ms': cpuMs, 'peak MB': peakMb })
}
