import { type Command, Option } from 'commander'
import { profileSettings, profiles } from '../model/connection/profile.ts'
import { version } from '../model/version.ts'
import { optionalFormats } from '../report/formats.ts'
import { faultHelp } from '../sandbox/behaviour/fault-grammar.ts'
import { addCodeCommands } from './code-commands.ts'
import { approval, collect, formatOptions, planning, shared } from './command-options.ts'
import { languageOption } from './commands/export/export-language.ts'
import { addEditCommands } from './edit-commands.ts'
import { addEvaluationCommands } from './evaluation-commands.ts'
import type { Host, RunProgram } from './host/host.ts'
import { MeantCommand } from './meant-command.ts'
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
  addHistory(program, host, outcome)
  addUnlock(program, host, outcome)
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

function addStateCommands(program: Command, host: Host, outcome: Outcome): void {
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
    .addOption(
      new Option(
        '--from-configuration <dir>',
        'only what its files *.tf and *.tf.json declare with the provider posthog/posthog, by key and by the names of roles, where no state is at hand',
      ).conflicts(['kind', 'owner', 'fromState']),
    )
    .option('--moved', 'with either: moved blocks, which keep the state, in place of imports (Terraform 1.8)')
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
}

function addHistory(program: Command, host: Host, outcome: Outcome): void {
  shared(program.command('history'), ['repository', 'format', 'report'])
    .description('list the runs that are on record, the newest first; of one run, how each object came out')
    .argument('[run]', 'the name of a run, the file of its record or journal, or "last"')
    .option('-n, --max-count <n>', 'so many runs at the most', '20')
    .action(async (run, flags) => {
      const { runHistory } = await import('./commands/history.ts')
      outcome.code = await runHistory(host, run, flags)
    })
}

function addUnlock(program: Command, host: Host, outcome: Outcome): void {
  approval(shared(program.command('unlock'), ['format']))
    .description('remove the lock of a command that was killed; shows whose it is, and asks')
    .argument('[lock]', 'its name, such as lock-0f3a5c7e9b1d; needed where several are held')
    .option('-C, --chdir <dir>', 'the folder with vexil.yaml', '.')
    .action(async (lock, flags) => {
      const { runUnlock } = await import('./commands/unlock.ts')
      outcome.code = await runUnlock(host, lock, flags)
    })
}

function addServiceCommands(program: Command, host: Host, outcome: Outcome): void {
  shared(program.command('call'), ['repository', 'service', 'format'])
    .description('call any operation of the interface; without a name, list them')
    .argument('[operation]', 'such as feature_flag.read')
    .argument('[arguments...]', 'NAME=VALUE for path and query')
    .option('--body <json>', 'the body: JSON, @FILE, or - for standard input')
    .option('--query <name=value>', 'a query parameter that the interface does not name; repeatable', collect)
    .option('--all', 'follow a list to its end')
    .action(async (operation, assignments, flags) => {
      const { runCall } = await import('./commands/call/call.ts')
      outcome.code = await runCall(host, operation, assignments, flags)
    })
  const sandbox = program.command('sandbox').description('run a local stand-in of the whole service')
  const serving = sandbox
    .option('--host <host>', 'address to listen on', '127.0.0.1')
    .option('--allow-host <name>', 'answer to this name of the machine as well; repeatable', collect)
    .option('--port <number>', 'port to listen on; 0 picks one', '8100')
    .option(
      '--data <dir>',
      'keep everything there, which needs the package classic-level; memory only when not given. What it holds already wins over --world and --empty',
    )
    .option('--world <file>', 'YAML or JSON with the first content')
    .addOption(
      new Option('--empty', 'one organization, one project, two roles, nothing else').conflicts('world'),
    )
    .addOption(new Option('--profile <name>', 'whose behaviour').choices(profiles).default('documented'))
    .option(
      '--quirk <name=value>',
      'set one behaviour; repeatable; `vexil sandbox quirks` lists them',
      collect,
    )
    .option(
      '--fault <rule>',
      'script a fault, such as "PATCH /feature_flags/* nth=2 reset_after"; repeatable',
      collect,
    )
    .option('--api-key <key>', 'the key to accept')
    .option('--scope <name>', 'let the key do this alone, as in feature_flag:read; repeatable', collect)
  formatOptions(serving, { json: 'print one line of JSON as soon as it listens' })
    .addHelpText('after', `\n${faultHelp()}`)
    .action(async flags => {
      const { runSandbox } = await import('./commands/sandbox.ts')
      outcome.code = await runSandbox(host, flags)
    })
  shared(sandbox.command('quirks'), ['format'])
    .description('list the behaviours that --quirk sets, with what each profile does')
    .action(async flags => {
      const { runQuirks } = await import('./commands/quirks.ts')
      outcome.code = await runQuirks(host, flags)
    })
  shared(program.command('doctor'), ['repository', 'service', 'format'])
    .description('check settings, which service answers, what the key may do, clock, limits and versions')
    .action(async flags => {
      const { runDoctor } = await import('./commands/doctor/doctor.ts')
      outcome.code = await runDoctor(host, flags)
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
