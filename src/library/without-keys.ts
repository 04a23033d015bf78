import { CommandError, ProblemsError } from '../cli/host/exit-code.ts'
import type { Host } from '../cli/host/host.ts'
import type { Problem } from '../model/problem.ts'
import type { Excerpt, ToldProblem } from '../report/document.ts'

/**
 * Does something for a program. What it throws has no key in it: the command line takes keys out of what it writes, and
 * nobody knows where a program writes its errors. What the service's client throws has none to begin with.
 */
export async function throwingNoKeys<T>({ secrets }: Host, run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    const told = error instanceof ProblemsError ? [error.problems, error.shown] : []
    if (!secrets.isIn(JSON.stringify([error.message, told]))) throw error
    throw withoutKeys(error, secrets.hide)
  }
}

type Hide = (text: string) => string

function withoutKeys(error: CommandError, hide: Hide): CommandError {
  const message = hide(error.message)
  if (!(error instanceof ProblemsError)) return new CommandError(message, error.code)
  const problems = error.problems.map(problem => problemWithout(problem, hide))
  const shown = error.shown.map(problem => shownWithout(problem, hide))
  return new ProblemsError(message, problems, shown)
}

function problemWithout(problem: Problem, hide: Hide): Problem {
  const { message, hint, source, address } = problem
  return {
    ...problem,
    message: hide(message),
    ...(hint === undefined ? {} : { hint: hide(hint) }),
    ...(source === undefined ? {} : { source: { ...source, file: hide(source.file) } }),
    ...(address === undefined ? {} : { address: hide(address) }),
  }
}

function shownWithout({ problem, path, excerpt }: ToldProblem, hide: Hide): ToldProblem {
  return {
    problem: problemWithout(problem, hide),
    ...(path === undefined ? {} : { path: hide(path) }),
    ...(excerpt === undefined ? {} : { excerpt: excerptWithout(excerpt, hide) }),
  }
}

function excerptWithout({ line, before }: Excerpt, hide: Hide): Excerpt {
  return { line: hide(line), ...(before === undefined ? {} : { before: hide(before) }) }
}
