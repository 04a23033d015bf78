import type { Command } from 'commander'
import { guardHost } from '../../../src/cli/host/guard-host.ts'
import { createProgram } from '../../../src/cli/program.ts'
import { runCommandLine } from '../../../src/cli/run-command-line.ts'
import { processes } from '../../support/processes.ts'
import { testRuntime } from '../../support/test-runtime.ts'

export interface KnownCommand {
  readonly name: string
  readonly arguments: number
  /** The long names of options that take a value. */
  readonly options: readonly string[]
}

/** Every command of the program, those below another one included. */
export function knownCommands(): readonly KnownCommand[] {
  const stream = { write() {}, isTerminal: false }
  const host = guardHost({
    arguments: [],
    env: {},
    directory: '/',
    stdout: stream,
    stderr: stream,
    ask: undefined,
    readStdin: async () => '',
    runtime: testRuntime(),
    processes,
    signalGroup: undefined,
    onInterrupt: () => () => {},
  })
  return createProgram(host, { code: 0 }, runCommandLine).commands.flatMap(command => below(command, ''))
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
