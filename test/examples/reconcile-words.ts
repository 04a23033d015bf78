import { aProgram } from '../support/program.ts'

/** What the examples pass to `vexil reconcile`, read as the program reads it, without running it. */

/** The options of a command line that begins with `reconcile`; throws if the program does not know a word. */
export function readReconcile([name, ...words]: readonly string[]): Readonly<Record<string, unknown>> {
  // A command keeps the values that it reads, so each line gets its own.
  const command = aProgram().commands.find(each => each.name() === name)
  if (!command || name !== 'reconcile') throw new Error(`the command is ${name}, not reconcile`)
  // Every command of the program has it.
  command.option('--log-format <format>')
  const { operands, unknown } = command.parseOptions([...words])
  if (operands.length > 0 || unknown.length > 0)
    throw new Error(`not known: ${[...operands, ...unknown].join(' ')}`)
  const given = Object.entries(command.opts()).filter(
    ([option]) => command.getOptionValueSource(option) === 'cli',
  )
  return Object.fromEntries(given)
}
