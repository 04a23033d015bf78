import type { Command } from 'commander'
import { commandIn, shared } from './command-options.ts'
import type { ExitCode } from './host/exit-code.ts'
import type { Host, RunProgram } from './host/host.ts'

/** What a finished command hands back to whoever ran the program. */
export interface Outcome {
  code: ExitCode
}

/** The commands that change and compare nothing: Terraform's provider, schemas, completion, the demo. */
export function addToolCommands(program: Command, host: Host, outcome: Outcome, run: RunProgram): void {
  const ends = (command: () => Promise<ExitCode>) => async () => {
    outcome.code = await command()
  }
  const terraform = commandIn('Advanced', program, 'terraform').description(
    'use Vexil as a Terraform provider',
  )
  shared(terraform.command('install'), ['format'])
    .description('put the provider where `terraform init` finds it')
    .option('--directory <dir>', 'a plugin folder of its own, for terraform init -plugin-dir')
    .action(flags =>
      ends(async () => {
        const { runTerraformInstall } = await import('./commands/terraform.ts')
        return runTerraformInstall(host, flags)
      })(),
    )
  terraform
    .command('serve')
    .description('serve whoever attaches, for debugging; prints the variable to export')
    .requiredOption('--debug', 'run until it is interrupted')
    .action(
      ends(async () => {
        const { runTerraformServe } = await import('./commands/terraform.ts')
        return runTerraformServe()
      }),
    )
  commandIn('Advanced', program, 'schema')
    .description('print a JSON Schema, or the reference of declarations')
    .argument('[name]', 'such as declarations, settings, plan, feature_flag')
    .option('--markdown', 'print the reference of everything that can be declared')
    .action((name, flags) =>
      ends(async () => {
        const { runSchema } = await import('./commands/schema.ts')
        return runSchema(host, name, flags)
      })(),
    )
  commandIn('Advanced', program, 'completion')
    .description('print a completion script')
    .argument('<shell>', 'bash, zsh or fish')
    .action(shell =>
      ends(async () => {
        const { runCompletion } = await import('./commands/completion/completion.ts')
        return runCompletion(host, shell)
      })(),
    )
  // For the scripts that `completion` prints.
  program
    .command('complete', { hidden: true })
    .argument('<shell>')
    .argument('[words...]')
    .action((shell, words) =>
      ends(async () => {
        const { runComplete } = await import('./commands/completion/completion.ts')
        return runComplete(host, program, shell, words)
      })(),
    )
  commandIn('Advanced', program, 'demo')
    .description('plan and apply the examples in the sandbox')
    .action(
      ends(async () => {
        const { runDemo } = await import('./commands/demo.ts')
        return runDemo(host, run)
      }),
    )
}
