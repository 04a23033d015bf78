import { expect } from 'vitest'
import type { Problem } from '../../src/model/problem.ts'
import { readDeclared } from '../../src/yaml/index.ts'
import { folderOfTest } from '../support/folder.ts'
import { settings } from './a-repository.ts'

/** A problem by its name, the text of `flags.yaml` with a bar before its position, and the one problem in it. */
export type ProblemCase = [
  string,
  string,
  Omit<Problem, 'severity' | 'source'> & Partial<Pick<Problem, 'severity'>>,
]

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
