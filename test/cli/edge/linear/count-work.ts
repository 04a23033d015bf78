import { cli, folderWith } from '../../../support/cli.ts'
import { manyProblems } from '../../../support/many-problems.ts'
import { testRuntime } from '../../../support/test-runtime.ts'
import { workOf } from './work.ts'

/** What the test is told: how much work each count of problems took, and what `vexil validate` said in the end. */
export interface Counted {
  readonly title: string
  readonly works: readonly number[]
  readonly said: readonly string[]
}

async function countOne({ title, files }: (typeof manyProblems)[number], counts: readonly number[]) {
  const works: number[] = []
  const said: string[] = []
  for (const count of counts) {
    const { path, remove } = await folderWith(files(count))
    const validate = async () =>
      said.push(
        (await cli('validate --env production', { directory: path, host: { runtime: testRuntime() } }))
          .stdout,
      )
    works.push(await workOf(validate))
    await remove()
  }
  return { title, works, said } satisfies Counted
}

/** Prints a line for each kind of problems; the arguments are the counts. */
const counts = process.argv.slice(2).map(Number)
for (const many of manyProblems) {
  // What is loaded or made once is no work of the problems; some of it is only made for more than a few.
  await countOne(many, [20])
  console.log(JSON.stringify(await countOne(many, counts)))
}
