import { type Command, Option } from 'commander'
import { profileSettings } from '../model/connection/profile.ts'
import { version } from '../model/version.ts'
import { addCodeCommands } from './code-commands.ts'
import { approval, collect, commandIn, once, planning, shared } from './command-options.ts'
import { addEditCommands } from './edit-commands.ts'
import { addEvaluationCommands } from './evaluation-commands.ts'
import type { Host, RunProgram } from './host/host.ts'
import { MeantCommand } from './meant-command.ts'
import { addServiceCommands } from './service-commands.ts'
import { addStateCommands } from './state-commands.ts'
import { addSwitchCommands } from './switch-commands.ts'
import { addToolCommands, type Outcome } from './tool-commands.ts'

/**
 * Every command with its options. A command's own module is loaded when it runs, so that `--version`, `--help` and a
 * command that needs no network start fast. `run` is for the one that runs others.
 */
export function createProgram(host: Host, outcome: Outcome, run: RunProgram): Command {
  const program = new MeantCommand('vexil', host.arguments)
    // Every command below takes this over when it is added: none of them ends the process.
    .exitOverride()
    .description('Keeps feature flags, role access, plugins and event definition tags in git.')
    .version(version, '-V, --version')
    .enablePositionalOptions()
    .configureHelp({ helpWidth: 80, subcommandTerm: command => command.name() })
    .addHelpText('after', examples)
  program.configureOutput({
    writeOut: text => host.stdout.write(text),
    writeErr: text => host.log.error(text, { code: 'usage' }),
    outputError: (text, write) => write(text.replace(/^error: /, 'vexil: ')),
  })
  addWorkCommands(program, host, outcome)
  addEditCommands(program, host, outcome)
  addCompare(program, host, outcome)
  addCodeCommands(program, host, outcome)
  addEvaluationCommands(program, host, outcome)
  addSwitchCommands(program, host, outcome)
  addStateCommands(program, host, outcome)
  addServiceCommands(program, host, outcome)
  addToolCommands(program, host, outcome, run)
  // Commander adds `help` by itself.
  return program.commandsGroup('Advanced:').helpCommand(true)
}

function addWorkCommands(program: Command, host: Host, outcome: Outcome): void {
  shared(commandIn('Daily', program, 'init'), ['place', 'format'])
    .description('write settings and a first flag, or what is live')
    .argument('[directory]', 'where', '.')
    .option('-e, --env <name>', 'the name of the environment; production by default', once)
    .option('--from-live', 'ask for the service, write what is live, and plan')
    .option('--no-input', 'never ask; refuse instead')
    .action(async (directory, flags) => {
      const { runInit } = await import('./commands/init/init.ts')
      outcome.code = await runInit(host, directory, flags)
    })
  shared(commandIn('Daily', program, 'validate'), ['repository', 'stack', 'redact', 'format', 'report'])
    .description('check every declaration without the service')
    .option(
      '--show <address>',
      'show the values of this object, or of a glob, with the line of each; repeatable',
      collect,
    )
    .option('--profile <name>', `the API profile to check for (VEXIL_PROFILE): ${profileSettings.join(', ')}`)
    .action(async flags => {
      const { runValidate } = await import('./commands/validate.ts')
      outcome.code = await runValidate(host, flags)
    })
  shared(commandIn('Daily', program, 'plan', 'diff'), [...planning, 'format', 'report'])
    .description('show what an apply would do; a read-only key is enough')
    .option('-o, --out <file>', 'save the plan for `vexil apply FILE`')
    .option('--reviewed <plan>', 'end in 5 if the plan does more than this saved one')
    .option('--detailed-exitcode', 'end in 2 when changes are pending')
    .option('--fail-on-blocked', 'end in 3 when something is blocked or held')
    .option('--show-unchanged', 'list unchanged objects too')
    .option('--estimates', 'ask the service how many people conditions reach')
    .action(async flags => {
      const { runPlan } = await import('./commands/plan.ts')
      outcome.code = await runPlan(host, flags)
    })
  shared(commandIn('Daily', program, 'show'), ['verbose', 'redact', 'format', 'report'])
    .description('show a saved plan, or a plan of Terraform')
    .argument('[plan]', 'a file that `vexil plan --out` wrote')
    .option('--terraform-plan <file>', 'the output of `terraform show -json` for a plan')
    .action(async (planFile, flags) => {
      const { runShow } = await import('./commands/show.ts')
      outcome.code = await runShow(host, planFile, flags)
    })
  approval(shared(commandIn('Daily', program, 'apply'), [...planning, 'format', 'report']))
    .description('carry out a saved plan, or make one and ask')
    .argument('[plan]', 'a file that `vexil plan --out` wrote')
    .option('--fail-on-blocked', 'end in 3 when something is blocked or held')
    .option('--all-or-nothing', 'write all of it, or end in 5 and write nothing')
    .action(async (planFile, flags) => {
      const { runApply } = await import('./commands/apply.ts')
      outcome.code = await runApply(host, planFile, flags)
    })
  shared(commandIn('Daily', program, 'drift'), [
    'repository',
    'stack',
    'service',
    'target',
    'owner',
    'base',
    'verbose',
    'redact',
    'format',
    'report',
  ])
    .description('show what is live and not as declared')
    .option('--metrics <file>', 'write metrics for the textfile collector of Prometheus')
    .action(async flags => {
      const { runDrift } = await import('./commands/drift.ts')
      outcome.code = await runDrift(host, flags)
    })
}

function addCompare(program: Command, host: Host, outcome: Outcome): void {
  shared(commandIn('Files', program, 'compare'), ['folder', 'owner', 'redact', 'format', 'report'])
    .description('show how environments differ')
    .argument('[from]', 'an environment')
    .argument('[to]', 'another one')
    .argument('[more...]', 'more environments, then objects: addresses, keys, or globs')
    .option('--live', 'compare live services, each read with its own key')
    .addOption(
      new Option('--sandbox', 'compare what the embedded sandbox holds; implies --live').implies({
        live: true,
      }),
    )
    .option('--parallelism <n>', 'requests at the same time (VEXIL_PARALLELISM)')
    .option('--no-grants', 'leave role access out, which takes a request for each flag')
    .option('--show-equal', 'list equal objects too')
    .option('--detailed-exitcode', 'end in 2 when anything differs')
    .action(async (from, to, more, flags) => {
      const { runCompare } = await import('./commands/compare/compare.ts')
      const words = [from, to, ...more].filter(word => word !== undefined)
      outcome.code = await runCompare(host, words, flags)
    })
}

const examples = `
The key comes from VEXIL_API_KEY, or from the file in VEXIL_API_KEY_FILE.
Without a service: vexil init flags && cd flags && vexil apply --sandbox

Exit codes: 0 done, 1 error, 2 changes (--detailed-exitcode, --check),
3 refused, 4 partly applied, 5 stale or conflict, 6 drift or stale flags,
64 usage, 130 and 143 interrupted.
`
