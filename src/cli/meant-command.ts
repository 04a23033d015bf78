import { type Argument, Command, Option } from 'commander'

/**
 * A command whose errors name its help, and what was meant by a name that another tool has for it. None of those names
 * works, since one thing has one name.
 */
export class MeantCommand extends Command {
  readonly #words: readonly string[]

  /** `words`: the command line. If there is one, only a command that it names gets options and arguments, of a thousand. */
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
    // A shell puts the files that fit in the place of a pattern without quotes.
    const isExcess = options?.code === 'commander.excessArguments'
    return super.error(isExcess ? `${message}${onePerOption}` : message, options)
  }
}

/** Whether the command line can run this command, or ask for its help. */
export function isNamed(command: Command): boolean {
  return !(command instanceof MeantCommand) || command.isNamed
}

/** In the place of each option that nobody can give. */
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
