import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { manyProblems } from '../../../support/many-problems.ts'
import type { Counted } from './count-work.ts'

/** Each twice the one before. */
const counts = [100, 200, 400] as const

const counted = new Map<string, Counted>()
beforeAll(async () => {
  const program = join(import.meta.dirname, 'count-work.ts')
  const argv = ['--no-opt', '--no-sparkplug', '--import', 'tsx', program, ...counts.map(String)]
  const { stdout } = await promisify(execFile)(process.execPath, argv, { maxBuffer: 10_000_000 })
  for (const line of stdout.trim().split('\n')) {
    const one = JSON.parse(line) as Counted
    counted.set(one.title, one)
  }
})

/**
 * How much more work the second doubling takes than the first: 2 where the work grows as the problems do, 4 where it
 * grows as their square. What does not grow at all falls out.
 */
function growthOf([once = 0, twice = 0, fourTimes = 0]: readonly number[]): number {
  return (fourTimes - twice) / (twice - once)
}

describe('checking', () => {
  it.each(manyProblems.map(many => [many.title, many] as const))(
    'takes twice the work for twice the %s',
    (title, { found }) => {
      const { works, said } = counted.get(title) as Counted
      expect(said).toEqual(
        counts.map(count => expect.stringMatching(new RegExp(`^\\d files? checked: ${found(count)}\\n$`))),
      )
      expect(growthOf(works)).toBeLessThan(2.05)
    },
  )
})
