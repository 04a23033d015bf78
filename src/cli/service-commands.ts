import { type Command, Option } from 'commander'
import { profiles } from '../model/connection/profile.ts'
import { faultHelp } from '../sandbox/behaviour/fault-grammar.ts'
import { collect, commandIn, formatOptions, shared } from './command-options.ts'
import type { Host } from './host/host.ts'
import type { Outcome } from './tool-commands.ts'

/** The commands that speak to a service as it is, and the one that stands in for it. */
export function addServiceCommands(program: Command, host: Host, outcome: Outcome): void {
  shared(commandIn('Advanced', program, 'call'), ['repository', 'service', 'format'])
    .description('call an operation of the API, or list them')
    .argument('[operation]', 'such as feature_flag.read')
    .argument('[arguments...]', 'NAME=VALUE for path and query')
    .option('--body <json>', 'the body: JSON, @FILE, or - for standard input')
    .option('--query <name=value>', 'another query parameter; repeatable', collect)
    .option('--all', 'follow a list to its end')
    .action(async (operation, assignments, flags) => {
      const { runCall } = await import('./commands/call/call.ts')
      outcome.code = await runCall(host, operation, assignments, flags)
    })
  const sandbox = commandIn('Advanced', program, 'sandbox').description(
    'run a local stand-in for the service',
  )
  const serving = sandbox
    .option('--host <host>', 'address to listen on', '127.0.0.1')
    .option('--allow-host <name>', 'answer to this host name too; repeatable', collect)
    .option('--port <number>', 'port to listen on; 0 picks one', '8100')
    .option(
      '--data <dir>',
      'keep everything there, not in memory; needs the package classic-level; wins over --world and --empty',
    )
    .option('--world <file>', 'YAML or JSON with the first content')
    .addOption(
      new Option('--empty', 'one organization, one project, two roles, nothing else').conflicts('world'),
    )
    .addOption(new Option('--profile <name>', 'whose behaviour').choices(profiles).default('documented'))
    .option(
      '--quirk <name=value>',
      'set one behaviour; repeatable; `vexil sandbox quirks` lists them',
      collect,
    )
    .option(
      '--fault <rule>',
      'script a fault, such as "PATCH /feature_flags/* nth=2 reset_after"; repeatable',
      collect,
    )
    .option('--api-key <key>', 'the key to accept')
    .option('--scope <name>', 'let the key do this alone, as in feature_flag:read; repeatable', collect)
  formatOptions(serving, { json: 'print one line of JSON as soon as it listens' })
    .addHelpText('after', `\n${faultHelp()}`)
    .action(async flags => {
      const { runSandbox } = await import('./commands/sandbox.ts')
      outcome.code = await runSandbox(host, flags)
    })
  shared(sandbox.command('quirks'), ['format'])
    .description('list the behaviours that --quirk sets, with what each profile does')
    .action(async flags => {
      const { runQuirks } = await import('./commands/quirks.ts')
      outcome.code = await runQuirks(host, flags)
    })
  shared(commandIn('Incident', program, 'doctor'), ['repository', 'service', 'format'])
    .description('check settings, service, key, clock and limits')
    .action(async flags => {
      const { runDoctor } = await import('./commands/doctor/doctor.ts')
      outcome.code = await runDoctor(host, flags)
    })
}
