import { expect } from 'vitest'
import { desiredOf, problemsOf } from './load.ts'
import type { TrapCase } from './trap-cases.ts'

export async function expectCase({ build, refused, fields }: TrapCase): Promise<void> {
  if (!refused) {
    const desired = await desiredOf(build)
    expect(desired.find(({ identity }) => identity === 'flag')?.fields).toEqual(fields)
    return
  }
  const problems = await problemsOf(build)
  expect(problems).toHaveLength(refused.length)
  for (const [index, words] of refused.entries()) {
    if (typeof words === 'string') expect(problems[index]).toBe(words)
    else expect(problems[index]).toMatch(words)
  }
}
