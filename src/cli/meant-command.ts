import { Command } from 'commander'

/**
 * A command whose errors say where its help is, and what was meant by a name that it has elsewhere: in an earlier build
 * or in another tool. None of those names works, since one thing has one name.
 */
export class MeantCommand extends Command {
  override createCommand(name?: string): Command {
    return new MeantCommand(name)
  }

  override error(message: string, options?: Parameters<Command['error']>[1]): never {
    const listed = this.commands.length > 0 ? 'commands' : 'options'
    this.showHelpAfterError(`(${pathOf(this)} --help lists the ${listed})`)
    const [unknown, name = ''] = /^error: unknown (?:command|option) '([^']*)'/.exec(message) ?? []
    const meant = meantBy.get(name)
    if (meant !== undefined) return super.error(`${unknown}\n(Did you mean ${meant}?)`, options)
    // A shell puts the files that fit in the place of a pattern without quotes.
    const isExcess = options?.code === 'commander.excessArguments'
    return super.error(isExcess ? `${message}${onePerOption}` : message, options)
  }
}

const onePerOption = '\n(An option takes one value: repeat the option, and put patterns into quotes.)'

function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`
}

const meantBy: ReadonlyMap<string, string> = new Map([
  ['adopt', 'claim'],
  ['release', 'unclaim'],
  ['--acknowledge', '--allow'],
  ['--fail-on-withheld', '--fail-on-blocked'],
  ['check', 'validate'],
  ['lint', 'validate'],
  ['preview', 'plan'],
  ['status', 'drift'],
  ['deploy', 'apply'],
  ['sync', 'apply'],
  ['up', 'apply'],
  ['import', 'export'],
  ['pull', 'export'],
  ['revert', 'undo'],
  ['rollback', 'undo'],
  ['log', 'history'],
  ['eval', 'evaluate'],
  ['test', 'evaluate'],
  ['force-unlock', 'unlock'],
  ['destroy', '"ensure: absent" in a declaration, and apply'],
])
