import { type Argument, Command, InvalidArgumentError, Option } from 'commander'
import { profileSettings } from '../model/connection.ts'
import { redactedPartNames } from '../model/field.ts'
import { pruneModes } from '../model/removal.ts'
import { type FormatName, optionalFormats, reportFormats } from '../report/formats.ts'
import type { Split } from '../yaml/write/split-files.ts'

/** Options that several commands have in common. */
type OptionGroup = Exclude<keyof typeof optionGroups, 'color'>

/** The group names in a text such as `'repository stack service'`. */
type Groups<Names extends string> = Names extends `${infer First} ${infer Rest}`
  ? First | Groups<Rest>
  : Names
type Known<Names extends string> = Groups<Names> extends OptionGroup ? Names : never

/** The options of a command that makes a plan of the declarations. */
export const planning = 'environments stack service target owner guards base prune verbose redact'

/** The headings that commands have on the first page of help, in its order. */
export const commandGroups = ['Daily', 'Files', 'Code', 'Incident', 'Advanced'] as const

export function commandIn<Names extends string>(
  group: (typeof commandGroups)[number],
  program: Command,
  name: string,
  options?: Names & Known<Names>,
  alias?: string,
): Command {
  const command = program.command(name).helpGroup(`${group}:`)
  if (alias !== undefined) command.alias(alias)
  return options === undefined ? command : addGroups(command, options)
}

/** Adds option groups to a command, always in the same order, and the colour option. */
export function shared<Names extends string>(command: Command, groups: Names & Known<Names>): Command {
  return addGroups(command, groups)
}

function addGroups(command: Command, groups: string): Command {
  if (!isNamed(command)) return command
  const names = [...groups.split(' '), 'color']
  for (const [name, [heading, ...rows]] of Object.entries<OptionRows>(optionGroups)) {
    if (!names.includes(name)) continue
    command.optionsGroup(heading)
    for (const [flags, doc, change] of rows) {
      const option = new Option(flags, doc)
      command.addOption(change?.(option) ?? option)
    }
    if (name === 'format') formatOptions(command)
  }
  return command.optionsGroup('')
}

/** Adds an option for each format. `help` replaces help texts. */
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

/** Parses an option that may be given once. By default, the last value would win silently. */
export function once(value: string, before?: string): string {
  if (before === undefined) return value
  throw new InvalidArgumentError(`It is given twice, first as ${before}; give it once.`)
}

/** Parses the environment of a command that takes only one. */
function oneName(value: string, before?: string): string {
  if (/[*?]|\{.*,.*\}/.test(value)) throw new InvalidArgumentError('It takes one environment, no pattern.')
  return once(value, before)
}

/** The value itself if it is given once, so that most commands see no list. */
function oneOrMore(value: string, before?: string | readonly string[]): string | readonly string[] {
  return before === undefined ? value : [...[before].flat(), value]
}

/** Whether a command line selects one environment by its name, or none. */
export function isForOne({ env, shard }: SeveralFlags): boolean {
  return shard === undefined && typeof env !== 'object' && !/^all$|[*?{]/.test(env ?? '')
}

type OptionRow = readonly [flags: string, doc: string, change?: (option: Option) => Option]
type OptionRows = readonly [heading: string, ...rows: readonly OptionRow[]]

const many = (option: Option) => option.argParser(collect)
const single = (option: Option) => option.argParser(once)
const only = (option: Option) => option.argParser(oneName)
const some = (option: Option) => option.argParser(oneOrMore)
const folder: OptionRow = ['-C, --chdir <dir>', 'the folder with vexil.yaml', option => option.default('.')]
const place: readonly OptionRow[] = [
  ['--base-url <url>', 'the service (VEXIL_BASE_URL, POSTHOG_HOST)', single],
  ['--project <id>', 'the project (VEXIL_PROJECT_ID, POSTHOG_PROJECT_ID)', single],
  ['--organization <id>', 'the organization (VEXIL_ORGANIZATION_ID, POSTHOG_ORGANIZATION_ID)', single],
]
const extensions = reportFormats().map(({ extension }) => extension)
const [plain, service, output] = ['Options:', 'Service:', 'Output:']

/** The groups in the order of help. */
const optionGroups = {
  folder: [plain, folder],
  repository: [plain, folder, ['-e, --env <name>', 'the environment of vexil.yaml', only]],
  environments: [
    plain,
    folder,
    ['-e, --env <name>', 'a name, "prod-*" or all; repeatable', some],
    ['--shard <n>', 'a part of them, such as 2/8'],
  ],
  target: [plain, ['-t, --target <address>', 'only this object, or "checkout_*"; repeatable', many]],
  owner: [plain, ['--owner <name>', 'only objects of this owner; repeatable', many]],
  guards: [plain, ['--allow <rule[=address]>', 'allow what this rule blocks; repeatable', many]],
  base: [plain, ['--base <commit>', 'the base of live edits: auto, none or a commit']],
  prune: [plain, ['--prune <which>', 'delete undeclared', option => option.choices(pruneModes)]],
  place: [service, ...place],
  service: [
    service,
    ...place,
    ['--profile <name>', `API profile: ${profileSettings.join(', ')}`, single],
    ['--parallelism <n>', 'requests at the same time (VEXIL_PARALLELISM)'],
    ['--sandbox', 'use the embedded sandbox, kept in .vexil/sandbox', option => option.conflicts('baseUrl')],
  ],
  verbose: [output, ['--verbose', 'list each object, even similar ones']],
  redact: [output, ['--redact <part,...>', `hide ${redactedPartNames().join(', ')}; repeatable`, many]],
  format: [output],
  report: [output, ['--report <file>', `also write this file (${extensions.join(', ')}); repeatable`, many]],
  color: [
    output,
    ['--color <when>', 'colours', option => option.choices(['auto', 'always', 'never'])],
    ['--no-color', 'same as --color never'],
  ],
  stack: [
    'Stacks of CDKTF or CDK Terrain:',
    ['--stack <folder|name>', 'read this stack, or "flags-*", not YAML; repeatable', many],
    ['--app <command>', 'synthesize it first, such as "node main.js"'],
    ['--var <name=value>', 'a variable of the stack (TF_VAR_name); repeatable', many],
    ['--provider <alias>', 'only objects of this provider configuration'],
    ['--engine <name>', 'its engine', option => option.choices(['terraform', 'tofu'])],
    [
      '--plan-json <file>',
      'read `terraform show -json` of a plan',
      option => option.conflicts(['stack', 'app', 'engine', 'var']),
    ],
  ],
  approval: [
    '',
    ['-y, --auto-approve', 'do not ask'],
    ['--no-input', 'never ask; refuse instead'],
    ['--without-store', 'write although the shared store is down'],
  ],
} satisfies Readonly<Record<string, OptionRows>>

/** A command whose errors refer to its help, and suggest our command for names of other tools. */
export class MeantCommand extends Command {
  readonly #words: readonly string[]

  /** `words`: if given, only commands in this command line get their options, to start faster. */
  constructor(name?: string, words: readonly string[] = []) {
    super(name)
    this.#words = words
  }

  override createCommand(name?: string): Command {
    return new MeantCommand(name, this.#words)
  }

  get isNamed(): boolean {
    if (this.#words.length === 0 || this.parent === null) return true
    return [this.name(), ...this.aliases()].some(name => this.#words.includes(name))
  }

  override addOption(option: Option): this {
    return this.isNamed ? super.addOption(option) : this
  }

  override createOption(flags: string, description?: string): Option {
    return this.isNamed ? super.createOption(flags, description) : unused
  }

  override addArgument(argument: Argument): this {
    return this.isNamed ? super.addArgument(argument) : this
  }

  override error(message: string, options?: Parameters<Command['error']>[1]): never {
    const listed = this.commands.length > 0 ? 'commands' : 'options'
    this.showHelpAfterError(`(${pathOf(this)} --help lists the ${listed})`)
    const [unknown, name = ''] = /^error: unknown command '([^']*)'/.exec(message) ?? []
    const meant = meantBy.get(name)
    if (meant !== undefined) return super.error(`${unknown}\n(Did you mean ${meant}?)`, options)
    // A shell replaces a pattern without quotes by matching files.
    const isExcess = options?.code === 'commander.excessArguments'
    return super.error(isExcess ? `${message}${onePerOption}` : message, options)
  }
}

/** Whether the command line names this command. */
export function isNamed(command: Command): boolean {
  return !(command instanceof MeantCommand) || command.isNamed
}

/** Stands for all options of a command that the command line does not name. */
const unused = new Option('--unused')

const onePerOption = '\n(An option takes one value: repeat the option, and put patterns into quotes.)'

function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`
}

const meantBy: ReadonlyMap<string, string> = new Map([
  ['check', 'validate'],
  ['lint', 'validate'],
  ['preview', 'plan'],
  ['status', 'drift'],
  ['deploy', 'apply'],
  ['sync', 'apply'],
  ['up', 'apply'],
  ['import', 'export'],
  ['revert', 'undo'],
  ['rollback', 'undo'],
  ['log', 'history'],
  ['eval', 'evaluate'],
  ['force-unlock', 'unlock'],
  ['destroy', '"ensure: absent" in a declaration, and apply'],
])

export const exportLanguages = ['yaml', 'hcl', 'ts'] as const

export type ExportLanguage = (typeof exportLanguages)[number]

/** The option `--format` of an export. In code it is `language`, since results have a format too. */
export function languageOption(): Option {
  const option = new Option(
    '--format <language>',
    'yaml, hcl (Terraform that imports everything), or ts (the same as constructs)',
  ).choices(exportLanguages)
  option.attributeName = () => 'language'
  return option
}

type Texts = readonly string[]

/** The parsed options of all commands. `command-options.ts` and `program.ts` assign them to commands. */
export interface Flags {
  readonly activity?: boolean
  readonly all?: boolean
  /** Rules that are allowed; for `retire` also `references`. */
  readonly allow?: Texts
  readonly allowHost?: Texts
  readonly allOrNothing?: boolean
  readonly apiKey?: string
  /** A command that synthesizes the stack first. */
  readonly app?: string
  readonly autoApprove?: boolean
  /** `auto`, `none`, or a revision. */
  readonly base?: string
  readonly baseUrl?: string
  /** JSON text, `@FILE`, or `-` for standard input. */
  readonly body?: string
  readonly chdir?: string
  readonly check?: boolean
  /** commander's form of `--no-color` and `--color WHEN`. */
  readonly color?: boolean | string
  readonly commit?: boolean
  readonly condition?: string
  readonly coverage?: boolean
  readonly data?: string
  readonly days?: string
  readonly detailedExitcode?: boolean
  readonly deviceId?: string
  readonly directory?: string
  readonly distinctId?: string
  readonly dryRun?: boolean
  readonly empty?: boolean
  readonly engine?: 'terraform' | 'tofu'
  readonly env?: string
  readonly estimates?: boolean
  readonly expires?: string
  readonly failOnBlocked?: boolean
  readonly fault?: Texts
  /** The format of the result; text for people if no option chose one. */
  readonly format?: FormatName
  readonly from?: string
  readonly fromLive?: boolean
  readonly fromState?: string
  readonly go?: boolean
  /** Whether role access is read too. */
  readonly grants?: boolean
  readonly group?: Texts
  readonly groupProperty?: Texts
  readonly host?: string
  readonly in?: Texts
  /** commander's form of `--no-input`. */
  readonly input?: boolean
  readonly kind?: Texts
  readonly language?: ExportLanguage
  readonly live?: boolean
  readonly logFormat?: string
  readonly maxCount?: string
  readonly metrics?: string
  readonly minCoverage?: string
  readonly moved?: boolean
  readonly offline?: boolean
  /** Set by `reconcile`: what each interval would repeat is neither recorded nor noted. */
  readonly onlyNews?: boolean
  readonly organization?: string
  readonly out?: string
  /** Owners; together with targets, objects that match both. */
  readonly owner?: Texts
  readonly package?: string
  /** commander's form of `--no-page`. */
  readonly page?: boolean
  readonly parallelism?: string
  /** A file with a plan of Terraform, read instead of YAML files. */
  readonly planJson?: string
  readonly port?: string
  readonly profile?: string
  readonly project?: string
  readonly property?: Texts
  readonly propertyMatchingVersion?: '1' | '2'
  readonly provider?: string
  readonly prune?: string
  readonly py?: boolean
  readonly quiet?: boolean
  readonly quirk?: Texts
  readonly raw?: boolean
  readonly reason?: string
  readonly report?: Texts
  /** The file of a reviewed plan. */
  readonly reviewed?: string
  readonly sandbox?: boolean
  readonly scope?: Texts
  readonly sdk?: Texts
  /** A part of the environments: `2/8`. */
  readonly shard?: string
  readonly shared?: boolean
  readonly show?: Texts
  readonly showEqual?: boolean
  readonly showUnchanged?: boolean
  readonly split?: Split
  /** Synthesized stacks, read instead of YAML files: their folders, their names, or patterns of names. */
  readonly stack?: Texts
  /** Addresses, bare identities, or globs of either. */
  readonly target?: Texts
  readonly terraformPlan?: string
  readonly to?: string
  readonly ts?: boolean
  readonly undeclared?: boolean
  readonly unused?: boolean
  readonly value?: string
  readonly var?: Texts
  readonly verbose?: boolean
  readonly world?: string
  readonly query?: Texts
}

/** The options of a command that takes several environments. */
export interface SeveralFlags extends Omit<Flags, 'env'> {
  readonly env?: string | Texts
}

/** Options of an export, which may name several environments. */
export interface ExportFlags extends Omit<Flags, 'env'> {
  readonly env?: Texts
  readonly addresses?: Texts
}
