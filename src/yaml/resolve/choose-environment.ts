import type { Problem } from '../../model/problem.ts'
import { listSome } from '../../model/text/list-names.ts'
import { unknownEnvironment } from '../check/check-environments.ts'
import type { Environment, Settings } from '../settings.ts'

export type Choice = { readonly environment: Environment } | { readonly problem: Problem }

/**
 * The environment that is meant: the one that was asked for or, when nobody asked, the only one. Of several it is the
 * fallback, where there is such a one.
 */
export function chooseEnvironment(
  { environments, shared }: Settings,
  wanted: string | undefined,
  fallback?: string,
): Choice {
  const names = environments.map(({ name }) => name)
  if (wanted !== undefined) {
    const environment = environments.find(({ name }) => name === wanted)
    return environment ? { environment } : { problem: unknownEnvironment(wanted, names) }
  }
  if (environments.length < 2) return { environment: environments[0] ?? shared }
  const taken = environments.find(({ name }) => name === fallback)
  if (taken) return { environment: taken }
  return {
    problem: {
      code: 'no-environment',
      severity: 'error',
      message: `there are ${names.length} environments, and none was chosen`,
      hint: `choose one with --env: ${listSome(names)}`,
    },
  }
}
