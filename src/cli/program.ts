import { type Command, Option } from 'commander'
import { profileSettings } from '../model/connection/profile.ts'
import { version } from '../model/version.ts'
import { addCodeCommands } from './code-commands.ts'
import { approval, collect, planning, shared } from './command-options.ts'
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
  const program = new MeantCommand('vexil')
    // Every command below takes this over when it is added: none of them ends the process.
    .exitOverride()
    .description('Keeps feature flags, role access, plugins and event definition tags in git.')
    .version(version, '-V, --version')
    .enablePositionalOptions()
    .addHelpText('after', examples)
  program.configureOutput({
    writeOut: text => host.stdout.write(text),
    writeErr: text => host.log.error(text, { code: 'usage' }),
    outputError: (text, write) => write(text.replace(/^error: /, 'vexil: ')),
  })
  addWorkCommands(program, host, outcome)
  addCompare(program, host, outcome)
  addEvaluationCommands(program, host, outcome)
  addEditCommands(program, host, outcome)
  addCodeCommands(program, host, outcome)
  addSwitchCommands(program, host, outcome)
  addStateCommands(program, host, outcome)
  addServiceCommands(program, host, outcome)
  addToolCommands(program, host, outcome, run)
  return program
}

function addWorkCommands(program: Command, host: Host, outcome: Outcome): void {
  shared(program.command('init'), ['place', 'format'])
    .description('write a settings file and a first flag; or, with --from-live, what a service holds')
    .argument('[directory]', 'where', '.')
    .option('-e, --env <name>', 'what the environment is called; production when not given')
    .option('--from-live', 'ask for the service, check the connection, write what is live, and plan')
    .option('--no-input', 'never ask; refuse instead')
    .action(async (directory, flags) => {
      const { runInit } = await import('./commands/init/init.ts')
      outcome.code = await runInit(host, directory, flags)
    })
  shared(program.command('validate'), ['repository', 'stack', 'redact', 'format', 'report'])
    .description('check every declaration without asking the service')
    .option(
      '--show <address>',
      'show what this object, or those that fit a glob, come to in the environment, with the line of each value; repeatable',
      collect,
    )
    .option(
      '--profile <name>',
      `the service to check for: ${profileSettings.join(', ')} (VEXIL_PROFILE); what the settings say when not given`,
    )
    .action(async flags => {
      const { runValidate } = await import('./commands/validate.ts')
      outcome.code = await runValidate(host, flags)
    })
  shared(program.command('plan'), [...planning, 'format', 'report'])
    .alias('diff')
    .description('show what an apply would do; a read-only key is enough')
    .option('-o, --out <file>', 'save the plan for `vexil apply FILE`')
    .option('--reviewed <plan>', 'end in 5 when it does anything that this saved plan does not do')
    .option('--detailed-exitcode', 'end in 2 when changes are pending')
    .option('--fail-on-blocked', 'end in 3 when something is blocked, or held as it is in the product')
    .option('--show-unchanged', 'list what is as declared too')
    .option(
      '--estimates',
      'ask the service how many people new conditions reach (a POST that writes nothing)',
    )
    .action(async flags => {
      const { runPlan } = await import('./commands/plan.ts')
      outcome.code = await runPlan(host, flags)
    })
  shared(program.command('show'), ['verbose', 'redact', 'format', 'report'])
    .description('show a saved plan again, or a plan of Terraform')
    .argument('[plan]', 'a file that `vexil plan --out` wrote')
    .option(
      '--terraform-plan <file>',
      'show what a plan of Terraform does to flags, grants and the like (terraform show -json)',
    )
    .action(async (planFile, flags) => {
      const { runShow } = await import('./commands/show.ts')
      outcome.code = await runShow(host, planFile, flags)
    })
  approval(shared(program.command('apply'), [...planning, 'format', 'report']))
    .description('carry out a saved plan, or make one, ask, and carry it out')
    .argument('[plan]', 'a file that `vexil plan --out` wrote')
    .option('--fail-on-blocked', 'end in 3 when something is blocked or held, after everything else was done')
    .option(
      '--all-or-nothing',
      'look at every object first; when one is not as planned, write nothing and end in 5',
    )
    .action(async (planFile, flags) => {
      const { runApply } = await import('./commands/apply.ts')
      outcome.code = await runApply(host, planFile, flags)
    })
  shared(program.command('drift'), [
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
    .description('show what of the live service is not as declared; ends in 6 when anything is')
    .option(
      '--metrics <file>',
      'write what it found, and how it ended, for the textfile collector of Prometheus',
    )
    .action(async flags => {
      const { runDrift } = await import('./commands/drift.ts')
      outcome.code = await runDrift(host, flags)
    })
}

function addCompare(program: Command, host: Host, outcome: Outcome): void {
  shared(program.command('compare'), ['owner', 'redact', 'format', 'report'])
    .description('show in what environments differ: as they are declared or, with --live, as they are live')
    .argument('[from]', 'an environment')
    .argument('[to]', 'another one')
    .argument(
      '[more...]',
      'further environments, then objects: addresses, keys, or globs such as "checkout_*"',
    )
    .option('-C, --chdir <dir>', 'the folder with vexil.yaml', '.')
    .option('--live', 'read the live service of each, with the key of each, in place of the declarations')
    .addOption(
      new Option('--sandbox', 'read the embedded sandbox, kept in .vexil/sandbox; goes with --live').implies({
        live: true,
      }),
    )
    .option('--parallelism <n>', 'requests at the same time (VEXIL_PARALLELISM)')
    .option('--no-grants', 'leave role access out: with --live it costs one request per flag')
    .option('--show-equal', 'list what is the same too')
    .option('--detailed-exitcode', 'end in 2 when anything differs')
    .action(async (from, to, more, flags) => {
      const { runCompare } = await import('./commands/compare/compare.ts')
      const words = [from, to, ...more].filter(word => word !== undefined)
      outcome.code = await runCompare(host, words, flags)
    })
}

const examples = `
The key comes from VEXIL_API_KEY or from the file that VEXIL_API_KEY_FILE names, never from a flag.

Try it without a service:
  vexil init flags && cd flags
  vexil plan --sandbox
  vexil apply --sandbox
  vexil plan --sandbox          # nothing to do

Exit codes: 0 done, 1 error, 2 changes (--detailed-exitcode, --check), 3 refused, 4 partly applied,
5 stale or conflict, 6 drift or stale flags, 64 usage, 130 and 143 interrupted.
`
