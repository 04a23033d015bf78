import { Command } from 'commander'

/** What the examples pass to `vexil reconcile`, read as the program reads it, without running it. */

const options = [
  '-e, --env <name...>',
  '--every <duration>',
  '--mode <mode>',
  '--repo <address>',
  '--revision <name>',
  '--work-dir <folder>',
  '--listen <address>',
  '--log-format <format>',
]

/** The options of a command line that begins with `reconcile`; throws if the program does not know a word. */
export function readReconcile([name, ...words]: readonly string[]): Readonly<Record<string, unknown>> {
  if (name !== 'reconcile') throw new Error(`the command is ${name}, not reconcile`)
  // A command keeps the values that it reads, so each line gets its own.
  const command = options.reduce((made, option) => made.option(option), new Command())
  const { operands, unknown } = command.parseOptions([...words])
  if (operands.length > 0 || unknown.length > 0)
    throw new Error(`not known: ${[...operands, ...unknown].join(' ')}`)
  return command.opts()
}
