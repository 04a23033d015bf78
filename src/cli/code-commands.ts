import type { Command } from 'commander'
import { collect, commandIn, shared } from './command-options.ts'
import type { Host } from './host/host.ts'
import type { Outcome } from './tool-commands.ts'

/** The commands about whether flags are used. They change no declaration, and ask the service only where they are told to. */
export function addCodeCommands(program: Command, host: Host, outcome: Outcome): void {
  shared(commandIn('Code', program, 'refs'), ['folder', 'stack', 'format'])
    .description('show where code names the declared flags')
    .argument('[flag...]', 'keys or globs; all by default')
    .option('--in <path>', 'a file or folder to search; repeatable; all in git by default', collect)
    .option('--unused', 'list flags that no code names, and end in 6 if there are any')
    .option('--undeclared', 'list calls for keys that are not declared, and end in 6 if there are any')
    .action(async (flags, options) => {
      const { runRefs } = await import('./commands/refs/refs.ts')
      outcome.code = await runRefs(host, flags, options)
    })
  shared(commandIn('Code', program, 'keys'), ['folder', 'stack'])
    .description('write flags as types of TypeScript, Python or Go')
    .option('--ts', 'for TypeScript')
    .option('--py', 'for Python 3.9 and later')
    .option('--go', 'for Go 1.18 and later')
    .option('-o, --out <file>', 'the file; standard output by default')
    .option('--check', 'write nothing, and end in 2 if the file would change')
    .option('--package <name>', 'the package of Go; flags by default')
    .action(async options => {
      const { runKeys } = await import('./commands/keys/keys.ts')
      outcome.code = await runKeys(host, options)
    })
}
