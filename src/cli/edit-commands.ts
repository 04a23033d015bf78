import type { Command } from 'commander'
import { collect, commandIn, shared } from './command-options.ts'
import type { Host } from './host/host.ts'
import type { Outcome } from './tool-commands.ts'

/** The commands that change files of declarations, and nothing live. */
export function addEditCommands(program: Command, host: Host, outcome: Outcome): void {
  shared(commandIn('Files', program, 'promote'), ['folder', 'format'])
    .description('copy declarations from one environment to another')
    .argument('<address...>', 'objects: addresses, keys or globs such as "checkout_*"')
    .requiredOption('--from <environment>', 'the environment that has them')
    .requiredOption('--to <environment>', 'the environment that is to declare the same')
    .option('--shared', 'write it for all environments, not as overrides of one')
    .option('--dry-run', 'show what would change, and write nothing')
    .action(async (addresses, flags) => {
      const { runPromote } = await import('./commands/edit/promote.ts')
      outcome.code = await runPromote(host, addresses, flags)
    })
  shared(commandIn('Files', program, 'ramp'), ['repository', 'format'])
    .description('write the next step of a rollout')
    .argument('<flag>', 'the key of a flag')
    .requiredOption('--to <percentage>', 'where the rollout goes')
    .option('--condition <name>', 'the condition of several: its name, or its number, from 1')
    .option('--shared', 'write it for all environments, not as an override of one')
    .option('--dry-run', 'show what would change, and write nothing')
    .action(async (flag, flags) => {
      const { runRamp } = await import('./commands/edit/ramp.ts')
      outcome.code = await runRamp(host, flag, flags)
    })
  shared(commandIn('Files', program, 'pull'), ['repository', 'stack', 'service', 'owner', 'format'])
    .description('write what was changed in the product into the files')
    .argument('[address...]', 'objects: addresses, keys or globs; all by default')
    .option('--shared', 'write it for all environments, not as overrides of one')
    .option('--dry-run', 'show what would change, and write nothing')
    .option('--commit', 'commit the files: one commit for each person who made changes')
    .action(async (addresses, flags) => {
      const { runPull } = await import('./commands/edit/pull/pull.ts')
      outcome.code = await runPull(host, addresses, flags)
    })
  shared(commandIn('Files', program, 'retire'), ['repository', 'stack', 'service', 'owner', 'format'])
    .description('list flags that can go, or remove one step by step')
    .argument('[flag]', 'the key of the flag to remove')
    .option(
      '--in <path>',
      'a file or folder of code to search; repeatable; for one flag, all in git by default',
      collect,
    )
    .option('--days <n>', 'how long flags in the list were the same (30), or the flag was off (7)')
    .option('--activity', 'list: judge by the live flags and their activity')
    .option('--value <value>', 'what everybody gets if values differ: on, off, or a variant')
    .option('--expires <date>', 'the last day on which code may name it')
    .option(
      '--allow <hold>',
      'go on although this holds it: references, or a rule such as experiment; repeatable',
      collect,
    )
    .option('--offline', 'do not ask the service')
    .option('--dry-run', 'show what would change, and write nothing')
    .action(async (flag, flags) => {
      const { runRetire } = await import('./commands/retire/retire.ts')
      outcome.code = await runRetire(host, flag, flags)
    })
  shared(commandIn('Files', program, 'fmt'), ['folder', 'format'])
    .description('order and indent declarations')
    .argument('[file...]', 'files of declarations; all by default; - is standard input')
    .option('--check', 'write nothing, and end in 2 if something would be written')
    .action(async (files, flags) => {
      const { runFormat } = await import('./commands/edit/fmt.ts')
      outcome.code = await runFormat(host, files, flags)
    })
}
