import type { Problem } from '../model/problem.ts'
import { unknownEnvironment } from './check-environments.ts'
import { listNames } from './quote.ts'
import type { Environment, Settings } from './settings.ts'

export type Choice = { readonly environment: Environment } | { readonly problem: Problem }

/** The environment that is meant: the one that was asked for or, when nobody asked, the only one. */
export function chooseEnvironment({ environments, shared }: Settings, wanted: string | undefined): Choice {
  const names = environments.map(({ name }) => name)
  if (wanted !== undefined) {
    const environment = environments.find(({ name }) => name === wanted)
    return environment ? { environment } : { problem: unknownEnvironment(wanted, names) }
  }
  if (environments.length < 2) return { environment: environments[0] ?? shared }
  return {
    problem: {
      code: 'no-environment',
      severity: 'error',
      message: `there are ${names.length} environments, and none was chosen`,
      hint: `choose one with --env: ${listNames(names)}`,
    },
  }
}

/** The name of the environment, where there is just one. */
export function onlyEnvironment({ environments }: Settings): string | undefined {
  return environments.length === 1 ? environments[0]?.name : undefined
}
