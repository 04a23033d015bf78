import type { Command, Option } from 'commander'
import { aProgram } from '../../support/program.ts'

export interface KnownCommand {
  readonly name: string
  readonly arguments: number
  /** The long names of options that take a value. */
  readonly options: readonly string[]
  /** The long names of those that take none. */
  readonly switches: readonly string[]
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
      options: longNames(command.options.filter(takesValue)),
      switches: longNames(command.options.filter(option => !takesValue(option))),
    },
  ]
}

function takesValue({ required, optional }: Option): boolean {
  return required || optional
}

function longNames(options: readonly Option[]): readonly string[] {
  return options.map(({ long }) => long ?? '')
}
