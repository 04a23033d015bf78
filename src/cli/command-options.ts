import { type Command, Option } from 'commander'
import { guardRules } from '../core/desired.ts'
import { profileSettings } from '../model/connection/profile.ts'
import { pruneModes } from '../model/removal/prune.ts'
import { redactedPartNames } from '../model/safety/redacted-part.ts'
import { optionalFormats, reportFormats } from '../report/formats.ts'

/** Options that several commands have in common. */
export type OptionGroup =
  | 'repository'
  | 'environments'
  | 'stack'
  | 'place'
  | 'service'
  | 'target'
  | 'owner'
  | 'guards'
  | 'base'
  | 'prune'
  | 'verbose'
  | 'redact'
  | 'format'
  | 'report'

/** The options of a command that makes a plan of the declarations. */
export const planning: readonly OptionGroup[] = [
  'repository',
  'stack',
  'service',
  'target',
  'owner',
  'guards',
  'base',
  'prune',
  'verbose',
  'redact',
]

/** Adds option groups to a command, and the choice of colour that every text has. */
export function shared(command: Command, groups: readonly OptionGroup[]): Command {
  for (const group of groups) addOptions[group](command)
  return addColor(command)
}

/** Adds whether to ask before writing. */
export function approval(command: Command): Command {
  return command.option('-y, --auto-approve', 'do not ask').option('--no-input', 'never ask; refuse instead')
}

/** Adds an option for each format that one chooses. `help`: what is said of one, where a command says more. */
export function formatOptions(command: Command, help: Readonly<Record<string, string>> = {}): Command {
  return optionalFormats().reduce(
    (all, [format, words]) =>
      all.addOption(new Option(`--${format}`, help[format] ?? words).implies({ format })),
    command,
  )
}

/** The values of an option that may be repeated. */
export function collect(value: string, before: readonly string[] = []): string[] {
  return [...before, value]
}

const addOptions: Readonly<Record<OptionGroup, (command: Command) => Command>> = {
  repository: command =>
    command
      .option('-C, --chdir <dir>', 'the folder with vexil.yaml', '.')
      .option('-e, --env <name>', 'the environment of vexil.yaml'),
  environments: command =>
    command
      .option('-C, --chdir <dir>', 'the folder with vexil.yaml', '.')
      .option(
        '-e, --env <name>',
        'the environment of vexil.yaml; repeated, several of them become one repository',
        collect,
      ),
  stack: command =>
    command
      .option(
        '--stack <folder|name>',
        'read a synthesized stack of CDKTF or CDK Terrain in place of YAML, or those whose names fit "flags-*"; repeatable',
        collect,
      )
      .option('--app <command>', 'synthesize it first, as in --app "node main.js"')
      .option('--var <name=value>', 'a variable of the stack (TF_VAR_name); repeatable', collect)
      .option('--provider <alias>', 'only what this provider configuration of the stack is for')
      .addOption(
        new Option(
          '--plan-json <file>',
          'read what a plan of Terraform declares (terraform show -json), in place of YAML',
        ).conflicts(['stack', 'app', 'var']),
      ),
  place: command =>
    command
      .option('--base-url <url>', 'the service (VEXIL_BASE_URL, POSTHOG_HOST)')
      .option('--project <id>', 'the project (VEXIL_PROJECT_ID, POSTHOG_PROJECT_ID)')
      .option('--organization <id>', 'the organization (VEXIL_ORGANIZATION_ID, POSTHOG_ORGANIZATION_ID)'),
  service: command =>
    addOptions
      .place(command)
      .option('--profile <name>', `${profileSettings.join(', ')} (VEXIL_PROFILE)`)
      .option('--parallelism <n>', 'requests at the same time (VEXIL_PARALLELISM)')
      .addOption(
        new Option(
          '--sandbox',
          'use an embedded sandbox, kept in .vexil/sandbox and seeded once; delete that folder to start afresh',
        ).conflicts('baseUrl'),
      ),
  target: command =>
    command.option(
      '-t, --target <address>',
      'only this object, or those that fit a glob, as in "checkout_*"; repeatable',
      collect,
    ),
  owner: command => command.option('--owner <name>', 'only what this owner answers for; repeatable', collect),
  guards: command =>
    command.option(
      '--allow <rule[=address]>',
      `allow a rule (${guardRules.join(', ')}), for one object by its address or its key, or for those that fit a glob; repeatable`,
      collect,
    ),
  base: command =>
    command.option(
      '--base <auto|none|commit>',
      'what live edits are measured from: what runs on record left (auto), nothing, or the declarations at a commit',
    ),
  prune: command =>
    command.addOption(new Option('--prune <which>', 'delete what is not declared').choices(pruneModes)),
  verbose: command => command.option('--verbose', 'tell each object by itself, also where many are alike'),
  redact: command =>
    command.option(
      '--redact <part,...>',
      `show and record none of these: ${redactedPartNames().join(', ')}; repeatable`,
      collect,
    ),
  format: command => formatOptions(command),
  report: command =>
    command.option(
      '--report <file>',
      `write the result to this file too, in the form that its name ends in: ${reportFormats()
        .map(each => each.extension)
        .join(', ')}; repeatable`,
      collect,
    ),
}

function addColor(command: Command): Command {
  return command
    .addOption(new Option('--color <when>', 'colours of the text').choices(['auto', 'always', 'never']))
    .option('--no-color', 'the same as --color never')
}
