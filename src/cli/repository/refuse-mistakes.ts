import type { Problem } from '../../model/problem.ts'
import { ProblemsError } from '../exit-code.ts'
import type { Host } from '../host.ts'
import { mistakes, type ProblemFiles, showProblems } from '../show-problems.ts'
import type { Repository } from './repository-settings.ts'

/** Shows the mistakes among problems, and ends the command when there are any. */
export function refuseMistakes(host: Host, problems: readonly Problem[], files: ProblemFiles): void {
  // Warnings are for those who write the files; `validate` shows them. Here they would bury the plan.
  const errors = problems.filter(({ severity }) => severity === 'error')
  if (errors.length === 0) return
  // That there are no settings may be the reason of all the rest; what may be a mistake is told with those that are.
  const shown = problems.filter(
    ({ severity, code, conditional }) => severity === 'error' || conditional || code === 'no-settings',
  )
  showProblems(host, shown, files)
  throw new ProblemsError(mistakes(errors), errors)
}

/** Shows mistakes that came to light later, and ends the command with them. */
export function refusing(host: Host, files: ProblemFiles): Repository['refuse'] {
  return problems => {
    showProblems(host, problems, files)
    throw new ProblemsError(mistakes(problems), problems)
  }
}
