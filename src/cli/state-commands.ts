import { type Command, Option } from 'commander'
import { optionalFormats } from '../report/formats.ts'
import { approval, shared } from './command-options.ts'
import { languageOption } from './commands/export/export-language.ts'
import type { Host } from './host/host.ts'
import type { Outcome } from './tool-commands.ts'

/** The commands about what is live as it is, and about runs: what they wrote, and the locks that they left. */
export function addStateCommands(program: Command, host: Host, outcome: Outcome): void {
  shared(program.command('export'), ['environments', 'service', 'owner', 'format'])
    .description('write the live state as YAML, or for Terraform, so that it plans nothing')
    .argument(
      '[address...]',
      'live objects, such as feature_flag.checkout_v2 or "checkout_*"; all of them when none is given',
    )
    .addOption(
      new Option('-d, --directory <dir>', 'write files there instead of standard output').conflicts(
        optionalFormats().map(([format]) => format),
      ),
    )
    .addOption(languageOption())
    .addOption(
      new Option(
        '--from-state <file>',
        "only what the provider posthog/posthog manages in a state of Terraform (- for what `terraform show -json` prints), so that Vexil's provider takes it over",
      ).conflicts(['kind', 'owner']),
    )
    .option(
      '--moved',
      'with --from-state: moved blocks, which keep the state, in place of imports (Terraform 1.8)',
    )
    .option('--kind <kind...>', 'only these kinds')
    .addOption(
      new Option(
        '--split <by>',
        'one file for each tag, owner or flag, in place of one for each kind',
      ).choices(['tag', 'owner', 'flag', 'none']),
    )
    .option('--raw', 'write filters as the service has them, in place of the short form')
    .option('--no-grants', 'leave role access out: it costs one request per flag')
    .action(async (addresses, flags) => {
      const { runExport } = await import('./commands/export/export.ts')
      const named = addresses.length > 0 ? { addresses } : {}
      outcome.code = await runExport(host, { ...flags, ...named })
    })
  for (const [verb, words] of [
    ['claim', 'put the ownership tag on declared objects, and change nothing else'],
    ['unclaim', 'take the ownership tag off declared objects, and change nothing else'],
  ] as const) {
    approval(
      shared(program.command(verb), [
        'repository',
        'stack',
        'service',
        'owner',
        'verbose',
        'redact',
        'format',
      ]),
    )
      .description(words)
      .argument(
        '[address...]',
        'objects, such as feature_flag.checkout_v2 or "checkout_*"; all that are declared when none is given',
      )
      .action(async (addresses, flags) => {
        const { runOwnership } = await import('./commands/ownership.ts')
        outcome.code = await runOwnership(host, verb, addresses, flags)
      })
  }
  approval(
    shared(program.command('undo'), [
      'repository',
      'service',
      'target',
      'owner',
      'guards',
      'verbose',
      'redact',
      'format',
    ]),
  )
    .description('put back what a run wrote, except what was changed since')
    .argument(
      '<run>',
      'the name of a run, the file of its record or journal, or "last": the last run that changed something',
    )
    .action(async (run, flags) => {
      const { runUndo } = await import('./commands/undo.ts')
      outcome.code = await runUndo(host, run, flags)
    })
  shared(program.command('history'), ['repository', 'format', 'report'])
    .description('list the runs that are on record, the newest first; of one run, how each object came out')
    .argument('[run]', 'the name of a run, the file of its record or journal, or "last"')
    .option('-n, --max-count <n>', 'so many runs at the most', '20')
    .action(async (run, flags) => {
      const { runHistory } = await import('./commands/history.ts')
      outcome.code = await runHistory(host, run, flags)
    })
  approval(shared(program.command('unlock'), ['format']))
    .description('remove the lock of a command that was killed; shows whose it is, and asks')
    .argument('[lock]', 'its name, such as lock-0f3a5c7e9b1d; needed where several are held')
    .option('-C, --chdir <dir>', 'the folder with vexil.yaml', '.')
    .action(async (lock, flags) => {
      const { runUnlock } = await import('./commands/unlock.ts')
      outcome.code = await runUnlock(host, lock, flags)
    })
}
