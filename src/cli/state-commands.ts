import { type Command, Option } from 'commander'
import { optionalFormats } from '../report/formats.ts'
import { approval, commandIn, shared } from './command-options.ts'
import { languageOption } from './commands/export/export-language.ts'
import type { Host } from './host/host.ts'
import type { Outcome } from './tool-commands.ts'

/** The commands about what is live as it is, and about runs: what they wrote, and the locks that they left. */
export function addStateCommands(program: Command, host: Host, outcome: Outcome): void {
  shared(commandIn('Files', program, 'export'), ['environments', 'owner', 'service', 'format'])
    .description('write what is live as YAML, or for Terraform')
    .argument('[address...]', 'live objects: addresses, keys or globs; all by default')
    .addOption(
      new Option('-d, --directory <dir>', 'write files there, not to standard output').conflicts(
        optionalFormats().map(([format]) => format),
      ),
    )
    .addOption(languageOption())
    .addOption(
      new Option(
        '--from-state <file>',
        'only what the provider posthog/posthog manages in this state of Terraform; - reads `terraform show -json`',
      ).conflicts(['kind', 'owner']),
    )
    .option('--moved', 'with --from-state: write moved blocks, not imports (Terraform 1.8)')
    .option('--kind <kind...>', 'only these kinds')
    .addOption(
      new Option('--split <by>', 'write a file for each tag, owner or flag, not for each kind').choices([
        'tag',
        'owner',
        'flag',
        'none',
      ]),
    )
    .option('--raw', 'write filters in full, not in the short form')
    .option('--no-grants', 'leave role access out, which takes a request for each flag')
    .action(async (addresses, flags) => {
      const { runExport } = await import('./commands/export/export.ts')
      const named = addresses.length > 0 ? { addresses } : {}
      outcome.code = await runExport(host, { ...flags, ...named })
    })
  for (const [verb, words] of [
    ['claim', 'put the ownership tag on declared objects'],
    ['unclaim', 'take the ownership tag off declared objects'],
  ] as const) {
    approval(
      shared(commandIn('Advanced', program, verb), [
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
      .argument('[address...]', 'objects: addresses, keys or globs; all by default')
      .action(async (addresses, flags) => {
        const { runOwnership } = await import('./commands/ownership.ts')
        outcome.code = await runOwnership(host, verb, addresses, flags)
      })
  }
  approval(
    shared(commandIn('Incident', program, 'undo'), [
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
    .description('put back what a run wrote, unless it was changed since')
    .argument('<run>', 'its name, its file, or "last": the last run that changed something')
    .action(async (run, flags) => {
      const { runUndo } = await import('./commands/undo.ts')
      outcome.code = await runUndo(host, run, flags)
    })
  shared(commandIn('Incident', program, 'history'), ['repository', 'format', 'report'])
    .description('list runs, or the objects of one run')
    .argument('[run]', 'its name, its file, or "last"')
    .option('-n, --max-count <n>', 'the most runs to list', '20')
    .action(async (run, flags) => {
      const { runHistory } = await import('./commands/history.ts')
      outcome.code = await runHistory(host, run, flags)
    })
  approval(shared(commandIn('Advanced', program, 'unlock'), ['folder', 'format']))
    .description('remove the lock of a command that was killed')
    .argument('[lock]', 'its name, such as lock-0f3a5c7e9b1d; needed if there are several')
    .action(async (lock, flags) => {
      const { runUnlock } = await import('./commands/unlock.ts')
      outcome.code = await runUnlock(host, lock, flags)
    })
}
