import { chooseEnvironment } from '../../../yaml/resolve/choose-environment.ts'
import type { Environment } from '../../../yaml/settings.ts'
import { CommandError, exitCode } from '../../host/exit-code.ts'
import type { EditableRepository } from './write-edit.ts'

/** The environment that is meant, or the only one. */
export function environmentOf({ settings }: EditableRepository, name: string | undefined): Environment {
  const choice = chooseEnvironment(settings, name)
  if ('environment' in choice) return choice.environment
  const { message, hint } = choice.problem
  throw new CommandError(hint === undefined ? message : `${message}; ${hint}`, exitCode.usage)
}
