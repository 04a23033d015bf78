import type { Command } from 'commander'
import { collect, shared } from './command-options.ts'
import type { Host } from './host/host.ts'
import type { Outcome } from './tool-commands.ts'

/** The commands that change files of declarations, and nothing live. */
export function addEditCommands(program: Command, host: Host, outcome: Outcome): void {
  shared(program.command('promote'), ['format'])
    .description('make one environment declare what another one declares, in the files; writes nothing live')
    .argument('<address...>', 'objects, by address, key or glob: feature_flag.checkout_v2, "checkout_*"')
    .requiredOption('--from <environment>', 'the environment that has it')
    .requiredOption('--to <environment>', 'the environment that is to declare the same')
    .option('--shared', 'write it for all environments, not as overrides of one')
    .option('--dry-run', 'show what would change, and write nothing')
    .option('-C, --chdir <dir>', 'the folder with vexil.yaml', '.')
    .action(async (addresses, flags) => {
      const { runPromote } = await import('./commands/edit/promote.ts')
      outcome.code = await runPromote(host, addresses, flags)
    })
  shared(program.command('ramp'), ['repository', 'format'])
    .description(
      'write the next step of a rollout into the files, as far as limits.rollout_step lets one plan go',
    )
    .argument('<flag>', 'the key of a flag')
    .requiredOption('--to <percentage>', 'where the rollout goes')
    .option('--condition <name>', 'the condition of several: its name, or its number, from 1')
    .option('--shared', 'write it for all environments, not as an override of one')
    .option('--dry-run', 'show what would change, and write nothing')
    .action(async (flag, flags) => {
      const { runRamp } = await import('./commands/edit/ramp.ts')
      outcome.code = await runRamp(host, flag, flags)
    })
  shared(program.command('pull'), ['repository', 'stack', 'service', 'owner', 'format'])
    .description('write what was changed in the product into the files; writes nothing live')
    .argument('[address...]', 'objects, by address, key or glob; all of the environment when none is given')
    .option('--shared', 'write it for all environments, not as overrides of one')
    .option('--dry-run', 'show what would change, and write nothing')
    .option('--commit', 'commit the files with git: one commit for each person who changed something')
    .action(async (addresses, flags) => {
      const { runPull } = await import('./commands/edit/pull/pull.ts')
      outcome.code = await runPull(host, addresses, flags)
    })
  shared(program.command('retire'), ['repository', 'stack', 'service', 'owner', 'format'])
    .description(
      'list flags that have outlived their use, or write the next step to remove one; writes nothing live',
    )
    .argument('[flag]', 'the key of the flag to remove; without it, the flags that can go are listed')
    .option(
      '--in <path>',
      'code to search, a file or folder; repeatable; for one flag, by default all that git tracks',
      collect,
    )
    .option(
      '--days <n>',
      'list: how long everybody, or nobody, got a flag (30); one flag: how long it has to be off (7)',
    )
    .option('--activity', 'list: judge by the live flags and their activity; a read-only key is enough')
    .option(
      '--value <value>',
      'what everybody is to get where people get different values: on, off, or a variant',
    )
    .option(
      '--expires <date>',
      'the day by which code is to be without it, written while code still names it',
    )
    .option(
      '--allow <hold>',
      'go on although this holds it: references, or a rule of plans such as experiment; repeatable',
      collect,
    )
    .option('--offline', 'ask no service: only the files, code and runs on record count')
    .option('--dry-run', 'show what would change, and write nothing')
    .action(async (flag, flags) => {
      const { runRetire } = await import('./commands/retire/retire.ts')
      outcome.code = await runRetire(host, flag, flags)
    })
  shared(program.command('fmt'), ['format'])
    .description(
      'order and indent declarations, and change nothing else: comments, quotes and conditions stay',
    )
    .argument(
      '[file...]',
      'files of declarations; all of the repository when none is given; - is standard input',
    )
    .option('--check', 'write nothing, and end in 2 where something would be written')
    .option('-C, --chdir <dir>', 'the folder with vexil.yaml', '.')
    .action(async (files, flags) => {
      const { runFormat } = await import('./commands/edit/fmt.ts')
      outcome.code = await runFormat(host, files, flags)
    })
}
