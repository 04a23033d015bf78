import { expect } from 'vitest'
import type { Problem } from '../../src/model/problem.ts'
import { readDeclared } from '../../src/yaml/index.ts'
import { folderOfTest } from '../support/folder.ts'
import { settings } from './a-repository.ts'

/** One without a severity is an error. */
type Expected = Omit<Problem, 'severity' | 'source'> & Partial<Pick<Problem, 'severity'>>

/** A problem by its name, the text of `flags.yaml` with a bar before its position, and the one problem in it. */
export type ProblemCase = [name: string, marked: string, problem: Expected]

/** An error of the flag `a`, or of another object; of none where that is null. */
export function error(
  code: string,
  message: string,
  hint?: string,
  address: string | null = 'feature_flag.a',
) {
  return {
    ...{ code, message },
    ...(hint === undefined ? {} : { hint }),
    ...(address === null ? {} : { address }),
  } satisfies Expected
}

export function warning(...of: Parameters<typeof error>): Expected {
  return { ...error(...of), severity: 'warning' }
}

/** A warning that is an error where the value is not live already. */
export function conditional(code: string, message: string, hint?: string): Expected {
  const hints = [hint, 'a plan accepts this only if the live object already has it'].filter(Boolean)
  return { ...warning(code, message, hints.join('; ')), conditional: true }
}

/** What a flag says that nobody is warned of. */
export const complete = 'active: true, filters: { groups: [] }'

/** Checks a repository with this file and expects this one problem, at the bar. */
export async function expectOneProblem(marked: string, problem: ProblemCase[2]): Promise<void> {
  const before = marked.slice(0, marked.indexOf('¦')).split('\n')
  const source = { file: 'flags.yaml', line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
  const directory = await folderOfTest({ 'vexil.yaml': settings, 'flags.yaml': marked.replace('¦', '') })
  const { problems } = await readDeclared({ directory, env: {}, testedAt: 0 })
  expect(problems).toEqual([{ severity: 'error', ...problem, source }])
}
