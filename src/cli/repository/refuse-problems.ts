import type { Problem } from '../../model/problem.ts'
import { problemCounts } from '../../report/text/problem-text.ts'
import type { Repository } from '../connection/repository-settings.ts'
import { ProblemsError } from '../host/exit-code.ts'
import type { Host } from '../host/host.ts'
import { hiddenProblems, type ProblemFiles, toldProblems } from './told-problems.ts'

/** Ends the command with the errors among problems, when there are any. */
export function refuseProblems(host: Host, problems: readonly Problem[], files: ProblemFiles): void {
  // Warnings are for those who write the files; `validate` shows them. Here they would bury the plan.
  const errors = problems.filter(({ severity }) => severity === 'error')
  if (errors.length === 0) return
  // That there are no settings may be the reason of all the rest; what may be an error is told with those that are.
  const shown = problems.filter(
    ({ severity, code, conditional }) => severity === 'error' || conditional || code === 'no-settings',
  )
  throw new ProblemsError(
    problemCounts(errors),
    hiddenProblems(host, errors, files.texts),
    toldProblems(host, shown, files),
  )
}

/** Ends the command with problems that came to light later. */
export function refusing(host: Host, files: ProblemFiles): Repository['refuse'] {
  return problems => {
    throw new ProblemsError(
      problemCounts(problems),
      hiddenProblems(host, problems, files.texts),
      toldProblems(host, problems, files),
    )
  }
}
