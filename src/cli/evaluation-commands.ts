import { type Command, Option } from 'commander'
import { profileSettings } from '../model/connection/profile.ts'
import { collect, commandIn, shared } from './command-options.ts'
import type { Host } from './host/host.ts'
import type { Outcome } from './tool-commands.ts'

/** The commands that work out who gets what of the declared flags. */
export function addEvaluationCommands(program: Command, host: Host, outcome: Outcome): void {
  shared(commandIn('Code', program, 'evaluate'), ['repository', 'stack', 'service', 'owner', 'format'])
    .description('show what a person gets, and why, without the service')
    .argument('[flag]', 'a key or a glob; all by default')
    .option('--distinct-id <id>', 'the person; needed for what a percentage decides')
    .option('--property <name=value>', 'a property of the person, JSON or a text; repeatable', collect)
    .option('--group <type=key>', 'a group, such as 0=acme or company=acme; repeatable', collect)
    .option('--group-property <type.name=value>', 'a property of it, such as 0.plan=pro; repeatable', collect)
    .option('--device-id <id>', 'the device, for flags that count devices')
    .addOption(
      new Option(
        '--property-matching-version <n>',
        'of the project; 1 by default: is the property true; 2: compare texts',
      ).choices(['1', '2']),
    )
    .option('--live', 'read the live flags too, and show differences')
    .action(async (flag, flags) => {
      const { runEvaluate } = await import('./commands/evaluate/evaluate.ts')
      outcome.code = await runEvaluate(host, flag, flags)
    })
  shared(commandIn('Daily', program, 'test'), ['repository', 'stack', 'owner', 'redact', 'format', 'report'])
    .description('run the tests of declared flags, without the service')
    .argument('[flag...]', 'keys, addresses, or globs such as "checkout_*"; all by default')
    .option('--coverage', 'list conditions and variants that no test reaches')
    .option('--min-coverage <percent>', 'end in 1 if tests reach less')
    .option('--sdk <name>', 'show what SDKs answer: all, or posthog-go@1.5.2; repeatable', collect)
    .option('--profile <name>', `the API profile to test for (VEXIL_PROFILE): ${profileSettings.join(', ')}`)
    .action(async (named, flags) => {
      const { runTest } = await import('./commands/test/test.ts')
      outcome.code = await runTest(host, named, flags)
    })
}
