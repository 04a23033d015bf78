import { variables } from '../api/environment.ts'

/** The environment variables that hold the key of the service, or name its file, wherever a settings file says none. */
export const keyVariables: readonly string[] = variables.apiKey
