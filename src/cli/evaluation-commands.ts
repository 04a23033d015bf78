import { type Command, Option } from 'commander'
import { profileSettings } from '../model/connection/profile.ts'
import { collect, shared } from './command-options.ts'
import type { Host } from './host/host.ts'
import type { Outcome } from './tool-commands.ts'

/** The commands that work out who gets what of the declared flags. */
export function addEvaluationCommands(program: Command, host: Host, outcome: Outcome): void {
  shared(program.command('evaluate'), ['repository', 'stack', 'service', 'owner', 'format'])
    .description('tell what somebody gets of the declared flags, and why, without asking the service')
    .argument('[flag]', 'the key of a flag, or a glob of keys; all that are declared when none is given')
    .option('--distinct-id <id>', 'who asks; without it, what a percentage decides is undecided')
    .option('--property <name=value>', 'a property of the person; JSON, or else a text; repeatable', collect)
    .option(
      '--group <type=key>',
      'a group of the person, by the number or the name of its type: 0=acme; repeatable',
      collect,
    )
    .option('--group-property <type.name=value>', 'a property of that group: 0.plan=pro; repeatable', collect)
    .option('--device-id <id>', 'the device, for flags that count devices')
    .addOption(
      new Option(
        '--property-matching-version <n>',
        'that of the project: 1, as without it, asks only whether a property is true; 2 compares texts',
      ).choices(['1', '2']),
    )
    .option('--live', 'read the live flags too, and tell where they give something else')
    .action(async (flag, flags) => {
      const { runEvaluate } = await import('./commands/evaluate/evaluate.ts')
      outcome.code = await runEvaluate(host, flag, flags)
    })
  shared(program.command('test'), ['repository', 'stack', 'owner', 'redact', 'format', 'report'])
    .description('run the tests of declared flags, without asking the service')
    .argument(
      '[flag...]',
      'flags: keys, addresses, or globs such as "checkout_*"; all that are declared when none is given',
    )
    .option('--coverage', 'list the conditions and variants that no test reaches')
    .option('--min-coverage <percent>', 'end in 1 where tests reach less of them')
    .option(
      '--profile <name>',
      `the service to evaluate for: ${profileSettings.join(', ')} (VEXIL_PROFILE); what the settings say when not given`,
    )
    .action(async (named, flags) => {
      const { runTest } = await import('./commands/test/test.ts')
      outcome.code = await runTest(host, named, flags)
    })
}
