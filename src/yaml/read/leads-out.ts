import type { Problem } from '../../model/problem.ts'

/** The problem of a path to a file that is no part of the repository, from the path as it is shown. */
export function leadsOut(shown: string): Problem {
  return {
    code: 'outside-repository',
    severity: 'error',
    message: `${shown} leads out of the repository`,
    hint: 'copy the file into it',
  }
}
