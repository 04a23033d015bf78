import type { Command } from 'commander'
import { approval, commandIn, shared } from './command-options.ts'
import type { Host } from './host/host.ts'
import type { Outcome } from './tool-commands.ts'

/** The commands that turn one live flag off or on by itself, whatever is declared. */
export function addSwitchCommands(program: Command, host: Host, outcome: Outcome): void {
  approval(
    shared(commandIn('Incident', program, 'disable', 'kill'), ['repository', 'service', 'redact', 'format']),
  )
    .description('turn one live flag off until `vexil enable`')
    .argument('<flag>', 'the key of a flag, or its address')
    .option('--reason <text>', 'why, in one line, for the record and for plans')
    .action(async (flag, flags) => {
      const { runSwitch } = await import('./commands/switch/switch.ts')
      outcome.code = await runSwitch(host, 'disable', flag, flags)
    })
  approval(
    shared(commandIn('Incident', program, 'enable'), ['repository', 'service', 'guards', 'redact', 'format']),
  )
    .description('turn one live flag on again')
    .argument('<flag>', 'the key of a flag, or its address')
    .option('--reason <text>', 'why, in one line, for the record')
    .action(async (flag, flags) => {
      const { runSwitch } = await import('./commands/switch/switch.ts')
      outcome.code = await runSwitch(host, 'enable', flag, flags)
    })
}
