import { type Command, CommanderError, Option } from 'commander'
import { variables } from '../api/settings.ts'
import { profileSettings, profiles } from '../model/connection.ts'
import { version } from '../model/version.ts'
import type { FailureDocument } from '../report/document.ts'
import { optionalFormats } from '../report/formats.ts'
import { faultHelp } from '../sandbox/faults.ts'
import {
  collect,
  commandIn,
  type Flags,
  formatOptions,
  isForOne,
  isNamed,
  languageOption,
  MeantCommand,
  once,
  planning,
  type SeveralFlags,
  shared,
} from './command-options.ts'
import { CommandError, type ExitCode, exitCode, mostImportant } from './host/exit-code.ts'
import type { Host, ProcessHost, RunProgram } from './host/host.ts'
import { logFormats } from './host/log.ts'
import { type Asked, formatIn, note, printAs, Reports } from './host/output.ts'
import { guardHost, learnKeys, learnPasswords, redactAsAsked } from './host/processes.ts'

/**
 * All commands with their options. The module of a command is loaded when it runs, so that `--version` and
 * `--help` start fast. `run` is for the command that runs others.
 */
export function createProgram(host: Host, outcome: Outcome, run: RunProgram): Command {
  const program = new MeantCommand('vexil', host.arguments)
    // All commands below inherit this: they do not end the process.
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
  const does: Does =
    (load, ...first) =>
    async (...given) => {
      // Commander passes the command last.
      outcome.code = await runOn(host, load, [...first, ...given.slice(0, -1)])
    }
  const each: Does =
    (load, ...first) =>
    async (...given) => {
      // Commander passes the options and the command last.
      const [flags, command] = given.slice(-2) as [SeveralFlags, Command]
      if (isForOne(flags)) return does(load, ...first)(...given)
      const { runForEach } = await import('./plan/each-environment.ts')
      const words = given.slice(0, -2)
      const run = (one: Host, own: Flags) => runOn(one, load, [...first, ...words, own])
      outcome.code = await runForEach(host, { command: command.name(), words, flags, run })
    }
  addWorkCommands(program, does, each)
  addEditCommands(program, does)
  addCompare(program, does)
  addCodeCommands(program, does)
  addEvaluationCommands(program, does, each)
  addSwitchCommands(program, does)
  addStateCommands(program, does)
  addServiceCommands(program, does)
  addReconcile(program, does)
  addToolCommands(program, does, run)
  // Commander adds the command `help`.
  return program.commandsGroup('Advanced:').helpCommand(true)
}

interface Outcome {
  code: ExitCode
}

/** The action of a command: loads its function, and passes it `first`, the arguments and the options. */
type Does = (load: Load, ...first: readonly unknown[]) => (...given: unknown[]) => Promise<void>

type Load = () => Promise<(host: Host, ...given: never[]) => Promise<ExitCode>>

async function runOn(host: Host, load: Load, given: readonly unknown[]): Promise<ExitCode> {
  const command = await load()
  // Only the function knows the types.
  return command(host, ...(given as never[]))
}

/** `each` is for commands that take several environments. */
function addWorkCommands(program: Command, does: Does, each: Does): void {
  commandIn('Daily', program, 'init', 'place format')
    .description('write settings and a first flag, or the live objects')
    .argument('[directory]', 'where', '.')
    .option('-e, --env <name>', 'the name of the environment; production by default', once)
    .option('--from-live', 'ask for the service, write its live objects, and plan')
    .option('--no-input', 'never ask; refuse instead')
    .action(does(async () => (await import('./edit/init.ts')).runInit))
  commandIn('Daily', program, 'validate', 'environments stack redact format report')
    .description('check every declaration without the service')
    .option(
      '--show <address>',
      'show the values of this object, or of a glob, with the line of each; repeatable',
      collect,
    )
    .option('--profile <name>', `the API profile to check for (VEXIL_PROFILE): ${profileSettings.join(', ')}`)
    .action(each(async () => (await import('./commands/validate.ts')).runValidate))
  commandIn('Daily', program, 'plan', `${planning} format report`, 'diff')
    .description('show what an apply would do; a read-only key is enough')
    .option('-o, --out <file>', 'save the plan for `vexil apply FILE`')
    .option('--reviewed <plan>', 'end in 5 if the plan does more than this saved one')
    .option('--detailed-exitcode', 'end in 2 when changes are pending')
    .option('--fail-on-blocked', 'end in 3 when something is blocked or held')
    .option('--show-unchanged', 'list unchanged objects too')
    .option('--estimates', 'ask the service how many people conditions reach')
    .action(each(async () => (await import('./commands/plan.ts')).runPlan))
  commandIn('Daily', program, 'show', 'verbose redact format report')
    .description('show a saved plan, or a plan of Terraform')
    .argument('[plan]', 'a file that `vexil plan --out` wrote')
    .option('--terraform-plan <file>', 'the output of `terraform show -json` for a plan')
    .action(does(async () => (await import('./commands/show.ts')).runShow))
  commandIn('Daily', program, 'apply', `${planning} format report approval`)
    .description('carry out a saved plan, or make one and ask')
    .argument('[plan]', 'a file that `vexil plan --out` wrote')
    .option('--fail-on-blocked', 'end in 3 when something is blocked or held')
    .option('--all-or-nothing', 'write all of it, or end in 5 and write nothing')
    .action(each(async () => (await import('./commands/apply.ts')).runApply))
  commandIn(
    'Daily',
    program,
    'drift',
    'environments stack service target owner base verbose redact format report',
  )
    .description('show live changes that differ from declarations')
    .option('--metrics <file>', 'write metrics for the textfile collector of Prometheus')
    .action(each(async () => (await import('./commands/drift.ts')).runDrift))
}

/** A process that runs until a signal, on machines of a platform team. */
function addReconcile(program: Command, does: Does): void {
  commandIn('Advanced', program, 'reconcile', 'environments')
    .description('keep environments as declared until stopped')
    .option('--every <time>', 'how often each environment is reconciled', '5m')
    .addOption(
      new Option('--mode <mode>', 'only report what differs, or apply')
        .choices(['report', 'apply'])
        .default('report'),
    )
    .option('--repo <url>', 'the git repository to fetch; by default the folder as it is')
    .option('--revision <name>', 'its branch, tag or commit; by default its default branch')
    .option('--work-dir <dir>', 'where clones are kept; a temporary folder by default')
    .option('--listen <host:port>', 'where to serve /healthz and /metrics', '127.0.0.1:9464')
    .option('--jobs <n>', 'environments at the same time', '4')
    .action(does(async () => (await import('./commands/reconcile.ts')).runReconcile))
}

function addCompare(program: Command, does: Does): void {
  commandIn('Files', program, 'envs', 'environments format')
    .description('list the environments')
    .action(does(async () => (await import('./commands/envs.ts')).runEnvs))
  commandIn('Files', program, 'compare', 'environments owner redact format report')
    .description('show how environments differ')
    .argument('[from]', 'an environment')
    .argument('[to]', 'another one')
    .argument('[more...]', 'more environments, then objects: addresses, keys, or globs')
    .option('--live', 'compare live services, each read with its own key')
    .addOption(
      new Option('--sandbox', 'compare the embedded sandbox; implies --live').implies({
        live: true,
      }),
    )
    .option('--parallelism <n>', 'requests at the same time (VEXIL_PARALLELISM)')
    .option('--no-grants', 'skip role access, which needs a request per flag')
    .option('--show-equal', 'list equal objects too')
    .option('--detailed-exitcode', 'end in 2 when anything differs')
    .action(does(async () => (await import('./commands/compare.ts')).runCompare))
}

const examples = `
The key comes from VEXIL_API_KEY, or from the file in VEXIL_API_KEY_FILE.
Without a service: vexil init flags && cd flags && vexil apply --sandbox

Exit codes: 0 done, 1 error, 2 changes (--detailed-exitcode, --check),
3 refused, 4 partly applied, 5 stale or conflict, 6 drift or stale flags,
64 usage, 130 and 143 interrupted.
`

function addCodeCommands(program: Command, does: Does): void {
  commandIn('Code', program, 'refs', 'folder stack format')
    .description('show where code names the declared flags')
    .argument('[flag...]', 'keys or globs; all by default')
    .option('--in <path>', 'a file or folder to search; repeatable; all in git by default', collect)
    .option('--unused', 'list flags that no code names, and end in 6 if there are any')
    .option('--undeclared', 'list calls for keys that are not declared, and end in 6 if there are any')
    .action(does(async () => (await import('./commands/refs.ts')).runRefs))
  commandIn('Code', program, 'keys', 'folder stack')
    .description('write flags as types of TypeScript, Python or Go')
    .option('--ts', 'for TypeScript')
    .option('--py', 'for Python 3.9 and later')
    .option('--go', 'for Go 1.18 and later')
    .option('-o, --out <file>', 'the file; standard output by default')
    .option('--check', 'write nothing, and end in 2 if the file would change')
    .option('--package <name>', 'the Go package; flags by default')
    .action(does(async () => (await import('./commands/keys.ts')).runKeys))
}

/** Commands that edit declaration files. They do not change the service. */
function addEditCommands(program: Command, does: Does): void {
  commandIn('Files', program, 'promote', 'folder format')
    .description('copy declarations from one environment to another')
    .argument('<address...>', 'objects: addresses, keys or globs such as "checkout_*"')
    .requiredOption('--from <environment>', 'the environment that has them')
    .requiredOption('--to <environment>', 'the environment that gets them')
    .option('--shared', 'write it for all environments, not as overrides of one')
    .option('--dry-run', 'show what would change, and write nothing')
    .action(does(async () => (await import('./edit/promote.ts')).runPromote))
  commandIn('Files', program, 'ramp', 'repository format')
    .description('write the next step of a rollout')
    .argument('<flag>', 'the key of a flag')
    .requiredOption('--to <percentage>', 'the final percentage')
    .option('--condition <name>', 'which condition: its name, or its number from 1')
    .option('--shared', 'write it for all environments, not as an override of one')
    .option('--dry-run', 'show what would change, and write nothing')
    .action(does(async () => (await import('./edit/ramp.ts')).runRamp))
  commandIn('Files', program, 'pull', 'repository stack service owner format')
    .description('write changes from the product into the files')
    .argument('[address...]', 'objects: addresses, keys or globs; all by default')
    .option('--shared', 'write it for all environments, not as overrides of one')
    .option('--dry-run', 'show what would change, and write nothing')
    .option('--commit', 'commit the files: one commit for each person who made changes')
    .action(does(async () => (await import('./edit/pull.ts')).runPull))
  commandIn('Files', program, 'retire', 'repository stack service owner format')
    .description('list stale flags, or remove one step by step')
    .argument('[flag]', 'the key of the flag to remove')
    .option(
      '--in <path>',
      'a file or folder of code to search; repeatable; for one flag, all in git by default',
      collect,
    )
    .option('--days <n>', 'how long flags in the list were the same (30), or the flag was off (7)')
    .option('--activity', 'list: use the live flags and their activity')
    .option('--value <value>', 'what everybody gets if values differ: on, off, or a variant')
    .option('--expires <date>', 'the last day on which code may name it')
    .option(
      '--allow <hold>',
      'go on although this blocks it: references, or a rule such as experiment; repeatable',
      collect,
    )
    .option('--offline', 'do not ask the service')
    .option('--dry-run', 'show what would change, and write nothing')
    .action(does(async () => (await import('./edit/retire.ts')).runRetire))
  commandIn('Files', program, 'fmt', 'folder format')
    .description('order and indent declarations')
    .argument('[file...]', 'files of declarations; all by default; - is standard input')
    .option('--check', 'write nothing, and end in 2 if a file would change')
    .action(does(async () => (await import('./edit/fmt.ts')).runFormat))
}

function addEvaluationCommands(program: Command, does: Does, each: Does): void {
  commandIn('Code', program, 'evaluate', 'repository stack service owner format')
    .description('show what a person gets, and why, without the service')
    .argument('[flag]', 'a key or a glob; all by default')
    .option('--distinct-id <id>', 'the id of the person; needed for percentages')
    .option('--property <name=value>', 'a property of the person, JSON or a text; repeatable', collect)
    .option('--group <type=key>', 'a group, such as 0=acme or company=acme; repeatable', collect)
    .option('--group-property <type.name=value>', 'a property of it, such as 0.plan=pro; repeatable', collect)
    .option('--device-id <id>', 'the device, for flags that count devices')
    .addOption(
      new Option(
        '--property-matching-version <n>',
        'version of the project; 1 (default): is the property true; 2: compare texts',
      ).choices(['1', '2']),
    )
    .option('--live', 'read the live flags too, and show differences')
    .action(does(async () => (await import('./commands/evaluate.ts')).runEvaluate))
  commandIn('Daily', program, 'test', 'environments stack owner redact format report')
    .description('run the tests of declared flags, without the service')
    .argument('[flag...]', 'keys, addresses, or globs such as "checkout_*"; all by default')
    .option('--coverage', 'list conditions and variants that no test reaches')
    .option('--min-coverage <percent>', 'end in 1 if tests reach less')
    .option('--sdk <name>', 'show what SDKs answer: all, or posthog-go@1.5.2; repeatable', collect)
    .option('--profile <name>', `the API profile to test for (VEXIL_PROFILE): ${profileSettings.join(', ')}`)
    .action(each(async () => (await import('./commands/test.ts')).runTest))
}

function addServiceCommands(program: Command, does: Does): void {
  commandIn('Advanced', program, 'call', 'repository service format')
    .description('call an operation of the API, or list them')
    .argument('[operation]', 'such as feature_flag.read')
    .argument('[arguments...]', 'NAME=VALUE for path and query')
    .option('--body <json>', 'the body: JSON, @FILE, or - for standard input')
    .option('--query <name=value>', 'another query parameter; repeatable', collect)
    .option('--all', 'follow a list to its end')
    .option('--without-store', 'write although the shared store is down')
    .action(does(async () => (await import('./tools/call.ts')).runCall))
  const dev = commandIn('Code', program, 'dev', 'repository stack service')
    .description('serve the declared flags to SDKs on this machine')
    .option('--port <number>', 'port to listen on; 0 picks one', '8100')
    .option('--set <flag=value>', 'give everybody this value: true, false or a variant; repeatable', collect)
    .option('--live', 'begin with the live flags, which declarations then change')
    .option('--no-page', 'do not serve the page for people')
  formatOptions(dev, { json: 'print one line of JSON as soon as it listens' }).action(
    does(async () => (await import('./tools/dev.ts')).runDev),
  )
  const sandbox = commandIn('Advanced', program, 'sandbox').description(
    'run a local stand-in for the service',
  )
  const serving = sandbox
    .option('--host <host>', 'address to listen on', '127.0.0.1')
    .option('--allow-host <name>', 'answer to this host name too; repeatable', collect)
    .option('--port <number>', 'port to listen on; 0 picks one', '8100')
    .option('--data <dir>', 'keep everything there, not in memory; wins over --world and --empty')
    .option('--world <file>', 'YAML or JSON with the first content')
    .addOption(
      new Option('--empty', 'one organization, one project, two roles, nothing else').conflicts('world'),
    )
    .addOption(
      new Option('--profile <name>', 'the service to imitate').choices(profiles).default('documented'),
    )
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
    .option('--scope <name>', 'limit the key to this scope, such as feature_flag:read; repeatable', collect)
    .option('--no-page', 'do not serve the page for people')
  formatOptions(serving, { json: 'print one line of JSON as soon as it listens' })
    .addHelpText('after', `\n${faultHelp()}`)
    .action(does(async () => (await import('./tools/sandbox.ts')).runSandbox))
  shared(sandbox.command('quirks'), 'format')
    .description('list the behaviours that --quirk sets, with what each profile does')
    .action(does(async () => (await import('./tools/sandbox.ts')).runQuirks))
  commandIn('Incident', program, 'doctor', 'repository service format')
    .description('check settings, service, key, clock and limits')
    .action(does(async () => (await import('./tools/doctor.ts')).runDoctor))
}

function addStateCommands(program: Command, does: Does): void {
  commandIn('Files', program, 'export', 'environments owner service format')
    .description('write live objects as YAML, or for Terraform')
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
    .option('--no-grants', 'skip role access, which needs a request per flag')
    .action(does(async () => (await import('./edit/export.ts')).runExport))
  for (const [verb, words] of [
    ['claim', 'put the ownership tag on declared objects'],
    ['unclaim', 'take the ownership tag off declared objects'],
  ] as const) {
    commandIn('Advanced', program, verb, 'repository stack service owner verbose redact format approval')
      .description(words)
      .argument('[address...]', 'objects: addresses, keys or globs; all by default')
      .action(does(async () => (await import('./commands/ownership.ts')).runOwnership, verb))
  }
  commandIn(
    'Incident',
    program,
    'undo',
    'repository service target owner guards verbose redact format approval',
  )
    .description('restore what a run changed, unless it was changed since')
    .argument('<run>', 'its name, its file, or "last": the last run that changed something')
    .action(does(async () => (await import('./commands/undo.ts')).runUndo))
  commandIn('Incident', program, 'history', 'repository format report')
    .description('list runs, or the objects of one run')
    .argument('[run]', 'its name, its file, or "last"')
    .option('-n, --max-count <n>', 'the most runs to list', '20')
    .option('--all', 'runs of all places in the shared store')
    .action(does(async () => (await import('./commands/history.ts')).runHistory))
  commandIn('Advanced', program, 'unlock', 'folder format approval')
    .description('remove the lock of a command that was killed')
    .argument('[lock]', 'its name, such as lock-0f3a5c7e9b1d; needed if there are several')
    .action(does(async () => (await import('./commands/unlock.ts')).runUnlock))
}

function addSwitchCommands(program: Command, does: Does): void {
  commandIn('Incident', program, 'disable', 'repository service redact format approval', 'kill')
    .description('turn one live flag off until `vexil enable`')
    .argument('<flag>', 'the key of a flag, or its address')
    .option('--reason <text>', 'why, in one line, for the record and for plans')
    .action(does(async () => (await import('./commands/switch.ts')).runSwitch, 'disable'))
  commandIn('Incident', program, 'enable', 'repository service guards redact format approval')
    .description('turn one live flag on again')
    .argument('<flag>', 'the key of a flag, or its address')
    .option('--reason <text>', 'why, in one line, for the record')
    .action(does(async () => (await import('./commands/switch.ts')).runSwitch, 'enable'))
}

function addToolCommands(program: Command, does: Does, run: RunProgram): void {
  const terraform = commandIn('Advanced', program, 'terraform').description(
    'use Vexil as a Terraform provider',
  )
  shared(terraform.command('install'), 'format')
    .description('put the provider where `terraform init` finds it')
    .option('--directory <dir>', 'a plugin folder of its own, for terraform init -plugin-dir')
    .action(does(async () => (await import('./tools/terraform.ts')).runTerraformInstall))
  terraform
    .command('serve')
    .description('run a command with one provider for all that Terraform starts in it')
    .argument('<command...>', 'after `--`, such as `-- terraform plan`')
    .action(does(async () => (await import('./tools/terraform.ts')).runTerraformServe))
  commandIn('Advanced', program, 'schema')
    .description('print a JSON Schema, or the reference of declarations')
    .argument('[schema]', 'such as declarations, settings, plan, feature_flag')
    .option('--markdown', 'print the reference of everything that can be declared')
    .action(does(async () => (await import('./tools/schema.ts')).runSchema))
  commandIn('Advanced', program, 'completion')
    .description('print a completion script')
    .argument('<shell>', 'bash, zsh or fish')
    .action(does(async () => (await import('./tools/completion.ts')).runCompletion))
  // For the scripts that `completion` prints.
  program
    .command('complete', { hidden: true })
    .argument('<shell>')
    .argument('[words...]')
    .action(does(async () => (await import('./tools/completion.ts')).runComplete, program))
  commandIn('Advanced', program, 'demo')
    .description('plan and apply the examples in the sandbox')
    .action(does(async () => (await import('./tools/demo.ts')).runDemo, run))
}

/**
 * Runs one command line and returns its exit code. It never throws: an error is one line on standard error
 * and, with `--json`, also a document on standard output.
 */
export async function runCommandLine(outside: ProcessHost): Promise<ExitCode> {
  const guarded = guardHost(outside)
  await learnKeys(guarded, variables.apiKey)
  learnPasswords(guarded)
  // Set before parsing, so that errors of the command line have the requested format.
  chooseLog(guarded, logChoiceIn(guarded.arguments), 'leniently')
  try {
    if (!guarded.isTraced) return await runGuarded(guarded)
    const { traced } = await import('./host/tracing.ts')
    return await traced(guarded, runGuarded)
  } finally {
    await guarded.stores.close()
  }
}

async function runGuarded(guarded: Host): Promise<ExitCode> {
  const reports = new Reports(guarded)
  const host: Host = {
    ...guarded,
    onDocument(document) {
      guarded.onDocument?.(document)
      reports.take(document)
    },
  }
  const end = async (code: ExitCode, failure?: FailureDocument) =>
    (await reports.write(code, failure)) || code === exitCode.usage
      ? code
      : mostImportant([code, exitCode.error])
  const outcome: Outcome = { code: exitCode.done }
  const program = withLogOptions(createProgram(host, outcome, runCommandLine))
  program.hook('preAction', async (_, command) => {
    chooseLog(host, command.optsWithGlobals())
    redactAsAsked(host, command.opts().redact)
    await reports.open(command.opts(), askedBy(command))
  })
  try {
    refuseNul(host.arguments)
    await program.parseAsync(acceptOneDash(host.arguments), { from: 'user' })
    return await end(outcome.code)
  } catch (error) {
    // Commander throws for help and the version too.
    if (error instanceof CommanderError && error.exitCode === 0) return exitCode.done
    const failure = await reportFailure(host, error)
    return end(failure.exitCode, failure)
  }
}

/** Refuses NUL, which no path or name contains. Programs can pass it, shells cannot. */
function refuseNul(given: readonly string[]): void {
  const broken = given.find(argument => argument.includes('\0'))
  if (broken !== undefined)
    throw new CommandError(`the argument ${JSON.stringify(broken)} has a NUL character`, exitCode.usage)
}

function askedBy(command: Command): Asked {
  const { out, terraformPlan, planJson, metrics } = command.opts()
  const named = [out, terraformPlan, planJson, metrics].filter(name => typeof name === 'string')
  return { command: command.name(), others: [...command.args, ...named] }
}

/** Accepts `-detailed-exitcode` too, as Terraform's users write it. */
function acceptOneDash(given: readonly string[]): string[] {
  return given.map(argument => (argument === '-detailed-exitcode' ? '--detailed-exitcode' : argument))
}

/** Reports a failure on standard error and, in a format for programs, also on standard output. */
async function reportFailure(host: Host, error: unknown) {
  // Loaded here, because successful commands do not need it.
  const { failureOf, logLine } = await import('./plan/failure.ts')
  const failure = await failureOf(error)
  if (failure.problems.length > 0) await note(host, { ...failure, line: undefined })
  if (failure.line !== undefined) logLine(host, failure.line, failure)
  // The stack is useful only to the authors of Vexil.
  const isOurs = error instanceof Error && !(error instanceof CommandError) && failure.line !== undefined
  if (isOurs) host.log.debug(error.stack ?? '')
  const format = formatIn(host.arguments)
  if (format !== undefined) await printAs(host, format, failure)
  return failure
}

const formatVariable = 'VEXIL_LOG_FORMAT'

/** Adds the log options to a command and all below it. */
function withLogOptions<Some extends Command>(command: Some): Some {
  if (!isNamed(command)) return command
  command
    .optionsGroup(command.parent ? 'Output:' : '')
    .addOption(new Option('--log-format <format>', 'form of notes and errors').choices(logFormats))
    .addOption(new Option('--quiet', 'print no progress and no hints').conflicts('verbose'))
    .optionsGroup('')
  for (const below of command.commands) withLogOptions(below)
  return command
}

/** Sets the log format: from an option, from the environment, or text. */
function chooseLog(host: Host, { logFormat, quiet = false }: Flags, manner?: 'leniently'): void {
  const wanted = logFormat ?? (host.env[formatVariable] || 'text')
  const format = logFormats.find(each => each === wanted)
  host.log.choose({ format: format ?? 'text', isQuiet: quiet })
  if (format === undefined && manner !== 'leniently')
    throw new CommandError(
      `${formatVariable} is "${wanted}"; it takes ${logFormats.join(' or ')}`,
      exitCode.usage,
    )
}

/** The log options of a command line that is not parsed yet, or is not valid. */
function logChoiceIn(commandLine: readonly string[]): Flags {
  const end = commandLine.indexOf('--')
  const words = end < 0 ? commandLine : commandLine.slice(0, end)
  const at = words.lastIndexOf('--log-format')
  const joined = words.findLast(word => word.startsWith('--log-format='))
  const named = at >= 0 ? words[at + 1] : joined?.slice('--log-format='.length)
  const logFormat = logFormats.find(format => format === named)
  return { logFormat, quiet: words.includes('--quiet') || undefined }
}
