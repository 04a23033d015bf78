import { Command } from 'commander'

/** What the examples pass to `vexil reconcile`, read as the program reads it. */

const command = new Command('reconcile')
  .option('-e, --env <name...>')
  .option('--every <duration>')
  .option('--mode <mode>')
  .option('--repo <address>')
  .option('--revision <name>')
  .option('--work-dir <folder>')
  .option('--listen <address>')
  .option('--log-format <format>')

/** The options of a command line that begins with `reconcile`; throws if the program does not know a word. */
export function readReconcile([name, ...words]: readonly string[]): Readonly<Record<string, unknown>> {
  if (name !== 'reconcile') throw new Error(`the command is ${name}, not reconcile`)
  const read = new Command().copyInheritedSettings(command)
  for (const option of command.options) read.addOption(option)
  const { operands, unknown } = read.parseOptions([...words])
  if (operands.length > 0 || unknown.length > 0)
    throw new Error(`not known: ${[...operands, ...unknown].join(' ')}`)
  return read.opts()
}
