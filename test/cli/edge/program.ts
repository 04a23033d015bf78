import type { Command } from 'commander'
import { aProgram } from '../../support/program.ts'

export interface KnownCommand {
  readonly name: string
  readonly arguments: number
  /** The long names of options that take a value. */
  readonly options: readonly string[]
}

/** Every command of the program, those below another one included. */
export function knownCommands(): readonly KnownCommand[] {
  return aProgram().commands.flatMap(command => below(command, ''))
}

function below(command: Command, before: string): readonly KnownCommand[] {
  const name = `${before}${command.name()}`
  if (command.commands.length > 0) return command.commands.flatMap(each => below(each, `${name} `))
  return [
    {
      name,
      arguments: command.registeredArguments.length,
      options: command.options
        .filter(option => option.required || option.optional)
        .map(({ long }) => long ?? ''),
    },
  ]
}
