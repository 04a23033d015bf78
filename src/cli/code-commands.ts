import type { Command } from 'commander'
import { collect, shared } from './command-options.ts'
import type { Host } from './host/host.ts'
import type { Outcome } from './tool-commands.ts'

/** The commands about whether flags are used. They change no declaration, and ask the service only where they are told to. */
export function addCodeCommands(program: Command, host: Host, outcome: Outcome): void {
  shared(program.command('refs'), ['stack', 'format'])
    .description('show where code names the declared flags')
    .argument('[flag...]', 'keys of flags, or globs of keys; all that are declared when none is given')
    .option(
      '--in <path>',
      'a file or folder to search; repeatable; the whole work tree of git when not given',
      collect,
    )
    .option('--unused', 'list the flags that no code names, and end in 6 where there are any')
    .option(
      '--undeclared',
      'list calls of SDKs for a key that is declared nowhere or absent, and end in 6 where there are any',
    )
    .option('-C, --chdir <dir>', 'the folder with vexil.yaml', '.')
    .action(async (flags, options) => {
      const { runRefs } = await import('./commands/refs/refs.ts')
      outcome.code = await runRefs(host, flags, options)
    })
  shared(program.command('keys'), ['stack'])
    .description('write the keys, variants and payloads of declared flags as types of a language')
    .option('--ts', 'for TypeScript')
    .option('--py', 'for Python 3.9 and later')
    .option('--go', 'for Go 1.18 and later')
    .option('-o, --out <file>', 'the file; standard output when not given')
    .option('--check', 'write nothing, and end in 2 where the file would be another')
    .option('--package <name>', 'the package of Go; flags when not given')
    .option('-C, --chdir <dir>', 'the folder with vexil.yaml', '.')
    .action(async options => {
      const { runKeys } = await import('./commands/keys/keys.ts')
      outcome.code = await runKeys(host, options)
    })
}
